# Pictures give the same bytes on a GPU, however cut.
GPUFILTER_TEST_DEVICE=cuda
. "$(dirname "$0")/cut.sh"
