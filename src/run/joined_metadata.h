/* Collects what recordings that are joined, mixed or inserted have besides samples. */
#ifndef GF_RUN_JOINED_METADATA_H
#define GF_RUN_JOINED_METADATA_H

#include "io/io.h"
#include "io/metadata/riff_chunks.h"

/* All zero means none. */
struct gf_joined_metadata {
    struct gf_meta meta;                 /* of the first recording; its markers become those of all */
    const char *name;                    /* of the first recording */
    bool mixed;
    int32_t rate;                        /* of the result */
    struct gf_riff_markers markers;      /* of all recordings */
    bool others;                         /* some of them are not of the first */
    bool title, track;                   /* another recording has another one */
    struct gf_meta late;                 /* what pipes have after their samples */
};

/* Takes the metadata of the first recording from its reader. */
int gf_joined_metadata_begin(struct gf_joined_metadata *j, struct gf_reader *first, bool mixed,
                             struct gf_error *err) GF_MUST_CHECK;
/*
 * Adds that of another one, which has its own rate. Its first frame is frame `at` of the result; GF_UNKNOWN: that is
 * unknown.
 */
int gf_joined_metadata_add(struct gf_joined_metadata *j, const struct gf_reader *r, int64_t at,
                           struct gf_error *err) GF_MUST_CHECK;
/* Makes j->meta that of the result. */
int gf_joined_metadata_end(struct gf_joined_metadata *j, struct gf_notices *n, struct gf_error *err) GF_MUST_CHECK;
/* Goes to the end of a pipe, whose samples were read. Files were searched when they were opened. */
int gf_joined_metadata_add_late(struct gf_joined_metadata *j, struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
void gf_joined_metadata_release(struct gf_joined_metadata *j);

/*
 * Updates the chunks of `r` for `by` frames more before its frame `at`, and adds the markers and labels of `other`,
 * whose first frame becomes frame `first`; -1: it is not known, so they are lost.
 */
int gf_joined_metadata_insert(struct gf_reader *r, const struct gf_reader *other, int64_t at, int64_t first, int64_t by,
                              int rate, struct gf_error *err) GF_MUST_CHECK;

#endif
