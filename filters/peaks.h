/* Peaks between samples, which are heard, too: sound four times as dense, and back. */
#ifndef GF_PEAKS_H
#define GF_PEAKS_H

#include "stage.h"

#define GF_PEAKS_TIMES 4

/* Three frames between each and the next; those that were there are among them, and samples that are not finite are silence. */
int gf_peaks_between(struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;
/* Only those that were there. */
int gf_peaks_back(struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;

#endif
