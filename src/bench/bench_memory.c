/* How much memory a measurement may use. */
#include "bench/bench_memory.h"

#include "base/memory_share.h"
#include "device/device.h"

int64_t gf_bench_memory(bool cuda, int gpu, int64_t given)
{
    struct gf_device_facts host = { 0 }, facts = { 0 };
    int64_t on_host, on_gpu;

    if (given > 0)
        return given;
    gf_device_cpu.facts(0, &host, NULL, 0);
    on_host = gf_memory_share(GF_MEMORY_BENCH, host.memory_bytes);
    if (!cuda)
        return on_host;
    gf_device_cuda.facts(gpu, &facts, NULL, 0);
    on_gpu = gf_memory_share(GF_MEMORY_BENCH_GPU, facts.memory_bytes);
    return on_gpu < on_host ? on_gpu : on_host;
}
