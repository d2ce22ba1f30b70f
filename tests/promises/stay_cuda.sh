# A process keeps a GPU between runs.
GPUFILTER_TEST_DEVICE=cuda
. "$(dirname "$0")/stay.sh"
