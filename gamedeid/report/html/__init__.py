"""The report: one page that needs nothing else."""
