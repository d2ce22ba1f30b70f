# The same bytes however cut, on a GPU.
GPUFILTER_TEST_DEVICE=cuda
. "$(dirname "$0")/cut.sh"
