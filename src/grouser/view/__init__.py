"""Showing what happened: figures and video."""
