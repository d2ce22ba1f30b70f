/* How a format describes itself, and what the files of formats share. io.h has the contracts of readers and writers. */
#ifndef GF_IO_FORMAT_H
#define GF_IO_FORMAT_H

#include "io/io.h"
#include "io/output.h"
#include "io/source.h"

/* Results whose format neither --to nor the name says; GF_USUAL_FILE: an image whose file has to be renamed. */
enum gf_usual {
    GF_USUAL_AUDIO = 1, GF_USUAL_IMAGE = 2, GF_USUAL_VIDEO = 4, GF_USUAL_FILE = 8, GF_USUAL_TABLE = 16,
    GF_USUAL_DRAWING = 32
};

/* A pipe is read or written piece by piece; without it, all of a recording or an image has to be there first. */
enum gf_streams { GF_STREAMS_IN = 1, GF_STREAMS_OUT = 2, GF_STREAMS_BOTH = 3 };

/*
 * A format is a constant gf_file_format_NAME in one of its files; the build collects them into a registry. What is left
 * out is not offered. Words, that is names and extensions, are in small letters, and no two formats have one in common.
 */
struct gf_file_format {
    const char *name;                    /* of --from and --to, in messages, and as an extension */
    const char *title;                   /* for people */
    const char *endings[4];              /* further words; NULL ends them */
    unsigned kinds;                      /* bits 1 << KIND: what a file of this name holds; 0: the name does not say */
    unsigned streams;                    /* bits of enum gf_streams */

    /* ---- reading: NULL for `open` if it is not read ---- */
    const char *signature[5];            /* the ways in which its files begin, '*' being any byte; NULL ends them … */
    /* … or if that does not suffice: does the content begin like this format? Peeks, takes nothing: 1, 0, -1. */
    int (*match)(struct gf_source *s, struct gf_error *err);
    /* The same if other content could begin so too: asked after all signatures, and overruled by --from. */
    int (*resembles)(struct gf_source *s, struct gf_error *err);
    /*
     * Makes r->state over the source, which stays the caller's. The first signal is fetched by ops->next. On failure
     * nothing is left in the reader.
     */
    int (*open)(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err);
    bool picks;                          /* it heeds --channels */
    bool fields;                         /* its frames may be two fields: it heeds --interlaced fields */
    bool joined;                         /* its images and those of others with this may follow each other */

    /* ---- writing: by what the result is ---- */
    const struct gf_writer_ops *image, *audio, *table;
    bool sequence;                       /* a file of it may be many images, one after another */
    unsigned usual;                      /* bits of enum gf_usual: it is chosen for these */
    bool arguments;                      /* more may follow its name and a colon, as in raw:type=s16 */
    /* Checks those of --to before anything is done; NULL: fit() does. */
    int (*check_arguments)(const struct gf_writer *w, struct gf_error *err);

    /* ---- a row of the manual's "What is read, lost and refused"; NULL: another format's row says it, or nothing ---- */
    struct { const char *formats, *reads, *loses, *refuses; } notes;
};

/* The registry, by name. */
extern const struct gf_file_format *const gf_file_formats[];
extern const int gf_file_format_count;

/* The format that a word names, whatever stands after a colon if it takes arguments; NULL: none. */
const struct gf_file_format *gf_file_format_find(const char *word);
/* What it makes of a result; NULL: it has no place for one. */
const struct gf_writer_ops *gf_file_format_writer(const struct gf_file_format *f, enum gf_kind kind, bool table);
bool gf_file_format_is_written(const struct gf_file_format *f);
/* The one chosen for a result: a bit of enum gf_usual. */
const struct gf_file_format *gf_file_format_usual(unsigned usual);
/* The titles of those that fit, for messages: "JPEG, Ogg and WebP". One whose title lists others is left out. */
void gf_file_format_titles(bool (*fits)(const struct gf_file_format *f, unsigned bits), unsigned bits, char *text, size_t bytes);

/* What `open` does at least: makes a state of so many bytes, cleared. It is freed after ops->close. */
int gf_reader_begin(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, const struct gf_reader_ops *ops,
                    size_t state_bytes, struct gf_error *err) GF_MUST_CHECK;
/* The body of ops->release for a state that is one piece of memory. */
void gf_writer_free_state(struct gf_writer *w);
/* There is no place for a second picture. */
int gf_fail_second_image(const struct gf_writer *w, struct gf_error *err);
/* There is no place for a second recording. */
int gf_fail_second_recording(const struct gf_writer *w, struct gf_error *err);

#endif
