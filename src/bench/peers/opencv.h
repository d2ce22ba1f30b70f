/* Times OpenCV in python3, or in the Python that GPUFILTER_PYTHON names, if it has cv2. */
#ifndef GF_BENCH_PEERS_OPENCV_H
#define GF_BENCH_PEERS_OPENCV_H

#include "base/error.h"
#include "bench/bench_call.h"

#include <stdio.h>
#include <sys/types.h>

struct gf_opencv {
    FILE *to, *from;
    pid_t child;
    char version[100];           /* "OpenCV 5.0.0", or why it cannot be used */
    bool there;
};

/* Starts Python with so many threads for OpenCV. o->there is true if that worked. */
void gf_opencv_open(struct gf_opencv *o, int threads);
/* Measures the seconds of a case on an image of that size, warm; less than 0 on failure. */
double gf_opencv_time(struct gf_opencv *o, const struct gf_bench_pick *pick, int64_t width, int64_t rows);
void gf_opencv_close(struct gf_opencv *o);

#endif
