/* Readers and writers: packed samples in and out of files and pipes, one file a format. */
#ifndef GF_IO_IO_H
#define GF_IO_IO_H

#include "base/error.h"
#include "base/notice.h"
#include "base/signal.h"
#include "io/metadata/meta.h"
#include "table/table.h"

/* --channels: the numbers of the channels that are read, from 1, in their order. */
struct gf_picked_channels {
    int count;                   /* 0: all */
    int number[4];
};

/* Readings of interlaced video: by its header; as progressive, whatever the header says; each field as an image of its own. */
enum gf_interlaced { GF_INTERLACED_BY_HEADER, GF_INTERLACED_OFF, GF_INTERLACED_FIELDS };

struct gf_ledger;

struct gf_read_options {
    const char *from;            /* --from, or NULL: told by content, then by name */
    int64_t max_pixels;          /* refuse larger images before decoding them */
    int64_t max_bytes;           /* refuse inputs that need more memory than this to decode */
    int64_t memory_bytes;        /* ceiling of the work's memory, of which readers take shares; 0: none */
    enum gf_interlaced interlaced;       /* --interlaced */
    bool srgb;                   /* --icc convert: colours of an embedded profile become sRGB */
    bool live;                   /* refuse pipes that would have to be read to their end first */
    bool salvage;                /* --salvage: take what is there of an input that is cut */
    struct gf_picked_channels channels;
    struct gf_notices *notices;  /* where warnings go; NULL: nowhere */
    struct gf_ledger *ledger;    /* of the files that no output may replace; NULL: none */
};

struct gf_reader;
struct gf_source;
struct gf_icc;
struct gf_watch;

/* What reading or writing mostly is, for those who look at the clock. */
enum gf_labour {
    GF_LABOUR_FILE,              /* waiting for a file or a pipe */
    GF_LABOUR_CODE,              /* decoding, encoding */
    GF_LABOUR_COPY               /* to and from a signal in memory */
};

/* What a format knows how to do. Functions take the reader, whose `state` is their own. */
struct gf_reader_ops {
    /* Goes to the next signal of the input and fills reader->format and ->meta, which is empty: 1, 0 at the end, -1. */
    int (*next)(struct gf_reader *r, struct gf_error *err);
    /* Reads up to `count` whole units; fewer only where the signal ends; -1. */
    int64_t (*read)(struct gf_reader *r, void *units, int64_t count, struct gf_error *err);
    /* Reads units [start, start + count), from any thread; NULL where the format can't. */
    int (*read_at)(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err);
    /* Where the units from `start` on lie in a device's room, all one behind another, and may be used; NULL: nowhere. */
    void *(*in_place)(const struct gf_reader *r, int64_t start);
    void (*close)(struct gf_reader *r);  /* releases everything that the state refers to; NULL: nothing */
    /* Bytes of the state that read_at needs: a copy of them reads the signal at hand while the reader goes on. */
    size_t view_bytes;
    enum gf_labour opening, reading;     /* next; read and read_at */
    bool converts_inks;                  /* --icc convert uses a profile for CMYK */
    bool warns_of_inks;                  /* the reader itself warns about such a profile */
};

struct gf_reader {
    const struct gf_reader_ops *ops;
    struct gf_source *source;    /* bytes of the input; NULL if it is not a file */
    const struct gf_read_options *options;
    struct gf_format format;     /* of the signal at hand */
    struct gf_meta meta;         /* beside its samples; as the file says it in ops->next, and upright from then on */
    const char *name;            /* for messages: the file's name or "standard input" */
    bool random;                 /* read_at works on the signal at hand */
    bool passing;                /* and on no other: what it reads from goes with the signal, so there are no views */
    struct gf_icc *icc;          /* what turns its samples into sRGB as they are read; NULL: they are as the file has them */
    struct gf_notices *notices;  /* where warnings go; NULL: nowhere */
    bool lossy;                  /* audio: a lossy codec made the samples, which may pass full scale a little */
    bool salvage;                /* a cut end is a warning */
    unsigned char *salvaged;     /* the image at hand, whole, as a cut one is to be dropped before it is passed on; NULL */
    int64_t salvaged_unit;       /* the next one read in order */
    struct gf_watch *watch;      /* io/watch.h: collects what its samples are like; NULL: nobody asks */
    unsigned watched;            /* what to look for in the signal at hand */
    double file_seconds;         /* of opening: waiting for the file, where it was read whole */
    int64_t file_bytes;
    void *state;
};

/* A signal that can still be read once its reader has gone on to the next. */
struct gf_view {
    struct gf_reader reader;
    max_align_t state[32];
};

/* Whether the signal at hand can be read apart from the others; then `v` does so, with gf_reader_read_at() alone. */
bool gf_reader_view(const struct gf_reader *r, struct gf_view *v);

