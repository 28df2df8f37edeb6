"""What a robot is, how it is read from a file, checked and written."""
