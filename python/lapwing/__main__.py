"""`lapwing` and `python -m lapwing`."""

import sys


def main() -> int:
    """Run the command line; return the exit status."""
    try:
        from .cli.main import run

        return run(sys.argv[1:])
    except KeyboardInterrupt:  # before or after what the command itself catches
        return 130


if __name__ == "__main__":
    sys.exit(main())
