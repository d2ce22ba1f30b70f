/* Samples of sound at full scale: counted as they are written. */
#include "full.h"

#include <stdio.h>

#include "clones.h"

#define FEW 16                               /* samples cut off that nobody needs to hear of */

/* A wave that was cut off stays there for a while; a peak that just reaches it does not. */
#define COUNT(name, type, least, most)                                                                          \
    GF_CLONES                                                                                                   \
    static int64_t name(const type *restrict v, int64_t n, int64_t channels, type top)                          \
    {                                                                                                           \
        int64_t all = 0;                                                                                        \
                                                                                                                \
        (void)top;                                                                                              \
        for (int64_t i = 2 * channels; i < n; i++)                                                              \
            all += (v[i] == (least) && v[i - channels] == (least) && v[i - 2 * channels] == (least))            \
                 || (v[i] >= (most) && v[i - channels] >= (most) && v[i - 2 * channels] >= (most));             \
        return all;                                                                                             \
    }

COUNT(count_u8, uint8_t, 0, UINT8_MAX)
COUNT(count_s16, int16_t, INT16_MIN, INT16_MAX)
COUNT(count_s32, int32_t, INT32_MIN, top)

int64_t gf_full_samples(const struct gf_format *f, const void *units, int64_t count)
{
    const int64_t n = count * f->width * f->channels;

    switch (f->type) {
    case GF_U8: return count_u8(units, n, f->channels, 0);
    case GF_S16: return count_s16(units, n, f->channels, 0);
    case GF_S32: return count_s32(units, n, f->channels, (int32_t)(INT32_MAX - ((INT64_C(1) << (32 - f->bits)) - 1)));
    default: return 0;
    }
}

void gf_full_tell(const char *name, long long full)
{
    if (full > FEW)
        fprintf(stderr, "gpufilter: %s: %lld samples or more were cut off at full scale; gain:-3, limit:-1 or "
                        "normalize:-1 as the last stage makes room\n",
                name, full);
}
