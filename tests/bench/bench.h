/* What the benchmark's files share: the GPU and its sets of data, calls of operations, and rows of the table. */
#ifndef BENCH_H
#define BENCH_H

#include <functional>
#include <string>

extern "C" {
#include "device/device.h"
}
#include "peer.h"

#define SETS 4
#define SIDE 8192
#define SET_BYTES ((size_t)SIDE * SIDE * 4)

/* Where masks lie in the pool: what they share, a mean of five, sobel along x and then along y, nearness for bilateral means. */
#define MEAN_AT 2000
#define SOBEL_AT 2100
#define NEAR_AT 2200

extern struct gf_work bench_work;
extern cudaStream_t bench_stream;
extern char *bench_in[SETS], *bench_out[SETS];
extern void *bench_counts, *bench_state;                 /* 4 MB of zeros; what a scan of SIDE by SIDE values needs */
extern float *bench_masks;                               /* the pool of masks, on the GPU */
extern float bench_tables[1 << 20];                      /* the pool of tables: bench_set_tables() hands it over */

struct bench_shape {
    enum gf_type type;
    int channels;
    int64_t width, rows;
    bool planar;
};

/* A call on set s; 0, or -1 where there is no such call. */
typedef std::function<int(int)> bench_call;

/* What is timed, and how a row tells of it. */
struct bench_run {
    bench_call call;
    std::string size;
    double bytes;                                        /* read and written at least */
};

void bench_must(int result, const struct gf_error *err);
void bench_set_tables(void);
struct gf_block bench_image(void *data, const struct bench_shape &s);
int bench_op(const struct gf_operation *op, const struct gf_block &src, const struct gf_block &dst, const void *params,
             const struct gf_point *load = NULL, const struct gf_block *beside = NULL);
struct gf_point bench_program(enum gf_point_kind kind, int channels);

/* One operation between a set's source and its result; `beside`: its second source, from the next set. */
struct bench_run bench_ours(const struct gf_operation *op, const struct bench_shape &from, const struct bench_shape &to, const void *params,
                            const struct gf_point *load = NULL, const struct bench_shape *beside = NULL);

void bench_row(const char *name, const struct bench_run &ours, const char *peer_name = NULL, const bench_call &peer = {});

/* The rows, by kind. */
void bench_points(void);
void bench_blends(void);
void bench_convolutions(void);
void bench_neighbours(void);
void bench_edges(void);
void bench_ranks(void);
void bench_geometry(void);
void bench_sizes(void);
void bench_borders(void);
void bench_sums(void);
void bench_histograms(const char *fill);
void bench_floats(void);

#endif
