/* The nouns everyone shares: what a signal is, a span of it, a block of it in memory, and an error. */
#ifndef GF_GPUFILTER_H
#define GF_GPUFILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_MUST_CHECK __attribute__((warn_unused_result))
#define GF_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* A short function that kernels call too. */
#ifdef __CUDACC__
#define GF_BOTH static __host__ __device__ __forceinline__
#else
#define GF_BOTH static inline
#endif

enum gf_kind { GF_IMAGE, GF_AUDIO };

/* How one packed sample is stored, in the machine's byte order. 24-bit audio lives in the upper bits of S32. */
enum gf_type { GF_U8, GF_U16, GF_S16, GF_S32, GF_F32, GF_F64 };

/* Where chroma of half the columns lies: between two of luma (plain, jpeg), or on the left one of them (mpeg2, paldv). */
enum gf_siting { GF_SITED_PLAIN, GF_SITED_JPEG, GF_SITED_MPEG2, GF_SITED_PALDV };

/*
 * How a picture of one or three channels is stored where it is not in rows of pixels: a
 * plane of luma and two of chroma, with fewer columns and rows. Stages see red, green and
 * blue (or gray) all the same. All zero where it is not so; without gaps, so that formats
 * compare by their bytes. Frames of other formats tell their rate, where they know it.
 */
struct gf_yuv {
    int used;
    int mono;                    /* luma only */
    int sub_x, sub_y;            /* chroma has 1 / 2^sub as many columns, rows; at the end, a part counts as one */
    int bits;                    /* 8 to 16 */
    int full;                    /* black is 0 and white 2^bits - 1; else 16 and 235 (of 8 bits) */
    int matrix;                  /* 601 or 709 */
    int siting;                  /* enum gf_siting */
    /* What only travels from file to file; 0: not said. */
    int rate[2], aspect[2];      /* pictures a second, width of a pixel to its height: as quotients */
    int uneven;                  /* the rate is a mean: single images stay for other times */
    int interlace;               /* the letter that tells it */
    int fields;                  /* each image is one field of a frame, every other row of it; a writer joins two of them */
    char tags[64];               /* others, with blanks between them */
};

#define GF_UNKNOWN INT64_C(-1)     /* a length that only the end of the input will tell */
#define GF_MAX_CHANNELS 64

/*
 * A signal is a run of units: rows of an image, frames of a recording. A unit is
 * `width` pixels of `channels` samples; the width of audio is 1.
 */
struct gf_format {
    enum gf_kind kind;
    enum gf_type type;
    int bits;            /* significant bits of an integer sample, at the top of S16 and S32 */
    uint32_t maxval;     /* images of integers: the sample that means 1.0 */
    int channels;
    bool alpha;          /* images: the last channel is alpha */
    int64_t width;
    int64_t units;       /* rows or frames; GF_UNKNOWN on a pipe that does not say */
    int32_t rate;        /* audio: frames a second */
    int orientation;     /* images as they lie in a file, 2 to 8 as EXIF counts; 0: upright, as all of them are to stages */
    struct gf_yuv yuv;   /* images: stored in planes of luma and chroma */
};

/* Units [start, end) of a signal. */
struct gf_span {
    int64_t start, end;
};

/*
 * A span of a signal somewhere in a device's memory. `data` is the first sample of
 * unit span.start. Packed: samples of `type`, channels interleaved; planar: float,
 * one plane a channel. Pitch and plane count samples, not bytes.
 */
struct gf_block {
    void *data;
    struct gf_span span;
    int64_t width;
    int64_t pitch_samples;      /* from a unit to the next */
    int64_t plane_samples;      /* planar: from a channel to the next */
    int channels;
    bool planar;
    enum gf_type type;          /* GF_F32 where planar */
    int bits;
    uint32_t maxval;
};

#define GF_FAILED 1             /* exit status: something failed while running */
#define GF_MISUSED 2            /* exit status: the words are wrong */

/* One line for people, and the exit status it stands for. */
struct gf_error {
    int status;
    bool cut;               /* the input ends too early */
    bool damaged;           /* the input is damaged; what was read before is sound */
    bool room;              /* it is memory that there is too little of by --memory, or by a share of it */
    char text[1000];
};

/* Writes the line, keeps `status`, and returns -1 so that callers can return it. */
int gf_fail(struct gf_error *err, int status, const char *format, ...) GF_PRINTF(3, 4);
/* gf_fail() for an input that ends too early: --salvage may go on without what is missing. */
int gf_fail_cut(struct gf_error *err, const char *format, ...) GF_PRINTF(2, 3);
/* gf_fail() for damage after which a reader may end with what it has. */
int gf_fail_damaged(struct gf_error *err, const char *format, ...) GF_PRINTF(2, 3);
/* Forgets an error that the caller got over. */
void gf_forget_error(struct gf_error *err);
/* Puts where it is wrong before the line, "FILE:LINE", and behind it what called that; `from` may be NULL. */
void gf_error_place(struct gf_error *err, const char *place, const char *from);

