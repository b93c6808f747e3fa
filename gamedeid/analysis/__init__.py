"""Analyses of a solution: comparisons of policies and solvers, sensitivity to stakes, and summaries."""
