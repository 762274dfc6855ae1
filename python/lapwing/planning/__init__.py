"""Plans: of a workload at once, and of a loop while it runs."""
