"""Trials: one robot driven once over one course, and measured."""
