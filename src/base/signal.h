/* Types that all rooms share: a signal, its format, a span of it, a block of it in memory. */
#ifndef GF_BASE_SIGNAL_H
#define GF_BASE_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks short functions that CUDA kernels call too. */
#ifdef __CUDACC__
#define GF_BOTH static __host__ __device__ __forceinline__
#else
#define GF_BOTH static inline __attribute__((always_inline))
#endif

enum gf_kind { GF_IMAGE, GF_AUDIO };

/*
 * Types of packed samples, in the byte order of the
 * machine. 24-bit audio is in the upper bits of S32.
 */
enum gf_type { GF_U8, GF_U16, GF_S16, GF_S32, GF_F32, GF_F64 };

/*
 * Position of chroma with half the columns: between two of
 * luma (plain, jpeg), or on the left one (mpeg2, paldv).
 */
enum gf_siting { GF_SITED_PLAIN, GF_SITED_JPEG, GF_SITED_MPEG2, GF_SITED_PALDV };

/*
 * Storage of an image in planes: one of luma, and two of chroma, which may have fewer columns
 * and rows. Stages still see red, green and blue, or gray. All zero for images in rows of
 * pixels, except the frame rate and the aspect of formats that state them. The struct has no
 * padding, so that formats can be compared by their bytes.
 */
struct gf_yuv {
    int used;
    int mono;                    /* luma only */
    int sub_x, sub_y;            /* chroma has 1 / 2^sub as many columns and rows, rounded up */
    int bits;                    /* 8 to 16 */
    int full;                    /* black is 0 and white 2^bits - 1; else 16 and 235 (at 8 bits) */
    int matrix;                  /* 601 or 709 */
    int siting;                  /* enum gf_siting */
    /* Members that are only copied from input to output; 0: not stated. */
    int rate[2], aspect[2];      /* frames per second, pixel width / height: as fractions */
    int uneven;                  /* the rate is an average: frames differ in duration */
    int interlace;               /* the letter of the Y4M header, as in Ip, It, Ib, Im */
    /* each image is one field of a frame, with every other row; the writer joins two of them */
    int fields;
    char tags[64];               /* further header tags, separated by blanks */
};

/*
 * A reader may decode less than the whole image of width and units: columns from x on and rows from y on,
 * reduced `shrunk` times (1: not reduced). All members are 0 if it decodes the whole image.
 */
struct gf_original {
    int64_t width, units, x, y;
    int shrunk;
};

#define GF_FOUND 4                 /* numbers that a stage finds in an image */
#define GF_UNKNOWN INT64_C(-1)     /* a length that is unknown until the input ends */
#define GF_MAX_CHANNELS 64

/*
 * A signal is a sequence of units: rows of an image, sample frames of audio. A unit is
 * `width` pixels of `channels` samples; the width of audio is 1.
 */
struct gf_format {
    enum gf_kind kind;
    enum gf_type type;
    int bits;            /* significant bits of an integer sample: the upper bits of S16 and S32 */
    uint32_t maxval;     /* integer images: the sample value that means 1.0 */
    int channels;
    bool alpha;          /* images: the last channel is alpha */
    int64_t width;
    int64_t units;       /* rows or frames; GF_UNKNOWN if a pipe does not state it */
    int32_t rate;        /* audio: sample frames per second */
    int orientation;     /* images: EXIF orientation in the file, 2 to 8; 0: upright, as all stages see it */
    struct gf_original original; /* images: what the reader decodes, for the first stage; 0 for later ones */
    struct gf_yuv yuv;   /* images: storage in planes of luma and chroma */
    /*
     * of floats: the bits of the integers that stages made them of, which outputs store as such again; video has
     * yuv.bits, too. 0: they are floats
     */
    int made_of_bits;
    /* images: what the next stage found in it (gf_stage.look); all 0 if it did not look */
    double found[GF_FOUND];
};

/* Units [start, end) of a signal. */
struct gf_span {
    int64_t start, end;
};

/*
 * A span of a signal in the memory of a device. `data` is the first sample of unit
 * span.start. Packed: samples of `type`, channels interleaved. Planar: floats, one plane
 * per channel. Pitch and plane sizes are in samples, not bytes.
 */
struct gf_block {
    void *data;
    struct gf_span span;
    int64_t width;
    int64_t pitch_samples;      /* from a unit to the next */
    int64_t plane_samples;      /* planar: from a channel to the next */
    int channels;
    bool planar;
    enum gf_type type;          /* GF_F32 if planar */
    int bits;
    uint32_t maxval;
};

/* Divides and rounds up. n must not be negative. */
GF_BOTH int64_t gf_ceil_div(int64_t n, int64_t each)
{
    return (n + each - 1) / each;
}

/* Rounds up to a multiple of `grain`. n must not be negative. */
GF_BOTH int64_t gf_round_up(int64_t n, int64_t grain)
{
    return gf_ceil_div(n, grain) * grain;
}

/* Returns the greatest common divisor of two non-negative numbers. */
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

/* Returns the bytes of one packed unit. */
static inline size_t gf_unit_bytes(const struct gf_format *f)
{
    return (size_t)f->width * (size_t)f->channels * gf_type_bytes(f->type);
}

static inline int64_t gf_span_units(struct gf_span s)
{
    return s.end - s.start;
}

/* Returns the bits that integers up to maxval need. */
int gf_maxval_bits(uint32_t maxval);

/* Returns the number of color channels: all except alpha. */
static inline int gf_colours(const struct gf_format *f)
{
    return f->channels - (f->alpha ? 1 : 0);
}

/*
 * Returns the format in which readers and writers exchange units: usually `f` itself. For
 * planes of luma and chroma, each sample is a unit, one plane after another.
 */
struct gf_format gf_stored_format(const struct gf_format *f);
/* Returns true if samples of both are stored the same way; rate, aspect and tags may differ. */
bool gf_same_yuv(const struct gf_yuv *a, const struct gf_yuv *b);
/* Returns true if two formats are equal in every member. */
bool gf_same_format(const struct gf_format *a, const struct gf_format *b);

/* Returns the columns or rows of chroma for `side` of luma. */
static inline int64_t gf_chroma_side(int64_t side, int sub)
{
    return (side + (INT64_C(1) << sub) - 1) >> sub;
}

/* Returns the packed block for `span` of a signal at `data`. */
struct gf_block gf_block_packed(void *data, const struct gf_format *f, struct gf_span span);

/* Returns the planar block with rows padded to `pitch_samples` and `rows` units per plane. */
struct gf_block gf_block_planar(void *data, const struct gf_format *f, struct gf_span span,
                                int64_t pitch_samples, int64_t rows);

/* Returns the part of a block for a `span` inside its own span, in the same memory. */
struct gf_block gf_block_part(const struct gf_block *block, struct gf_span span);

/* Returns "rows" or "frames", for messages. */
const char *gf_units_word(enum gf_kind kind);

/* Returns the name of a sample type and width: "u8", "u16", "s24", "f32". */
const char *gf_type_word(const struct gf_format *f);

#ifdef __cplusplus
}
#endif
#endif
