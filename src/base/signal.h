/* The nouns everyone shares: what a signal is, a span of it, a block of it in memory. */
#ifndef GF_BASE_SIGNAL_H
#define GF_BASE_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* The significant bits of integers up to maxval. */
int gf_maxval_bits(uint32_t maxval);

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
/* Reports two formats that differ in nothing. */
bool gf_same_format(const struct gf_format *a, const struct gf_format *b);

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

/* "rows" or "frames", for messages. */
const char *gf_units_word(enum gf_kind kind);

/* The name of a sample type and width as people say it: "u8", "u16", "s24", "f32". */
const char *gf_type_word(const struct gf_format *f);

#ifdef __cplusplus
}
#endif
#endif
