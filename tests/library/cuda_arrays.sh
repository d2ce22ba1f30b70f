# The package for Python on arrays of PyTorch and CuPy on a GPU: the bytes of arrays of the host, streams, and memory.
# GPUFILTER_TEST_PYTHON names a python3 that has the packages.
. "$(dirname "$0")/../lib.sh"
need_cuda
python=${GPUFILTER_TEST_PYTHON:-python3}
for module in numpy torch cupy; do
    "$python" -c "import $module" 2>/dev/null || missing="$missing $module"
done
if [ -n "$missing" ]; then
    if [ -n "$GPUFILTER_REQUIRE_CUDA" ] && [ "$GPUFILTER_REQUIRE_CUDA" != 0 ]; then
        fail "a GPU is required, and for arrays on it$missing"
        finish
    fi
    skip_all "$python has no$missing"
fi
python_cases cuda_arrays.py
finish
