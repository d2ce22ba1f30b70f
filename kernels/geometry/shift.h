/* Shifts a recording in time, forwards or reversed, with silence around it. */
#ifndef GF_KERNELS_SHIFT_H
#define GF_KERNELS_SHIFT_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Unit n of dst is unit n - first of src, or first - n if reversed, as stored; silence (0) outside
 * src. Units are one pixel wide and adjacent. src and dst have the same layout and type; there are
 * no programs.
 */
struct gf_shift {
    int64_t first;
    bool backwards;
};

/* Returns the units of dst's span that src must have; empty, at the end, if there are none. */
static inline struct gf_span gf_shift_filled(const struct gf_shift *p, const struct gf_io *io)
{
    const struct gf_span d = io->dst.span;
    int64_t start = p->backwards ? p->first - io->src_units + 1 : p->first,
                    end = p->backwards ? p->first + 1 : p->first + io->src_units;
    struct gf_span s;

    start = start < d.start ? d.start : start;
    end = end > d.end ? d.end : end;
    s.start = start < end ? start : d.end;
    s.end = start < end ? end : d.end;
    return s;
}

extern const struct gf_operation gf_op_shift;
gf_op_body gf_shift_cpu, gf_shift_cuda;

#ifdef __cplusplus
}
#endif
#endif
