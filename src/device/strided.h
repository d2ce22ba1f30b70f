/* Signals of a caller in the memory of a device: which of them bodies read and write where they are. */
#ifndef GF_DEVICE_STRIDED_H
#define GF_DEVICE_STRIDED_H

#include "device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Returns true if samples follow each other in each unit, as in a packed block, whose units may have gaps between them.
 * Others are copied.
 */
static inline bool gf_strided_in_rows(const struct gf_strided *a, const struct gf_format *f)
{
    const int64_t sample = (int64_t)gf_type_bytes(f->type), row = (int64_t)gf_unit_bytes(f);

    if (a->half || (uintptr_t)a->data % (uintptr_t)sample != 0 || (f->channels > 1 && a->channel != sample)
        || (f->width > 1 && a->pixel != sample * f->channels))
        return false;
    return f->units == 1 || a->unit == row || (f->kind == GF_IMAGE && a->unit > row && a->unit % sample == 0);
}

/* Returns true if there are no gaps at all. Bodies may write the gaps of blocks, which are the caller's here. */
static inline bool gf_strided_is_whole(const struct gf_strided *a, const struct gf_format *f)
{
    return gf_strided_in_rows(a, f) && (f->units == 1 || a->unit == (int64_t)gf_unit_bytes(f));
}

/* Describes units of a signal in rows. */
static inline struct gf_block gf_strided_block(const struct gf_strided *a, const struct gf_format *f,
                                               struct gf_span span)
{
    struct gf_block b = gf_block_packed(a->data + span.start * a->unit, f, span);

    if (f->units != 1)
        b.pitch_samples = a->unit / (int64_t)gf_type_bytes(f->type);
    return b;
}

#ifdef __cplusplus
}
#endif
#endif
