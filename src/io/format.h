/* The descriptor of a file format, and functions that all formats share. io.h specifies readers and writers. */
#ifndef GF_IO_FORMAT_H
#define GF_IO_FORMAT_H

#include "io/io.h"
#include "io/output.h"
#include "io/source.h"

/* Results that are written in a default format. GF_USUAL_FILE: an image whose file has to be renamed. */
enum gf_usual {
    GF_USUAL_AUDIO = 1, GF_USUAL_IMAGE = 2, GF_USUAL_VIDEO = 4, GF_USUAL_FILE = 8, GF_USUAL_TABLE = 16,
    GF_USUAL_DRAWING = 32
};

/* A pipe is read or written piece by piece; otherwise a whole recording or image is kept first. */
enum gf_streams { GF_STREAMS_IN = 1, GF_STREAMS_OUT = 2, GF_STREAMS_BOTH = 3 };

/*
 * A format is a constant gf_file_format_NAME in one of its files; the build makes a registry of them. A member that is
 * left out is not offered. Words are names and extensions: lowercase, and each belongs to one format only.
 */
struct gf_file_format {
    const char *name;                    /* of --from and --to, in messages, and as an extension */
    const char *title;                   /* in messages and manuals */
    const char *endings[4];              /* more extensions; NULL ends them */
    unsigned kinds;                      /* bits 1 << KIND: content of a file of this name; 0: unknown */
    unsigned streams;                    /* bits of enum gf_streams */

    /* ---- reading: NULL for `open` if it is not read ---- */
    const char *signature[5];            /* first bytes of its files, '*' for any byte; NULL ends the list … */
    /* … or a function: returns 1 if the content begins like this format, 0 or -1. It only peeks. */
    int (*match)(struct gf_source *s, struct gf_error *err);
    /* Like match(), if other content may begin so too: called after all signatures; --from overrides it. */
    int (*resembles)(struct gf_source *s, struct gf_error *err);
    /*
     * Makes r->state for the source, which the caller still owns. ops->next opens the first signal. On failure
     * the reader stays empty.
     */
    int (*open)(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err);
    bool picks;                          /* it heeds --channels */
    bool fields;                         /* its frames may be two fields: it heeds --interlaced fields */
    bool joined;                         /* a file may mix its images with those of other such formats */

    /* ---- writing: one table for each kind of result ---- */
    const struct gf_writer_ops *image, *audio, *table;
    bool sequence;                       /* a file may have many consecutive images */
    unsigned usual;                      /* bits of enum gf_usual: it is the default for these */
    bool arguments;                      /* its name may have arguments after a colon: raw:type=s16 */
    /* Checks the arguments of --to at the start; NULL: fit() checks them. */
    int (*check_arguments)(const struct gf_writer *w, struct gf_error *err);

    /* ---- a row of the manual's "What is read, lost and refused"; NULL: another format's row says it, or nothing ---- */
    struct { const char *formats, *reads, *loses, *refuses; } notes;
};

/* The registry, sorted by name. */
extern const struct gf_file_format *const gf_file_formats[];
extern const int gf_file_format_count;

/* Returns the format with that name or extension, ignoring arguments after a colon; NULL: there is none. */
const struct gf_file_format *gf_file_format_find(const char *word);
/* Returns the writer for a result; NULL: the format cannot store it. */
const struct gf_writer_ops *gf_file_format_writer(const struct gf_file_format *f, enum gf_kind kind, bool table);
bool gf_file_format_is_written(const struct gf_file_format *f);
/* Returns the default format for a result, a bit of enum gf_usual. */
const struct gf_file_format *gf_file_format_usual(unsigned usual);
/* The titles of those that fit, for messages: "JPEG, Ogg and WebP". One whose title lists others is left out. */
void gf_file_format_titles(bool (*fits)(const struct gf_file_format *f, unsigned bits), unsigned bits, char *text, size_t bytes);

/* Sets up a reader with a cleared state of `state_bytes`, which is freed after ops->close. Each `open` calls it. */
int gf_reader_begin(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, const struct gf_reader_ops *ops,
                    size_t state_bytes, struct gf_error *err) GF_MUST_CHECK;
/* The body of ops->release for a state that is one piece of memory. */
void gf_writer_free_state(struct gf_writer *w);
/* There is no place for a second picture. */
int gf_fail_second_image(const struct gf_writer *w, struct gf_error *err);
/* There is no place for a second recording. */
int gf_fail_second_recording(const struct gf_writer *w, struct gf_error *err);

#endif
