/* Typed options of stages: rows that describe the values, and the one parser that reads them. */
#ifndef GF_CHAIN_OPTION_H
#define GF_CHAIN_OPTION_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum gf_option_type {
    GF_OPTION_INT,           /* int64_t */
    GF_OPTION_NUMBER,        /* double */
    GF_OPTION_DECIBEL,       /* double, as written; `-3` and `-3dB` are the same */
    GF_OPTION_CHOICE,        /* int: index into choices */
    GF_OPTION_EITHER,        /* struct gf_either: a number, or one of the choices */
    GF_OPTION_FLAG,          /* bool: on, off */
    GF_OPTION_COLOUR,        /* struct gf_colour */
    GF_OPTION_GEOMETRY,      /* struct gf_geometry: WxH+X+Y; W and H may be shares like 50%; or a ratio A:B */
    GF_OPTION_SIZE,          /* struct gf_size: WxH, W, xH or 50% */
    /*
     * struct gf_time: seconds, m:s, h:m:s or a count of frames; - counts from the end, + is a
     * length
     */
    GF_OPTION_TIME,
    GF_OPTION_REST,          /* char *: the rest of the text, with its commas; released with the options */
    GF_OPTION_INPUT,         /* char *: the name of a file to read; released with the options */
    GF_OPTION_OUTPUT,        /* char *: the name of a file to write; released with the options */
    GF_OPTION_EXTENT,        /* struct gf_extent: LO,HI, two numbers; only with its name */
    GF_OPTION_MASK           /* struct gf_mask: [a b; c d], one of the row's masks by name, or a text file */
};

struct gf_either {
    int choice;              /* -1: a number */
    double number;
};

struct gf_colour {
    bool given;
    double rgba[4];          /* 0 to 1 */
};

struct gf_geometry {
    int64_t width, height, x, y;
    double width_share, height_share;    /* of the image, instead of a width or height of 0 */
    double ratio;                        /* width / height of the largest rectangle; 0: the sides are given */
};

struct gf_size {
    int64_t width, height;   /* 0: follows from the other side, or from the share */
    double share;            /* factor for both sides; 0: not given */
};

/* A time or a duration. It has a sign only if the row's `least` is below 0. */
struct gf_time {
    bool given;
    char sign;               /* '+', '-' or 0 */
    bool in_frames;
    double count;            /* seconds or frames; not negative */
};

/* A range; low is less than high. */
struct gf_extent {
    bool given;
    double low, high;
};

struct gf_mask {
    int rows, columns;
    double *weights;         /* row by row; released with the options */
    /*
     * sample rate of the audio file that it was read from, with a row per channel; 0: read as
     * numbers
     */
    int32_t rate;
    /* a table of colors: entries along an edge of a cube, red first, or 0 for three curves; its domain */
    int cube;
    double low[3], high[3];
    char *file;              /* the file that it is read from; NULL: none. Released with the options */
    uint64_t device, inode;  /* identify that file once it is read; both 0: it is no regular file */
};

#define GF_COUNTED_BINS 65536

/* A mask with a name: a matrix, divided by a number. */
struct gf_named_mask {
    const char *name, *matrix;
    double divide;
};

/* One option. Options before the first with `key_only` may be given by position. */
struct gf_option {
    const char *name;
    enum gf_option_type type;
    size_t offset;                   /* of the value in the stage's struct */
    /*
     * the default is an index for choices; NAN lets the stage see that no value was given (INT: -1)
     */
    double by_default, least, most;
    const char *const *choices;      /* CHOICE and EITHER, ended by NULL */
    const struct gf_named_mask *masks;   /* MASK, ended by a row without a name; or NULL */
    const char *unit;                /* "Hz", "dB", "pixels", or NULL */
    const char *text;                /* one line of help */
    bool required;
    bool key_only;
    bool sound;                      /* MASK: an audio file may be named, too */
    bool colors;                     /* MASK: a table of colors is named, in rows of red, green and blue */
    /* MASK: an image is named, and counted in GF_COUNTED_BINS: gray, or red, green, blue and luma */
    bool counts;
    bool image;                      /* MASK: a gray image may be named, too */
    /*
     * NUMBER, EITHER: the largest likely value, on the scale of samples (unlikely_values.c); 0:
     * another scale
     */
    double levels;
    double times;                    /* NUMBER that multiplies: the largest likely value; 0: it does not multiply */
    bool squared;                    /* `levels` is a square: 50 of 255 is 0.038 */
    bool factor;                     /* it multiplies, and 1 changes nothing: +20% is refused as a change */
    bool joined;                     /* by position, the next value may follow after x or +: AxB is A,B */
};

/* Rounds to whole frames, without the sign. */
int64_t gf_time_frames(const struct gf_time *t, int32_t rate);
/* Reads a time from 0 on, one of several in the option `name` of the stage `what`. */
int gf_time_read(const char *what, const char *name, const char *text, struct gf_time *t,
                 struct gf_error *err) GF_MUST_CHECK;

#define GF_OPTIONS_MAX 12

struct gf_reader;

/* Finds the reader of an array that a caller has, instead of a file of that name; NULL if there is none. */
struct gf_given {
    struct gf_reader *(*find)(void *context, const char *name);
    void *context;
};

/*
 * Sets `values` (zeroed, of the stage's size) from the text after the stage's colon (NULL: none).
 * `what` is the name of the stage, for messages. It reads no files: of those, values have the names. With `arrays`, the
 * files of masks need not exist, because gf_options_load() may get arrays of their names.
 */
int gf_options_parse(const struct gf_option *rows, const char *what, const char *text, bool arrays,
                     void *values, struct gf_error *err) GF_MUST_CHECK;
/* Reads the masks that are in files, or in given arrays (NULL: all are files). Releases the values if that fails. */
int gf_options_load(const struct gf_option *rows, const char *what, void *values, const struct gf_given *given,
                    struct gf_error *err) GF_MUST_CHECK;
/* Bytes of all masks in the values. */
int64_t gf_options_bytes(const struct gf_option *rows, const void *values);
void gf_options_release(const struct gf_option *rows, void *values);

/* A color of CSS, as 0xrrggbb. */
struct gf_named_colour {
    const char *name;
    unsigned rgb;
};

extern const struct gf_named_colour gf_named_colours[];      /* ends with a row without a name */
/* Reads a name, #rgb, #rrggbb or #rrggbbaa; returns -1 if the word is none of them. */
int gf_option_parse_colour(const char *word, struct gf_colour *value) GF_MUST_CHECK;
/* Returns color c of an image with that many colors: for a gray one, the luma. */
double gf_colour_sample(const struct gf_colour *colour, int colours, int c);

/* Writes which values an option accepts: "1 to 127", "0 or more", "rec601, rec709 or …". */
void gf_option_range(const struct gf_option *row, char *text, size_t bytes);

#endif
