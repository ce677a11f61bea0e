"""`python -m twinproof` is the command `twinproof`."""

from twinproof.compare.cli.main import main

if __name__ == "__main__":
    main()
