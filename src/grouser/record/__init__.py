"""Recording: tables of numbers over time, and the files they are kept in."""

from grouser.record.csv_file import read_csv, write_csv
from grouser.record.telemetry import Column, Recorder, Telemetry

__all__ = ["Column", "Recorder", "Telemetry", "read_csv", "write_csv"]