/* Closes what was written to; -1 where any of it was lost, now or before. */
int gf_close_written(FILE *to) GF_MUST_CHECK;

/*
 * A folder that the user keeps things in, by the XDG Base Directory Specification: what `variable` says if that is an
 * absolute path, else `at_home` in the home folder; false where there is neither.
 */
bool gf_user_folder(const char *variable, const char *at_home, char *folder, size_t room);

/*
 * What the end of a chain leaves as numbers. Either counts[channel · bins + bin], or
 * `fields` named values a channel at values[channel · fields + field], or how it goes on with
 * time: `columns` one after another, `cells` values of each channel in one, at
 * course[(column · channels + channel) · cells + cell]. Or how fast something is done: the channels
 * are ways of doing it, to each of `sizes` numbers of samples, with named values at
 * values[(channel · sizes + size) · fields + field], NaN where there is none.
 */
struct gf_table {
    const char *source;          /* the name of what it is of; NULL: not said */
    const char *beside;          /* of what it was compared with; NULL: with nothing */
    const char *unmet;           /* a line where what was found is not what was asked for: the run fails once the table is written; NULL */
    int channels;
    const char *const *channel_names;
    bool total;                  /* the last of them stands for all the others together */
    int64_t bins;                /* 0 where there are fields */
    double low, high;            /* the range of the bins */
    int64_t samples;             /* counted, a channel */
    const uint64_t *counts;
    int fields;
    const char *const *field_names;
    const double *values;
    int64_t columns;             /* 0 where there are bins or fields */
    int cells;
    const float *course;
    int window;                  /* frames that a spectrum is made of: cells are dB of full scale, from 0 Hz to `high`; */
    double floor_db, top_db;     /* black and what is below, white and what is above. Or 0: cells are those of gf_table_levels in io/table.h */
    bool by_octaves;             /* drawn so that these are equally high; else as many Hz are */
    double seconds;              /* of all columns */
    int draw_width, draw_height; /* of a drawing of columns, pixels; 0: as it comes */
    bool bare;                   /* without axes and words */
    int sizes;                   /* 0 unless it is about speed */
    const int64_t *size_samples;
    int drawn;                   /* the field that a drawing shows */
    const char *const *notes;    /* lines for people, ended by NULL */
};

/* n / each, the part that is left counted as one; and n, up to a multiple of `grain`. Neither takes n below 0. */
GF_BOTH int64_t gf_ceil_div(int64_t n, int64_t each)
{
    return (n + each - 1) / each;
}

GF_BOTH int64_t gf_round_up(int64_t n, int64_t grain)
{
    return gf_ceil_div(n, grain) * grain;
}

/* The greatest common divisor of two numbers that are not negative. */
static inline int64_t gf_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static inline size_t gf_type_bytes(enum gf_type type)
{
    static const unsigned char bytes[] = { 1, 2, 2, 4, 4, 8 };
    return bytes[type];
}

static inline bool gf_type_is_float(enum gf_type type)
{
    return type == GF_F32 || type == GF_F64;
}

/* Bytes of one packed unit. */
static inline size_t gf_unit_bytes(const struct gf_format *f)
{
    return (size_t)f->width * (size_t)f->channels * gf_type_bytes(f->type);
}

static inline int64_t gf_span_units(struct gf_span s)
{
    return s.end - s.start;
}

/* Colour channels: all but alpha. */
static inline int gf_colours(const struct gf_format *f)
{
    return f->channels - (f->alpha ? 1 : 0);
}

/*
 * What readers give and writers take, unit by unit: the signal itself, or, where it is
 * stored as luma and chroma, the samples of its planes one after another, as units of one.
 */
struct gf_format gf_stored_format(const struct gf_format *f);
/* Whether both are stored alike, sample by sample. */
bool gf_same_yuv(const struct gf_yuv *a, const struct gf_yuv *b);

/* Columns or rows of chroma. */
static inline int64_t gf_chroma_side(int64_t side, int sub)
{
    return (side + (INT64_C(1) << sub) - 1) >> sub;
}

/* The packed block that holds `span` of a signal at `data`. */
struct gf_block gf_block_packed(void *data, const struct gf_format *f, struct gf_span span);

/* The planar block with rows padded to `pitch_samples` and room for `rows` units a plane. */
struct gf_block gf_block_planar(void *data, const struct gf_format *f, struct gf_span span,
                                int64_t pitch_samples, int64_t rows);

/* The same memory, seen as the narrower `span` that lies inside the block's own. */
struct gf_block gf_block_part(const struct gf_block *block, struct gf_span span);

/* "16.0 MB"; `text` has room for 40 characters. */
void gf_bytes_text(int64_t bytes, char *text);

/* The nearest of `names` (ended by NULL) if it is near enough to be meant, else NULL. */
const char *gf_nearest_word(const char *word, const char *const *names);

/* "rows" or "frames", for messages. */
const char *gf_units_word(enum gf_kind kind);

/* The name of a sample type and width as people say it: "u8", "u16", "s24", "f32". */
const char *gf_type_word(const struct gf_format *f);

#ifdef __cplusplus
}
#endif
#endif
