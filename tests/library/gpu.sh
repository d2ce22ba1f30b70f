# The package for Python on arrays that are on a GPU, which is that of gpu_fake.c.
. "$(dirname "$0")/../lib.sh"
fake=$(cd "$(dirname "$GPUFILTER")" && pwd)/tests/library/gpu_fake.so
[ -f "$fake" ] || skip_all 'there is no tests/library/gpu_fake.so; make check builds it'
python_cases gpu.py "$fake"
finish
