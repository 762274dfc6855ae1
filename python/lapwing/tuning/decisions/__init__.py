"""The files that MPIs read their choice of algorithms from: a table of decisions, a writer each."""
