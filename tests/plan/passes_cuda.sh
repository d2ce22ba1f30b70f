# Passes that one process plans for a GPU and another one runs.
GPUFILTER_TEST_DEVICE=cuda
. "$(dirname "$0")/passes.sh"
