"""`python -m compare` is the command `twinproof`."""

from compare.cli import main

if __name__ == "__main__":
    main()
