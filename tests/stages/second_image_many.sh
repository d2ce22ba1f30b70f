# Two images as inputs, with all calls made by one process, as tests on a GPU do it.
GPUFILTER_TEST_MANY=1
. "$(dirname "$0")/second_image.sh"
