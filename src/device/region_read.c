/* Reading a region of a signal on disk. */
#include "device/region_read.h"

int gf_region_read(const struct gf_spool *spool, const struct gf_pass_end *store, int64_t units, const struct gf_region *r,
                   const struct gf_block *block, struct gf_error *err)
{
    const size_t sample = gf_type_bytes(block->type);
    const int64_t wide = store->planar ? 1 : store->format.channels;

    for (int c = 0; c < (store->planar ? store->format.channels : 1); c++)
        for (int64_t y = 0; y < r->rows; y++) {
            const int64_t from = c * units * store->pitch_samples + (r->y + y) * store->pitch_samples + r->x * wide;
            char *to = (char *)block->data + (size_t)(c * block->plane_samples + y * block->pitch_samples) * sample;

            if (gf_spool_read(spool, (size_t)from * sample, to, (size_t)(r->columns * wide) * sample, err) != 0)
                return -1;
        }
    return 0;
}
