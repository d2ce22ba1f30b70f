# A second image, on a GPU.
GPUFILTER_TEST_DEVICE=cuda
. "$(dirname "$0")/second_image.sh"
