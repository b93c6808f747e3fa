"""``python -m gamedeid`` is the command line."""

from gamedeid.cli import main

if __name__ == "__main__":
    main()
