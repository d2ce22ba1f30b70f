/* The lesson on counting: what plain C and the kernels share. */
#ifndef GF_LESSONS_HISTOGRAM_H
#define GF_LESSONS_HISTOGRAM_H

#define GF_LESSON_BINS 256               /* of bytes */
#define GF_LESSON_HISTOGRAM_THREADS 512
#define GF_LESSON_HISTOGRAM_BLOCKS 1024  /* at most, so that counters for each fit the scratch memory */
/* the counters that are in shared memory if only a part of them is */
#define GF_LESSON_BINS_FIRST 64u
#define GF_LESSON_BINS_NEAR 128u

#endif
