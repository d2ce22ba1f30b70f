"""python -m gpufilter: the program, with its arguments."""
import os
import sys

from ._program import program


def main():
    """Replace this process by the program."""
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
