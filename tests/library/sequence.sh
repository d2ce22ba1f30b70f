# Sequences of images for stages that work on consecutive ones, from Python.
. "$(dirname "$0")/../lib.sh"
python_cases sequence.py
finish
