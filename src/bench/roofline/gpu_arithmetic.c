/* Measures how many multiplications and additions of floats a GPU can do: the ceiling of arithmetic. */
#include "bench/roofline/gpu_arithmetic.h"

#include "bench/bench_gpu.h"

int gf_gpu_arithmetic_rate(struct gf_device *d, double *rate, struct gf_error *err)
{
    struct gf_multiply_adds m = { .device = d };
    double seconds;
    int result = -1;

    if (d->kind->alloc(d, GF_GPU_ARITHMETIC_BYTES, &m.memory, err) == 0 && gf_gpu_arithmetic_size(&m, err) == 0
        && gf_bench_gpu_time(d, gf_gpu_arithmetic_run, &m, &seconds, err) == 0) {
        *rate = m.flop / seconds;
        result = 0;
    }
    d->kind->release(d, m.memory);
    return result;
}
