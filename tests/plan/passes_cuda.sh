# One process plans passes for a GPU, and another process runs them.
GPUFILTER_TEST_DEVICE=cuda
. "$(dirname "$0")/passes.sh"
