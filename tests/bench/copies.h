/* What the bus can do, in bytes a second and direction: medians. */
#ifndef BENCH_COPIES_H
#define BENCH_COPIES_H

#ifdef __cplusplus
extern "C" {
#endif

struct bench_copies {
    double up, down, both;
};

/* Seconds for the same work of segments, queued call by call, and as a graph for each lane. */
void bench_graphs(int gpu, double *calls, double *graphs);
void bench_copies(int gpu, struct bench_copies *c);

#ifdef __cplusplus
}
#endif
#endif
