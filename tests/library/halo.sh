# Halos: an image or a sound that is cut into pieces with their halo gives the bytes of the whole, for generated chains
# of all stages.
. "$(dirname "$0")/../lib.sh"
python_cases halo.py
finish
