/* Linear samples of packed bytes at transformed positions. */
#ifndef GF_KERNELS_SAMPLE_BYTES_H
#define GF_KERNELS_SAMPLE_BYTES_H

#include "kernels/geometry/sample_rows.h"

/* From bytes to bytes of 1 to 4 channels, with fractions of 1/256. */
extern const struct gf_sample_parts gf_sample_bytes_parts;
/* Returns the columns at the end of a row that they count as its border. */
int64_t gf_sample_bytes_spare(int channels);

#endif
