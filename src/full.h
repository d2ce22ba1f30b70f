/* Samples of sound at full scale, where louder ones are cut off. */
#ifndef GF_FULL_H
#define GF_FULL_H

#include "gpufilter.h"

/* How many stand at either end of what an integer holds, as the two before them do in their channel; floats are never cut off. */
int64_t gf_full_samples(const struct gf_format *f, const void *units, int64_t count);
/* Says on standard error how many there are in the file of this name, unless they are few. */
void gf_full_tell(const char *name, long long full);

#endif
