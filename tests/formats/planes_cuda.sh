# Video in its planes on a GPU.
GPUFILTER_TEST_DEVICE=cuda
. "$(dirname "$0")/planes.sh"
