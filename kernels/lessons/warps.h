/* The lesson on warps: what plain C and the kernels share. */
#ifndef GF_LESSONS_WARPS_H
#define GF_LESSONS_WARPS_H

#define GF_LESSON_BRIGHT 128             /* ranks: samples from here on are counted */

#endif
