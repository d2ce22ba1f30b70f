/* The way into a pass: segments are cut from the reader in turn. */
#ifndef GF_RUN_SEGMENTS_H
#define GF_RUN_SEGMENTS_H

#include "base/order.h"
#include "device/device.h"
#include "io/io.h"

#include <pthread.h>

/* Hands out jobs; where the reader can't read anywhere, units are read under its lock and overlaps kept. */
struct gf_segments {
    pthread_mutex_t lock;
    const struct gf_pass *pass;
    struct gf_reader *reader;            /* NULL: the input is in the device's memory */
    int64_t next;                        /* place of the segment to hand out */
    int64_t handed;                      /* segments so far */
    int64_t in_units;                    /* length of the input; far away until its end is known */
    bool known;                          /* it was told before the first unit */
    int64_t position;                    /* units read so far */
    int64_t watched;                     /* units that were looked at, as far as they are needed: segments overlap */
    struct gf_span kept;                 /* units at `tail` */
    char *tail;
};

/* Whether units are used where the reader has them. */
bool gf_segments_in_place(const struct gf_reader *reader);
int gf_segments_open(struct gf_segments *s, const struct gf_pass *pass, struct gf_reader *reader, int64_t in_units,
                     struct gf_error *err) GF_MUST_CHECK;
/* 1: *job is the segment *index and its units are at job->host_in; 0: there is no more; -1. */
int gf_segments_take(struct gf_segments *s, struct gf_lane *lane, struct gf_job *job, int64_t *index,
                     struct gf_error *err) GF_MUST_CHECK;
/* Reads what the pass had no use for, up to the end of the signal. */
int gf_segments_drain(struct gf_segments *s, struct gf_lane *lane, struct gf_error *err) GF_MUST_CHECK;
void gf_segments_close(struct gf_segments *s);

#endif
