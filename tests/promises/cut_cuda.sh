# Images on a GPU: segments, lanes and threads never change the output bytes.
GPUFILTER_TEST_DEVICE=cuda
. "$(dirname "$0")/cut.sh"
