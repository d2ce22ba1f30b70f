/* Full scale, and true peaks: audio is oversampled four times, and reduced again. */
#ifndef GF_FILTERS_PEAKS_H
#define GF_FILTERS_PEAKS_H

#include "chain/stage.h"

#define GF_PEAKS_TIMES 4

/* Returns the smallest sample value that counts as full scale: 1 for computed samples and floats. */
float gf_peaks_full_scale(const struct gf_format *in, const struct gf_build *build);
/*
 * Adds three frames between each frame and the next; the original frames stay. Samples that are
 * not finite become silence.
 */
int gf_peaks_oversample(struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;
/* Adds the peak at each frame: as many channels again, after the original ones, by struct gf_peaks. */
int gf_peaks_beside(struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;
/* Keeps only the original frames. */
int gf_peaks_downsample(struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;

#endif
