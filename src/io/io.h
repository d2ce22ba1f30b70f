/* Readers and writers: they move packed samples between signals and files or pipes of any format. */
#ifndef GF_IO_IO_H
#define GF_IO_IO_H

#include "base/error.h"
#include "base/notice.h"
#include "base/signal.h"
#include "io/metadata/change.h"
#include "io/metadata/meta.h"
#include "table/table.h"

/* --channels: the numbers of the selected channels, from 1, in the order of the result. */
struct gf_picked_channels {
    int count;                   /* 0: all */
    int number[4];
};

/* --interlaced: follow the header; treat video as progressive; treat each field as an image. */
enum gf_interlaced { GF_INTERLACED_BY_HEADER, GF_INTERLACED_OFF, GF_INTERLACED_FIELDS };

/*
 * --join: images of another size stay as they are; are scaled into that of the first; get a border up to that size.
 * Audio is joined with a crossfade, or without. --mix: recordings are added.
 */
enum gf_join { GF_JOIN_OFF, GF_JOIN_ON, GF_JOIN_FIT, GF_JOIN_PAD, GF_JOIN_FADE, GF_JOIN_MIX };

/* The crossfade of --join=fade: gains with a constant sum of powers, or of amplitudes. */
struct gf_join_fade {
    double seconds;
    bool linear;
};

struct gf_ledger;

struct gf_read_options {
    const char *from;            /* --from; NULL: detect by content, then by name */
    const char *audio_only;      /* the end of the message that refuses other formats; NULL: read all */
    int64_t max_pixels;          /* refuse larger images before decoding them */
    int64_t max_bytes;           /* refuse inputs that need more memory than this to decode */
    int64_t memory_bytes;        /* memory limit, of which readers use a share; 0: none */
    enum gf_interlaced interlaced;       /* --interlaced */
    bool srgb;                   /* --icc convert: convert colors from the embedded profile to sRGB */
    bool live;                   /* refuse pipes that must be read to their end first */
    int images;                  /* --images: read only so many images of the input; 0: all */
    bool headers;                /* --info: no samples will be read, so that readers need not decode any */
    bool salvage;                /* --salvage: read the remaining part of a truncated input */
    struct gf_picked_channels channels;
    enum gf_join join;           /* --join: a batch reads all of its files as one input */
    struct gf_join_fade fade;    /* with GF_JOIN_FADE */
    char *const *joined;         /* the files whose images follow; they must exist as long as the reader */
    int joined_count;
    struct gf_notices *notices;  /* where warnings go; NULL: nowhere */
    struct gf_ledger *ledger;    /* files that outputs must not replace; NULL: none */
};

struct gf_reader;
struct gf_source;
struct gf_icc;
struct gf_jpeg_codec;
struct gf_tile;
struct gf_watch;

/* The main cost of reading or writing, for --stats and --trace. */
enum gf_labour {
    GF_LABOUR_FILE,              /* waiting for a file or a pipe */
    GF_LABOUR_CODE,              /* decoding, encoding */
    GF_LABOUR_COPY               /* copying a signal in memory */
};

/* The functions of a reader. Each format keeps its data in reader->state. */
struct gf_reader_ops {
    /*
     * Opens the next signal, and fills reader->format and the
     * empty reader->meta. Returns 1, 0 at the end, or -1.
     */
    int (*next)(struct gf_reader *r, struct gf_error *err);
    /*
     * Reads up to `count` whole units, fewer only at the
     * end of the signal. Returns their number, or -1.
     */
    int64_t (*read)(struct gf_reader *r, void *units, int64_t count, struct gf_error *err);
    /* Reads units [start, start + count) on any thread. NULL if the format does not support it. */
    int (*read_at)(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err);
    /*
     * Returns the address of the units from `start` on, contiguous
     * in memory that lanes can use without a copy. NULL: none.
     */
    void *(*in_place)(const struct gf_reader *r, int64_t start);
    /*
     * Decodes the current signal in the memory of a device, if the codec can: then only in_place
     * reads it. Returns 0 or -1; if memory is short, 0 with the message in *err. NULL: the format has
     * no such codecs.
     */
    int (*use_codec)(struct gf_reader *r, struct gf_jpeg_codec *codec, struct gf_error *err);
    /*
     * Changes the current image, of which nothing has been read, to the part of it that gf_chain_narrow() found, or
     * leaves it as it is. NULL: it always does.
     */
    void (*narrow)(struct gf_reader *r, const struct gf_format *part);
    void (*close)(struct gf_reader *r);  /* releases everything that the state refers to; NULL: nothing */
    /*
     * Bytes of the state that read_at needs: a copy of
     * them can read this signal after the reader goes on.
     */
    size_t view_bytes;
    enum gf_labour opening, reading;     /* cost of next; of read and read_at */
    bool converts_inks;                  /* --icc convert uses a profile for CMYK */
    bool warns_of_inks;                  /* the reader itself warns about such a profile */
};

