"""python -m gpufilter: the program, with its arguments."""
import os
import sys

from . import _program


def main():
    """Replace this process by the program."""
    program = _program()
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
