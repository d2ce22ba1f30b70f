# The package for Python: arrays give the bytes of the program, for the examples of all stages.
. "$(dirname "$0")/../lib.sh"
python_cases python.py
finish
