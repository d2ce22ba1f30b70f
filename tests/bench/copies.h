/* Measures the bus: median bytes per second in each direction. */
#ifndef BENCH_COPIES_H
#define BENCH_COPIES_H

#ifdef __cplusplus
extern "C" {
#endif

struct bench_copies {
    double up, down, both;
};

/* Measures the seconds for the same segments, queued call by call and as one graph per lane. */
void bench_graphs(int gpu, double *calls, double *graphs);
void bench_copies(int gpu, struct bench_copies *c);

#ifdef __cplusplus
}
#endif
#endif
