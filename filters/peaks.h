/* How far sound goes: to full scale; and between samples, in sound four times as dense, and back. */
#ifndef GF_FILTERS_PEAKS_H
#define GF_FILTERS_PEAKS_H

#include "chain/stage.h"

#define GF_PEAKS_TIMES 4

/* The least sample that is as high as it can be. Computed ones can be anything. */
float gf_peaks_full_scale(const struct gf_format *in, const struct gf_build *build);
/* Three frames between each and the next; those that were there are among them, and samples that are not finite are silence. */
int gf_peaks_oversample(struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;
/* Only those that were there. */
int gf_peaks_downsample(struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;

#endif
