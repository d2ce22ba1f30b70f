/* The input of a pass: segments are cut from the reader in order. */
#ifndef GF_RUN_SEGMENTS_H
#define GF_RUN_SEGMENTS_H

#include "base/order.h"
#include "device/device.h"
#include "io/io.h"

#include <pthread.h>

/*
 * Hands out jobs. If the reader cannot read anywhere, units are read under its lock and overlaps
 * are kept.
 */
struct gf_segments {
    pthread_mutex_t lock;
    const struct gf_pass *pass;
    struct gf_reader *reader;            /* NULL: the input is in the device's memory */
    int64_t next;                        /* index of the next segment */
    int64_t handed;                      /* segments so far */
    int64_t in_units;                    /* length of the input; very large until its end is known */
    bool known;                          /* the length was known before the first unit */
    int64_t position;                    /* units read so far */
    int64_t watched;                     /* units examined for warnings; each counts once, although segments overlap */
    struct gf_span kept;                 /* units at `tail` */
    int64_t needing, needed;             /* the last segment that was looked up, and the first unit that it needs */
    char *tail;
};

/* Returns true if units are used in the reader's memory. */
bool gf_segments_in_place(const struct gf_reader *reader);
int gf_segments_open(struct gf_segments *s, const struct gf_pass *pass, struct gf_reader *reader, int64_t in_units,
                     struct gf_error *err) GF_MUST_CHECK;
/* Returns 1 if *job is segment *index and its units are at job->host_in; 0 at the end; -1. */
int gf_segments_take(struct gf_segments *s, struct gf_lane *lane, struct gf_job *job, int64_t *index,
                     struct gf_error *err) GF_MUST_CHECK;
/* Reads the rest of the signal, which the pass does not use. */
int gf_segments_drain(struct gf_segments *s, struct gf_lane *lane, struct gf_error *err) GF_MUST_CHECK;
void gf_segments_close(struct gf_segments *s);

#endif
