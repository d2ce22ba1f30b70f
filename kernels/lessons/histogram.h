/* The lesson on counting: what plain C and the kernels share. */
#ifndef GF_LESSONS_HISTOGRAM_H
#define GF_LESSONS_HISTOGRAM_H

#define GF_LESSON_BINS 256               /* of bytes */

#endif
