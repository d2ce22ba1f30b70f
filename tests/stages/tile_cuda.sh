# Tiles, of results that a GPU computes.
GPUFILTER_TEST_DEVICE=cuda
. "$(dirname "$0")/tile.sh"
