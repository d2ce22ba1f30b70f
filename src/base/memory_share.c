/* Divides the memory ceiling among its users. */
#include "base/memory_share.h"

#define MB (INT64_C(1) << 20)

static const struct {
    int parts, of;
    int64_t most;                /* 0: no ceiling */
} shares[] = {
    [GF_MEMORY_HOST] = { 3, 4, 0 },
    [GF_MEMORY_GPU] = { 15, 16, 0 },
    [GF_MEMORY_BENCH] = { 1, 4, 0 },
    [GF_MEMORY_BENCH_GPU] = { 1, 2, 0 },
    [GF_MEMORY_WEIGHTS] = { 3, 4, 0 },
    [GF_MEMORY_SIDES] = { 1, 4, 0 },
    [GF_MEMORY_LEFT] = { 7, 8, 0 },
    [GF_MEMORY_UNPACKING] = { 1, 2, 0 },
    [GF_MEMORY_METADATA] = { 1, 4, 0 },
    [GF_MEMORY_JOINED] = { 1, 4, 256 * MB },
    [GF_MEMORY_PIPE] = { 1, 4, 64 * MB },
    [GF_MEMORY_TABLES] = { 1, 8, 32 * MB },
    [GF_MEMORY_RECORDING] = { 1, 8, 1024 * MB },
    [GF_MEMORY_FLAC] = { 1, 8, 64 * MB },
    [GF_MEMORY_BANDS] = { 1, 4, 0 },
};

int64_t gf_memory_share(enum gf_memory_user user, int64_t bytes)
{
    const int64_t share = bytes / shares[user].of * shares[user].parts, most = shares[user].most;

    return most > 0 && (bytes <= 0 || share > most) ? most : share;
}

int64_t gf_memory_take(enum gf_memory_user user, int64_t *bytes)
{
    const int64_t share = gf_memory_share(user, *bytes);

    *bytes -= *bytes > 0 ? share : 0;
    return share;
}

int64_t gf_memory_for_worker(int64_t bytes, int devices, int workers)
{
    return bytes * devices / workers;
}