/* A recording that is a part of the one in its file. */
struct gf_reader_part {
    bool cut, timed;             /* it is one; its frames are those of the file from frame `start` on */
    int64_t start;
    bool last;                   /* it goes on to the end of the file */
};

/* The first bytes after the last image. */
struct gf_rest {
    size_t count;                /* 0: there are none, or the position of the source is there */
    unsigned char first[64];
};

struct gf_reader {
    const struct gf_reader_ops *ops;
    struct gf_source *source;    /* bytes of the input; NULL if it is not a file */
    const struct gf_read_options *options;
    struct gf_format format;     /* of the current signal */
    struct gf_meta meta;         /* metadata; after ops->next it is changed to describe the upright image */
    bool same_meta;              /* ops->next keeps `meta`, because the next image is a frame of the same animation */
    int64_t meta_number;         /* another one for each `meta`; 0: unknown */
    const char *name;            /* for messages: the file's name or "standard input", of the current signal */
    const char *title;           /* of the file format of the current signal */
    struct gf_shown shown;       /* of a frame of an animation; set by ops->next */
    bool random;                 /* read_at works on the current signal */
    bool passing;                /* the data of read_at is freed with the signal, so views are impossible */
    struct gf_icc *icc;          /* converts samples to sRGB as they are read; NULL: no conversion */
    struct gf_notices *notices;  /* where warnings go; NULL: nowhere */
    const struct gf_audio_change *changed;       /* audio: what stages before this reader did to it; NULL: nothing */
    bool lossy;                  /* audio: samples of a lossy codec may exceed full scale slightly */
    double bit_rate;             /* of such a codec, per second on average; 0: unknown */
    int64_t images;              /* of an animation, by its headers; 0: it is none, GF_UNKNOWN: not counted */
    struct gf_reader_part part;
    bool ahead;                  /* audio: a thread reads more than was delivered, and warnings may be about that */
    bool assembled;              /* audio: of several files, so that stated levels and lengths are not those of it */
    int64_t estimated_units;     /* of a codec that may deliver a few more or fewer: then format.units is unknown */
    bool salvage;                /* a truncated end is only a warning */
    /* the whole current image, read in advance so that a truncated one can be dropped; or NULL */
    unsigned char *salvaged;
    int64_t salvaged_unit;       /* the next unit to read in order */
    struct gf_watch *watch;      /* io/watch.h: collects properties of the samples; NULL: not needed */
    unsigned watched;            /* bits of enum gf_watched for the current signal */
    unsigned unwatched;          /* those that do not matter: results of stages may be outside of the range */
    struct gf_rest rest;         /* set by ops->next at the end, by readers that use offsets */
    double file_seconds;         /* time of reading the file, if opening read all of it */
    int64_t file_bytes;
    struct gf_reader *around;    /* the reader whose images this one delivers in another way; NULL: none */
    void *state;
};

/* A signal that can still be read after its reader goes on to the next. */
struct gf_view {
    struct gf_reader reader;
    max_align_t state[32];
};

/*
 * Makes a view of the current signal, which only supports
 * gf_reader_read_at(). Returns false if that is impossible.
 */
bool gf_reader_view(const struct gf_reader *r, struct gf_view *v);

/* Returns the formats that --from accepts, ended by NULL. */
const char *const *gf_reader_names(void);
/* Returns bits 1 << KIND for the extension of a file; 0 if it is unknown. `path` may be NULL. */
unsigned gf_reader_kinds(const char *path);
/*
 * Returns 1 if a format that is read matches the content or
 * the name of a file, 0 if not, -1 if the file cannot be read.
 */
int gf_reader_knows(const char *path);
/*
 * Opens an input and its first signal. `path` "-" or NULL is standard input. With options->join, the signals of
 * options->joined follow, and only one file is open at a time; their names stay valid after the reader goes on.
 */
struct gf_reader *gf_reader_open(const char *path, const struct gf_read_options *options,
                                 struct gf_error *err) GF_MUST_CHECK;
