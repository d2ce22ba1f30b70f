/* Recordings of which one is made. They are opened as they are needed, and get one format. */
#ifndef GF_RUN_AUDIO_PARTS_H
#define GF_RUN_AUDIO_PARTS_H

#include "io/io.h"
#include "run/joined_metadata.h"
#include "run/run_context.h"

#define GF_PIECE_FRAMES 4096             /* that are read at once */

struct gf_audio_part {
    const char *name;
    struct gf_reader *reader;            /* while it is open */
    int64_t units;                       /* by its header; GF_UNKNOWN: unknown */
    int64_t limit;                       /* frames of it that are wanted; INT64_MAX: all */
    bool lent;                           /* somebody else closes the reader */
};

struct gf_audio_parts {
    struct gf_run_context context;
    struct gf_limits limits;
    struct gf_read_options options;      /* for those that are opened */
    int count;
    struct gf_audio_part *part;
    struct gf_joined_metadata metadata;
    struct gf_format format;             /* of the result: it has all samples of all parts */
    void *raw;                           /* GF_PIECE_FRAMES frames as a part has them */
};

/* How the files after the first one are opened. */
struct gf_audio_parts_order {
    bool mixed, stay_open;               /* they begin together; files are not closed again */
    int64_t overlap;                     /* frames of each that are also frames of the next one */
};

/*
 * Reads the headers of the recording of `first`, which is open, and of the files options->joined. It owns `first`, also
 * if it fails.
 */
int gf_audio_parts_open(struct gf_audio_parts *p, const struct gf_run_context *context, const struct gf_limits *limits,
                        struct gf_reader *first, const struct gf_read_options *options,
                        const struct gf_audio_parts_order *order, struct gf_error *err) GF_MUST_CHECK;
/* Makes room for parts that the caller describes, in the format of a reader. */
int gf_audio_parts_begin(struct gf_audio_parts *p, const struct gf_reader *like, int count,
                         struct gf_error *err) GF_MUST_CHECK;
/* Makes the format of the result one that has all samples of this one, too. */
void gf_audio_parts_widen(struct gf_format *to, const struct gf_format *f);
/* Makes the format that of floats, for sums of samples. */
void gf_audio_parts_use_floats(struct gf_format *f);
/* Returns true if a file can be opened again. A pipe would lose what has been read. */
bool gf_audio_parts_may_reopen(const char *name);

/* Returns the reader of a part, which is opened if need be; NULL on failure. */
struct gf_reader *gf_audio_parts_need(struct gf_audio_parts *p, int i, struct gf_error *err);
/* Reads frames of a part in the format of the result. Returns 0 at its end, or -1. */
int64_t gf_audio_parts_read(struct gf_audio_parts *p, int i, void *to, int64_t count, struct gf_error *err);
/* Returns true if a thread reads ahead in one of the parts (struct gf_reader). */
bool gf_audio_parts_are_ahead(const struct gf_audio_parts *p);
/* Returns a sample on the scale of floats. */
double gf_audio_sample(const void *from, enum gf_type type, int64_t i);
int gf_audio_parts_close(struct gf_audio_parts *p, int i, struct gf_error *err) GF_MUST_CHECK;
void gf_audio_parts_release(struct gf_audio_parts *p);

/*
 * Returns a reader of the result, whose state begins with the parts. It owns the first of them, and has the metadata of
 * all. NULL on failure, and it owns nothing.
 */
struct gf_reader *gf_audio_parts_reader(const struct gf_reader_ops *ops, void *state, struct gf_error *err);
/* The function `next` of such a reader: there is no other recording. */
int gf_audio_parts_next(struct gf_reader *r, struct gf_error *err);

#endif
