/*
 * The descriptor of a file format, and functions that
 * all formats share. io.h specifies readers and writers.
 */
#ifndef GF_IO_FORMAT_H
#define GF_IO_FORMAT_H

#include "io/io.h"
#include "io/output.h"
#include "io/source.h"

/* Results that have a default format. GF_USUAL_FILE: an image file whose extension has to change. */
enum gf_usual {
    GF_USUAL_AUDIO = 1, GF_USUAL_IMAGE = 2, GF_USUAL_VIDEO = 4, GF_USUAL_FILE = 8, GF_USUAL_TABLE = 16,
    GF_USUAL_DRAWING = 32
};

/* The format streams through a pipe. Otherwise a whole recording or image is buffered first. */
enum gf_streams { GF_STREAMS_IN = 1, GF_STREAMS_OUT = 2, GF_STREAMS_BOTH = 3 };

/*
 * Each format is a constant gf_file_format_NAME; the build generates a registry of them. A member
 * that is left out is not supported. Names and extensions are lowercase, and each belongs to one
 * format only.
 */
struct gf_file_format {
    const char *name;                    /* for --from, --to and messages; also an extension */
    const char *title;                   /* for messages and manuals */
    const char *endings[4];              /* more extensions; NULL ends them */
    unsigned kinds;                      /* bits 1 << KIND of the content of such files; 0: unknown */
    unsigned streams;                    /* bits of enum gf_streams */

    /* ---- reading: `open` is NULL if the format is not read ---- */
    const char *signature[5];            /* first bytes of its files, '*' for any byte; NULL ends the list */
    /*
     * Returns 1 if the content begins like this format, 0
     * if not, or -1. It only peeks. Used with `signature`.
     */
    int (*match)(struct gf_source *s, struct gf_error *err);
    /* Like match(), for weak signatures: called after all others; --from overrides it. */
    int (*resembles)(struct gf_source *s, struct gf_error *err);
    /*
     * Creates r->state for the source, which the caller still owns. ops->next opens the first
     * signal. On failure the reader stays empty.
     */
    int (*open)(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err);
    bool picks;                          /* it supports --channels */
    bool fields;                         /* it supports --interlaced fields */
    /*
     * --untrusted reads it: the reader is our own or a library's that has been fuzzed for years, and
     * tests/fuzz has a target for it
     */
    bool hardened;
    bool appendix;                       /* its files often have other data after the image, so that needs no warning */
    bool counted;                        /* next() passes over images by their headers, so that they can be counted */
    /* Returns true if a regular file surely has only one image. NULL: never. */
    bool (*single)(const struct gf_source *s);
    bool joined;                         /* a file may also contain images of other such formats */

    /* ---- writing: one table for each kind of result ---- */
    const struct gf_writer_ops *image, *audio, *table;
    bool sequence;                       /* a file may have many consecutive images */
    unsigned usual;                      /* bits of enum gf_usual: it is the default for these */
    bool arguments;                      /* its name may have arguments after a colon: raw:type=s16 */
    /* Checks the arguments of --to at the start; NULL: fit() checks them. */
    int (*check_arguments)(const struct gf_writer *w, struct gf_error *err);

    /* ---- a row of the table of formats in the manual; NULL: none ---- */
    struct { const char *formats, *reads, *loses, *refuses; } notes;
};

/* The registry, sorted by name. */
extern const struct gf_file_format *const gf_file_formats[];
extern const int gf_file_format_count;

/*
 * Returns the format with that name or extension,
 * ignoring arguments after a colon; NULL: there is none.
 */
const struct gf_file_format *gf_file_format_find(const char *word);
#define GF_FORMAT_NAME_BYTES 24          /* room for a name or extension */
/* Copies the next name of a list such as "png,jpeg". Returns the rest of the list; NULL after the last name. */
const char *gf_file_format_next(const char *list, char name[GF_FORMAT_NAME_BYTES]);
/* Returns true if a list of names, or a single name, names the format that is called `name`. */
bool gf_file_format_list_has(const char *list, const char *name);
/* Returns the writer for a result; NULL: the format cannot store it. */
const struct gf_writer_ops *gf_file_format_writer(const struct gf_file_format *f, enum gf_kind kind, bool table);
bool gf_file_format_is_written(const struct gf_file_format *f);
/* Returns the default format for a result, a bit of enum gf_usual. */
const struct gf_file_format *gf_file_format_usual(unsigned usual);
/*
 * Lists the titles of the formats that fit: "JPEG, Ogg and
 * WebP". Titles that are lists themselves are left out.
 */
void gf_file_format_titles(bool (*fits)(const struct gf_file_format *f, unsigned bits), unsigned bits, char *text,
                           size_t bytes);

/*
 * Sets up a reader with a cleared state of `state_bytes`,
 * which is freed after ops->close. Each `open` calls it.
 */
int gf_reader_begin(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o,
                    const struct gf_reader_ops *ops, size_t state_bytes, struct gf_error *err) GF_MUST_CHECK;
/*
 * Drops the metadata of the last image. A reader that sets r->same_meta for the frames of an animation calls
 * it before it goes on to the next image of the input.
 */
void gf_reader_drop_meta(struct gf_reader *r);
/* Keeps the first of the `size` bytes after the last image, which begin at `bytes`, for a warning. */
void gf_reader_keep_rest(struct gf_reader *r, const unsigned char *bytes, int64_t size);
/* An ops->release for a state that is a single allocation. */
void gf_writer_free_state(struct gf_writer *w);
/* Fails because the format stores only one image. */
int gf_fail_second_image(const struct gf_writer *w, struct gf_error *err);
/* Fails because the format stores only one recording. */
int gf_fail_second_recording(const struct gf_writer *w, struct gf_error *err);

#endif