/* The words that --from takes, ended by NULL. */
const char *const *gf_reader_names(void);
/* The bits 1 << KIND of what a file is by its name's ending; 0 where that tells nothing. `path` may be NULL. */
unsigned gf_reader_kinds(const char *path);
/* Whether a file is of a format that is read, by its content or its name: 1, 0; -1 where it can't be looked at. */
int gf_reader_knows(const char *path);
/* path "-" or NULL is standard input. The first signal is at hand on return. */
struct gf_reader *gf_reader_open(const char *path, const struct gf_read_options *options,
                                 struct gf_error *err) GF_MUST_CHECK;
int gf_reader_next(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
int64_t gf_reader_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err) GF_MUST_CHECK;
/* The same in two steps: what has to be done in order, and what many threads can do at once, to each unit once. */
int64_t gf_reader_fetch(struct gf_reader *r, void *units, int64_t count, struct gf_error *err) GF_MUST_CHECK;
void gf_reader_settle(const struct gf_reader *r, void *units, int64_t count);
int gf_reader_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count,
                      struct gf_error *err) GF_MUST_CHECK;
/* What reading in order has taken so far: seconds of waiting for the file, and bytes of it. Not while another thread reads. */
void gf_reader_cost(const struct gf_reader *r, double *seconds, int64_t *bytes);
/* How far into its input it is: bytes taken, and how many there are or -1. Not while another thread reads. */
int64_t gf_reader_position(const struct gf_reader *r, int64_t *size);
void gf_reader_close(struct gf_reader *r);

struct gf_write_options {
    const char *to;              /* --to, or NULL: told by the name, then by the signal */
    int depth;                   /* --depth: 0 as the input, 1, 2, 4, 8, 16, 24, 32 bits, or -32 for f32 */
    int quality;                 /* --quality: 0 is the format's own */
    int compression;             /* --compression: -1 is the format's own */
    int subsampling;             /* --subsampling: 444, 422, 420; 0 is the format's own */
    bool progressive;            /* --progressive */
    bool keep;                   /* --no-clobber */
    int rate[2];                 /* --rate: pictures a second, as a quotient; 0: those of the input */
    int threads;                 /* that may encode at once; 0 is one */
    int64_t memory_bytes;        /* ceiling of the work's memory, of which writers take shares; 0: none */
    bool live;                   /* refuse formats that a pipe gets only at the end */
    bool numbered;               /* each image has its own file, by {n} */
    bool strip;                  /* --strip: nothing but samples */
    bool drawing;                /* a table that is meant to be looked at: PNG where nothing tells */
    struct gf_notices *notices;  /* where warnings go; NULL: nowhere */
    const char *root, *input;    /* as struct gf_output_rules has them */
    struct gf_ledger *ledger;
};

/* The options that not every format has. A writer that lacks one ignores it, unless its fit() refuses it. */
enum gf_heeds {
    GF_HEEDS_DEPTH = 1, GF_HEEDS_QUALITY = 2, GF_HEEDS_COMPRESSION = 4, GF_HEEDS_SUBSAMPLING = 8, GF_HEEDS_PROGRESSIVE = 16
};

/* Whether samples are all that users expect of a format, so that lost metadata needs no warning: always, or on standard output. */
enum gf_bare { GF_BARE_NEVER, GF_BARE_PIPED, GF_BARE_ALWAYS };

struct gf_writer;

struct gf_writer_ops {
    const char *name;
    enum gf_kind kind;
    bool profile;                        /* it has a place for one */
    bool no_gray;                        /* gray is written as RGB, so that a profile for gray is lost */
    bool colour_chunks;                  /* it has places for those of a PNG */
    enum gf_bare bare;
    bool riff;                           /* it keeps chunks of a WAV, and says which loudspeakers the channels are for */
    bool yuv;                            /* video: it stores YUV, frame rate and fields unchanged; others get pixels */
    bool screen;                         /* it only shows an image, so nothing is lost */
    bool pixel_shape;                    /* and for the shape of pixels that are not square */
    size_t exif_bytes, xmp_bytes, iptc_bytes;    /* the longest block that it has a place for; 0: it has none */
    bool (*keeps_text)(const struct gf_text *t);     /* whether it has a place for this one; NULL: for none */
    bool (*loses_tag)(const struct gf_writer *w, const struct gf_meta *m, const char *key);      /* it has no place or no room for it; NULL: it keeps all */
    unsigned heeds;                      /* bits of enum gf_heeds: options that it uses or refuses; others are warned about */
    /*
     * Turns what arrives into what this format stores: type, bits, maxval; without alpha where
     * it has none, gray in three channels where it has no gray.
     */
    int (*fit)(struct gf_writer *w, struct gf_format *f, struct gf_error *err);
    /* Seconds of such sound that it gathers before it hands them out; -1: nobody knows. NULL: none. */
    double (*gathers)(const struct gf_writer *w, const struct gf_format *stored);
    int (*begin)(struct gf_writer *w, struct gf_error *err);     /* w->format is set */
    int (*write)(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err);
    /* Units [start, start + count), from any thread; NULL where the format can't. */
    int (*write_at)(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err);
    /* Where in a device's room the units from `start` on are wanted, whoever puts them there; NULL: nowhere. */
    void *(*in_place)(struct gf_writer *w, int64_t start);
    int (*end)(struct gf_writer *w, struct gf_error *err);       /* this signal is whole */
    int (*table)(struct gf_writer *w, const struct gf_table *t, struct gf_error *err);
    int (*tables)(struct gf_writer *w, const struct gf_tables *tables, struct gf_error *err);    /* as one; NULL: it holds no more than one */
    void (*release)(struct gf_writer *w);
    /* Bytes of the state that write_at needs: a copy of them writes the signal at hand while the writer goes on. */
    size_t part_bytes;
    enum gf_labour writing, ending;      /* write and write_at; begin and end */
};

