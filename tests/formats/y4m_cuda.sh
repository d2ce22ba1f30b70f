# Y4M on a GPU.
GPUFILTER_TEST_DEVICE=cuda
. "$(dirname "$0")/y4m.sh"