int gf_reader_next(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/*
 * Returns how long the current image is shown: as an animation says, or by the frame rate of a video; per_second 0:
 * that is unknown.
 */
struct gf_shown gf_reader_shown(const struct gf_reader *r);
/* Returns the name of the input's format, as for --from. */
const char *gf_reader_format_name(const struct gf_reader *r);
/*
 * Counts the images of the input, without decoding any: *images is GF_UNKNOWN if its headers do not say it. The reader
 * may be at the last image then. Files of most formats have one image.
 */
int gf_reader_count_images(struct gf_reader *r, int64_t *images, struct gf_error *err) GF_MUST_CHECK;
int64_t gf_reader_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err) GF_MUST_CHECK;
/* Reads what is left of the current recording. */
int gf_reader_skip_rest(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/*
 * gf_reader_read() in two steps: fetch in order, then
 * settle (color conversion) on any thread, once per unit.
 */
int64_t gf_reader_fetch(struct gf_reader *r, void *units, int64_t count, struct gf_error *err) GF_MUST_CHECK;
void gf_reader_settle(const struct gf_reader *r, void *units, int64_t count);
int gf_reader_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count,
                      struct gf_error *err) GF_MUST_CHECK;
/*
 * Gets the seconds spent waiting for the file, and the bytes read in order. No other thread may be
 * reading meanwhile.
 */
void gf_reader_cost(const struct gf_reader *r, double *seconds, int64_t *bytes);
/* Returns the bytes read so far, and the size of the input or -1. Not while another thread reads. */
int64_t gf_reader_position(const struct gf_reader *r, int64_t *size);
/* True if the reader goes from file to file (--join). */
bool gf_reader_is_joined(const struct gf_reader *r);
/* Puts the name of a joined file before an error about its image, unless the error begins with it. */
void gf_reader_name_error(const char *name, struct gf_error *err);
/*
 * Leaves the current file of a joined input, of which nothing has been read, to `r`, which can then be read and closed
 * on another thread. Returns the reader that goes on with the next file; NULL if the file may have another image, or
 * memory is short: then `r` goes on.
 */
struct gf_reader *gf_reader_leave(struct gf_reader *r);
/*
 * Lets the reader, which is at the end of its input, deliver other images, by other functions. `state` is allocated,
 * and the reader frees it; `name` must exist as long as the reader. All images have the metadata that is set then.
 */
void gf_reader_replace(struct gf_reader *r, const struct gf_reader_ops *ops, void *state, const struct gf_format *f,
                       const char *name);
/*
 * Returns a reader that delivers the images of `r` in another way, by other functions, and closes `r` at its end.
 * `state` is allocated, and the new reader frees it; on failure the caller keeps both.
 */
