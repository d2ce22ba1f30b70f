/* The contract of a format that is read, and what the files of formats share. io.h has the contract of writers. */
#ifndef GF_IO_FORMAT_H
#define GF_IO_FORMAT_H

#include "io/io.h"
#include "io/output.h"
#include "io/source.h"

/*
 * match: does the content look like this format? Peeks, takes nothing: 1, 0, -1.
 * open: makes r->state over the source, which stays the caller's. The first
 * signal is fetched by ops->next. On failure nothing is left in the reader.
 */
struct gf_read_format {
    const char *name;
    const char *const *endings;
    bool picks;                          /* it heeds --channels */
    bool fields;                         /* its frames may be two fields: it heeds --interlaced fields */
    bool joined;                         /* its pictures and those of others with this may follow each other in one input */
    int (*match)(struct gf_source *s, struct gf_error *err);
    int (*open)(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err);
};

/* What `open` does at least: makes a state of so many bytes, cleared. It is freed after ops->close. */
int gf_reader_begin(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, const struct gf_reader_ops *ops,
                    size_t state_bytes, struct gf_error *err) GF_MUST_CHECK;
/* There is no place for a second picture. */
int gf_fail_second_image(const struct gf_writer *w, struct gf_error *err);

#endif
