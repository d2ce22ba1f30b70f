/* Sums of the powers of spectra in a part of the signal. */
#ifndef GF_KERNELS_POWERS_H
#define GF_KERNELS_POWERS_H

#include "kernels/sound/windows.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_POWERS_STEPS 32               /* steps of windows in a block */

/*
 * Blocks are placed as those of struct gf_reduce, with GF_POWERS_STEPS steps each. The record of a block has size/2
 * doubles in the order of storing: the sums of the powers of windows in all channels, as in struct gf_windows. Windows
 * begin at multiples of a step of the signal, and lie between the frames `start` and `end`, in one block. Records are
 * joined to one. Powers are added window by window, channel by channel.
 */
struct gf_powers {
    int channels;
    struct gf_windows windows;
    int64_t start, end;
};

static inline int64_t gf_powers_block(const struct gf_powers *p)
{
    return (int64_t)GF_POWERS_STEPS * gf_windows_step(&p->windows);
}

/* Returns where the windows of a block from frame `from` to `to` begin: at each step of the span. */
GF_BOTH struct gf_span gf_powers_windows(const struct gf_powers *p, int64_t from, int64_t to)
{
    const int64_t step = p->windows.size / GF_WINDOWS_OVERLAP, start = from > p->start ? from : p->start;
    const int64_t end = (to < p->end ? to : p->end) - p->windows.size;
    const struct gf_span windows = { gf_round_up(start, step), end < 0 ? 0 : (end / step + 1) * step };

    return windows;
}

/* Returns how many windows of a channel there are. */
int64_t gf_powers_count(const struct gf_powers *p);

extern const struct gf_operation gf_op_powers;
gf_op_body gf_powers_cpu, gf_powers_cuda;

#ifdef __cplusplus
}
#endif
#endif