struct gf_reader *gf_reader_wrap(struct gf_reader *r, const struct gf_reader_ops *ops, void *state,
                                 const struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/*
 * Returns a reader that delivers what `state` has, which is allocated and which it frees; on failure the caller keeps
 * it. Names and notices are those of `like`.
 */
struct gf_reader *gf_reader_new(const struct gf_reader *like, const struct gf_reader_ops *ops, void *state,
                                const struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* Closes such a reader, but not the one whose images it delivers. */
void gf_reader_unwrap(struct gf_reader *r);
void gf_reader_close(struct gf_reader *r);

struct gf_write_options {
    const char *to;              /* --to; NULL: choose by the name, then by the signal */
    int depth;                   /* --depth: 0 as the input, 1, 2, 4, 8, 16, 24, 32 bits, or -32 for f32 */
    int quality;                 /* --quality; 0: default of the format */
    int compression;             /* --compression; -1: default of the format */
    int subsampling;             /* --subsampling: 444, 422, 420; 0: default of the format */
    bool progressive;            /* --progressive */
    bool keep;                   /* --no-clobber */
    bool no_sync;                /* --no-sync */
    int rate[2];                 /* --rate: frames per second as a fraction; 0: those of the input */
    int threads;                 /* threads that may encode; 0 means 1 */
    int64_t memory_bytes;        /* memory limit, of which writers use a share; 0: none */
    bool live;                   /* refuse formats that write to a pipe only at the end */
    bool numbered;               /* each image has its own file, by {n} */
    bool strip;                  /* --strip: write only samples, no metadata */
    bool keep_profile;           /* --icc keep was given: --strip leaves the profile */
    unsigned strip_parts;        /* --strip=LIST: bits of enum gf_strip to leave out */
    bool drawing;                /* the table is a drawing: PNG is the default */
    struct gf_notices *notices;  /* where warnings go; NULL: nowhere */
    const char *root, *input;    /* see struct gf_output_rules */
    struct gf_ledger *ledger;
};

/*
 * Options that only some formats support. Other writers
 * ignore them, unless their fit() refuses them.
 */
enum gf_heeds {
    GF_HEEDS_DEPTH = 1,
    GF_HEEDS_QUALITY = 2,
    GF_HEEDS_COMPRESSION = 4,
    GF_HEEDS_SUBSAMPLING = 8,
    GF_HEEDS_PROGRESSIVE = 16
};

/*
 * Formats from which users expect only samples, so that lost
 * metadata needs no warning: always, or on standard output.
 */
enum gf_bare { GF_BARE_NEVER, GF_BARE_PIPED, GF_BARE_ALWAYS };

struct gf_writer;

struct gf_writer_ops {
    const char *name;
    enum gf_kind kind;
    bool profile;                        /* it stores an ICC profile */
    bool colour_chunks;                  /* it stores the color chunks of PNG */
    enum gf_bare bare;
    bool riff;                           /* it stores chunks of a WAV, and loudspeaker positions */
    /* video: it stores YUV, frame rate and fields unchanged; other formats get pixels */
    bool yuv;
    bool screen;                         /* it only shows an image, so lost metadata needs no warning */
    bool linear;                         /* a file is a header and the samples, so its size is known at the start */
    bool pixel_shape;                    /* it stores the aspect of pixels that are not square */
    bool animation;                      /* it stores several images with durations as the frames of an animation */
    bool divided;                        /* it writes to other writers, and has no file of its own */
    size_t exif_bytes, xmp_bytes, iptc_bytes;    /* longest block that it stores; 0: none */
    bool (*keeps_text)(const struct gf_text *t);     /* returns true if it stores this text; NULL: it stores none */
    /* audio: most bytes of all tags together, 0: it stores none; and the keys that it lacks, between spaces */
    size_t tag_bytes;
    const char *tags_lacking;
    /* bits of enum gf_heeds: options that it uses or refuses; others cause a warning */
    unsigned heeds;
    /*
     * Changes f from the format of the result to what this format stores: type, bits, maxval;
     * no alpha if it has none; three channels if it has no gray.
     */
    int (*fit)(struct gf_writer *w, struct gf_format *f, struct gf_error *err);
    /* audio that it buffers before writing to a pipe: so many frames and seconds; seconds of -1: unknown */
    int gathers_frames;
    double gathers_seconds;
    int (*begin)(struct gf_writer *w, struct gf_error *err);     /* called with w->format set */
    int (*write)(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err);
    /* Writes units [start, start + count) on any thread. NULL if the format does not support it. */
    int (*write_at)(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err);
    /* Returns the address to which lanes write the units from `start` on directly. NULL: none. */
    void *(*in_place)(struct gf_writer *w, int64_t start);
    bool codec;                          /* it uses w->codec if that is set */
    int (*end)(struct gf_writer *w, struct gf_error *err);       /* ends the current signal; NULL: nothing to do */
    int (*finish)(struct gf_writer *w, struct gf_error *err);    /* ends the file after all signals; NULL: nothing */
    /* Writes a table, or the next one of several images (t->frame), which is written before the image after it. */
    int (*table)(struct gf_writer *w, const struct gf_table *t, struct gf_error *err);
    /* Writes the tables of several inputs as one. NULL: it stores only one table. */
    int (*tables)(struct gf_writer *w, const struct gf_tables *tables, struct gf_error *err);
    void (*release)(struct gf_writer *w);
    /*
     * Bytes of the state that write_at needs: a copy of
     * them can write this signal after the writer goes on.
     */
    size_t part_bytes;
    enum gf_labour writing, ending;      /* cost of write and write_at; of begin and end */
};

struct gf_output;                /* the file that a writer writes to: output.h */

struct gf_writer {
    const struct gf_writer_ops *ops;
    struct gf_write_options options;
    struct gf_format format;     /* of the signal being written */
    const struct gf_meta *meta;  /* metadata to store, set before begin; NULL: none */
    /* of a divided writer: makes the metadata of a tile; set before begin, NULL: `meta` is that of all tiles */
    int (*describe)(const void *described, const struct gf_tile *tile, struct gf_meta *meta, struct gf_error *err);
    const void *described;
    struct gf_output *out;
    const char *name;            /* for messages: the file's name or "standard output" */
    const char *input;           /* the file that the signal comes from; set before begin; NULL: unknown */
    const char *redirected;      /* the file that standard output is, if its extension is misleading; else NULL */
    const char *redirected_title; /* of the format that is written to it */
    struct gf_audio_change change;   /* of audio, from the input; set before begin */
    struct gf_jpeg_codec *codec; /* encodes in the memory of a device; set before begin; NULL: none */
    struct gf_speaker_layout layout; /* of the input; set by begin */
    struct gf_packing packing;   /* of the input; set by begin */
    struct gf_shown shown;       /* likewise */
    bool random;                 /* write_at works on the current signal */
    double bit_rate;             /* of a lossy codec of audio, per second on average; set by end; 0: unknown */
    bool standard;               /* the output is standard output */
    bool on_terminal;            /* the output is a terminal */
    void *state;
};

/* A signal that can still be written after its writer goes on to the next. */
struct gf_part {
    struct gf_writer writer;
    max_align_t state[32];
};

/*
 * Makes a part for the current signal, which only supports
 * gf_writer_write_at(). Returns false if that is impossible.
 */
bool gf_writer_part(const struct gf_writer *w, struct gf_part *p);

/*
 * Opens an output; the file is created by gf_writer_create(), _begin() or _table(). If options
 * and name do not determine the format, it depends on `f`: PGM, PPM, PAM or WAV.
 */
struct gf_writer *gf_writer_open(const char *path, const struct gf_write_options *options,
                                 const struct gf_format *f, bool table, struct gf_error *err) GF_MUST_CHECK;
/* Returns true if an output or format means an image on the terminal: "term:". NULL is fine. */
bool gf_writer_is_terminal(const char *word);
/* Fails if the extension of a file to be written is of no known format. Without one, the signal chooses the format. */
int gf_writer_check_name(const char *path, struct gf_error *err) GF_MUST_CHECK;
/* Fails if several images shall go to a file of a video format, which FFmpeg writes. */
int gf_writer_check_frames(const char *path, struct gf_error *err) GF_MUST_CHECK;
/* Returns the formats that --to accepts, ended by NULL. */
const char *const *gf_writer_names(void);
/*
 * Lists the formats whose writers have one of these
 * bits of enum gf_heeds: "JPEG, Ogg Vorbis and WebP".
 */
void gf_writer_titles(unsigned heeds, char *text, size_t bytes);
/* Returns the extension for a result that the format of its own extension cannot store. */
const char *gf_writer_usual_extension(enum gf_kind kind, bool table);
/* Returns true if a word names a format whose files may have many consecutive images, also as an animation. */
bool gf_writer_is_sequence(const char *word);
/* Returns true if the extension of a name is that of a format for such a result. */
bool gf_writer_takes(const char *path, enum gf_kind kind, bool table);
/* Changes f to what gf_writer_begin() would store, by --depth and the limits of the format. */
int gf_writer_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* Returns the seconds that the output format adds to --latency; -1: unknown. */
double gf_writer_gathers(const struct gf_writer *w, const struct gf_format *fitted);
/*
 * Reserves space for the whole output, if its size is known before it is written. Call it if the input
 * is complete, and something else has to be waited for. gf_writer_begin() reserves space, too, but only
 * little beyond the data, because the header of a pipe may promise anything.
 */
void gf_writer_reserve(struct gf_writer *w, const struct gf_format *fitted);
int gf_writer_begin(struct gf_writer *w, const struct gf_format *fitted, struct gf_error *err) GF_MUST_CHECK;
int gf_writer_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err) GF_MUST_CHECK;
int gf_writer_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count,
                       struct gf_error *err) GF_MUST_CHECK;
int gf_writer_end(struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;
/* Creates the file before its content is known, so that a name that cannot be written fails early. */
int gf_writer_create(struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;
int gf_writer_table(struct gf_writer *w, const struct gf_table *t, struct gf_error *err) GF_MUST_CHECK;
/* Writes tables of several inputs as one. ops->tables must not be NULL. */
int gf_writer_tables(struct gf_writer *w, const struct gf_tables *tables, struct gf_error *err) GF_MUST_CHECK;
/* Flushes and closes the output, checks for errors, and gives a file its final name. */
int gf_writer_commit(struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;
/* Releases everything. An output that was not committed leaves no trace. NULL is fine. */
void gf_writer_close(struct gf_writer *w);

#endif
