"""`python -m grouser` is the command `grouser`."""

from grouser.cli import main

if __name__ == "__main__":
    main()
