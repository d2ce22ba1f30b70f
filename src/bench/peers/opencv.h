/* OpenCV in a Python beside us, where one with cv2 is installed: GPUFILTER_PYTHON names it. */
#ifndef GF_BENCH_PEERS_OPENCV_H
#define GF_BENCH_PEERS_OPENCV_H

#include "base/error.h"
#include "bench/bench_call.h"

#include <stdio.h>
#include <sys/types.h>

struct gf_opencv {
    FILE *to, *from;
    pid_t child;
    char version[100];           /* "OpenCV 5.0.0"; why not, if it is not there */
    bool there;
};

/* Starts it with so many threads; o->there tells whether it works. */
void gf_opencv_open(struct gf_opencv *o, int threads);
/* Seconds of a case on such a picture, warm; less than 0 if it can't. */
double gf_opencv_time(struct gf_opencv *o, const struct gf_bench_pick *pick, int64_t width, int64_t rows);
void gf_opencv_close(struct gf_opencv *o);

#endif
