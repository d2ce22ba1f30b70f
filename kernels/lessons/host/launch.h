/* The lesson on launches: what its files share. */
#ifndef GF_LESSONS_LAUNCH_H
#define GF_LESSONS_LAUNCH_H

#include "kernels/lessons/lesson.h"

/* The steps, by their places in the lesson. */
enum { GF_LAUNCH_WAITED, GF_LAUNCH_STREAM, GF_LAUNCH_RETURNED, GF_LAUNCH_EARLY, GF_LAUNCH_GRAPH, GF_LAUNCH_GRAPH_EARLY,
       GF_LAUNCH_NESTED, GF_LAUNCH_RECURSIVE, GF_LAUNCH_ONE };

/* The state of the lesson. */
struct gf_launch_state {
    bool early;                          /* the GPU can start a kernel before the one before it has ended */
    void *graph, *graph_early;           /* cudaGraphExec_t of as many launches as io->value; NULL: not possible */
    double build_seconds;                /* of the first */
    bool nested;                         /* the GPU can launch kernels itself; the lesson has raised … */
    size_t nested_limit;                 /* … how many of them may be queued, which was this number */
};

/* Prepares the GPU for `launches` of its own. Returns false if it cannot do that. */
bool gf_launch_nested_open(int launches, size_t *limit_before);
/* Restores the limit that gf_launch_nested_open() has raised. */
void gf_launch_nested_close(size_t limit_before);

#endif
