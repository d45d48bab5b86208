"""`python -m benchmarks.load`: a class of two hundred on one server."""

from benchmarks.load.crowd import main

if __name__ == "__main__":
    main()
