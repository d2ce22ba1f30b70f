/* The limits of --max-pixels and --max-memory. */
#include "io/limits.h"

#include "base/words.h"

#include <stdio.h>

/* Up to this number of pixels, sizes in bytes fit in 64 bits. */
#define MAX_PIXELS (INT64_C(1) << 46)

int gf_limits_fail_image(const char *name, int64_t width, int64_t height, int64_t needs,
                         const struct gf_read_options *o, struct gf_error *err)
{
    char what[60];

    snprintf(what, sizeof what, "%lldx%lld ", (long long)width, (long long)height);
    return gf_fail_limit(err, name, what, needs, o->max_bytes, "--max-memory");
}

int gf_limits_check_size(const char *name, int64_t width, int64_t height, int64_t pixel_bytes,
                         const struct gf_read_options *o, struct gf_error *err)
{
    int64_t pixels;

    if (width < 1 || height < 1)
        return gf_fail(err, GF_FAILED, "%s: has no pixels", name);
    if (__builtin_mul_overflow(width, height, &pixels) || pixels > MAX_PIXELS)
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld is too large; at most 2^46 pixels are possible", name,
                       (long long)width, (long long)height);
    if (o->max_pixels > 0 && pixels > o->max_pixels)
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld is more than %lld pixels;; raise --max-pixels to read it", name,
                       (long long)width, (long long)height, (long long)o->max_pixels);
    if (o->max_bytes > 0 && pixel_bytes > 0 && pixels > o->max_bytes / pixel_bytes)
        return gf_limits_fail_image(name, width, height, pixels * pixel_bytes, o, err);
    return 0;
}
