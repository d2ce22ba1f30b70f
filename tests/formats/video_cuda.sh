# Video on a GPU: fields, and headers that are correct after the stages.
GPUFILTER_TEST_DEVICE=cuda
. "$(dirname "$0")/video.sh"