/* The part of the input that is the same in the output: data about times or samples stays true with it. */
enum gf_same { GF_SAME_NOTHING, GF_SAME_TIMES, GF_SAME_SAMPLES };

struct gf_output;                /* the file behind a writer: output.h */

struct gf_writer {
    const struct gf_writer_ops *ops;
    struct gf_write_options options;
    struct gf_format format;     /* of the signal being written */
    const struct gf_meta *meta;  /* what goes with it as far as the format can: set before begin; NULL: nothing */
    struct gf_output *out;
    const char *name;            /* for messages: the file's name or "standard output" */
    const char *guessed;         /* what it becomes where its name has an ending that tells of no format; else NULL */
    const char *redirected;      /* standard output's name, where that is the one; else NULL */
    enum gf_same same;           /* as the input: set before begin */
    struct gf_speaker_layout layout; /* of the input; since begin */
    bool random;                 /* write_at works on the signal being written */
    bool standard;               /* what is written goes to standard output */
    bool on_terminal;            /* what is written goes to one */
    void *state;
};

/* A signal that can still be written once its writer has gone on to the next. */
struct gf_part {
    struct gf_writer writer;
    max_align_t state[32];
};

/* Whether the signal that has been begun can be written apart from the others; then `p` does so, with gf_writer_write_at() alone. */
bool gf_writer_part(const struct gf_writer *w, struct gf_part *p);

/*
 * Nothing is created before gf_writer_begin() or gf_writer_table(). The kind of writer
 * depends on `f` where options and name do not tell: PGM, PPM or PAM, WAV.
 */
struct gf_writer *gf_writer_open(const char *path, const struct gf_write_options *options,
                                 const struct gf_format *f, bool table, struct gf_error *err) GF_MUST_CHECK;
/* Whether a word, the name of an output or a format, asks for a picture on a terminal: "term:". NULL is fine. */
bool gf_writer_is_terminal(const char *word);
/* The words that --to takes, ended by NULL. */
const char *const *gf_writer_names(void);
/* Lists the formats whose writers have one of these bits of enum gf_heeds: "JPEG, Ogg Vorbis and WebP". */
void gf_writer_titles(unsigned heeds, char *text, size_t bytes);
/* Returns the extension for a result that the format of its own extension cannot store. */
const char *gf_writer_usual_extension(enum gf_kind kind, bool table);
/* Returns true if a word names a format whose files may have many consecutive images. */
bool gf_writer_is_sequence(const char *word);
/* Whether a name's ending is that of a format for such a result. */
bool gf_writer_takes(const char *path, enum gf_kind kind, bool table);
/* What gf_writer_begin() would store if given f: --depth and the format's own limits applied. */
int gf_writer_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* Seconds that --latency has to reckon with behind the last stage; -1: nobody knows. */
double gf_writer_gathers(const struct gf_writer *w, const struct gf_format *fitted);
int gf_writer_begin(struct gf_writer *w, const struct gf_format *fitted, struct gf_error *err) GF_MUST_CHECK;
int gf_writer_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err) GF_MUST_CHECK;
int gf_writer_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count,
                       struct gf_error *err) GF_MUST_CHECK;
int gf_writer_end(struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;
int gf_writer_table(struct gf_writer *w, const struct gf_table *t, struct gf_error *err) GF_MUST_CHECK;
/* Those of several inputs as one, where ops->tables is there. */
int gf_writer_tables(struct gf_writer *w, const struct gf_tables *tables, struct gf_error *err) GF_MUST_CHECK;
/* Flushes, checks, closes and puts a regular file in its place. */
int gf_writer_commit(struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;
/* Releases everything; what was not committed leaves no trace. NULL is fine. */
void gf_writer_close(struct gf_writer *w);

#endif
