"""Reading what other tools measured: profiles and measurements of collectives from their logs."""
