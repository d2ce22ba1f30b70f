/* Typed options: rows that say what a word may be, and the one parser that reads them. */
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
    GF_OPTION_GEOMETRY,      /* struct gf_geometry: WxH+X+Y; W and H may be shares like 50% */
    GF_OPTION_SIZE,          /* struct gf_size: WxH, W, xH or 50% */
    /* struct gf_time: seconds, m:s, h:m:s or a count of frames; below 0 from the end, +… a length */
    GF_OPTION_TIME,
    GF_OPTION_REST,          /* char *: all that is left of the text, commas too; released with the options */
    GF_OPTION_INPUT,         /* char *: the name of a file to read; released with the options */
    GF_OPTION_OUTPUT,        /* char *: the name of a file to write; released with the options */
    GF_OPTION_EXTENT,        /* struct gf_extent: LO,HI, two numbers with a comma between; always by its name */
    GF_OPTION_MASK           /* struct gf_mask: [a b; c d], one of the row's masks, or the name of a text file of one */
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
};

struct gf_size {
    int64_t width, height;   /* 0: follows from the other one, or from the share */
    double share;            /* of both sides; 0: not given */
};

/* A time or a length in time; signs only where the row's least is below 0. */
struct gf_time {
    bool given;
    char sign;               /* '+', '-' or 0 */
    bool in_frames;
    double count;            /* of seconds, or of frames; not below 0 */
};

/* From low to high, which is above it. */
struct gf_extent {
    bool given;
    double low, high;
};

struct gf_mask {
    int rows, columns;
    double *weights;         /* by rows; released with the options */
    int32_t rate;            /* of the recording that it was read from, a row a channel; 0: of numbers */
    bool from_file;          /* and the identity of the file: */
    uint64_t device, inode;
};

/* A mask that has a name: what it stands for, divided. */
struct gf_named_mask {
    const char *name, *matrix;
    double divide;
};

/*
 * One row. The first rows, up to the first with `key_only`, may be given by place.
 */
struct gf_option {
    const char *name;
    enum gf_option_type type;
    size_t offset;                   /* of the value in the stage's own struct */
    /* choices: the index; ranges are of the value; by NAN the stage sees what is told (INT: -1) */
    double by_default, least, most;
    const char *const *choices;      /* CHOICE and EITHER, ended by NULL */
    const struct gf_named_mask *masks;   /* MASK, ended by a row without a name; or NULL */
    const char *unit;                /* "Hz", "dB", "pixels", or NULL */
    const char *text;                /* one line for people */
    bool required;
    bool key_only;
    bool sound;                      /* MASK: a recording may be named too */
    /* NUMBER, EITHER on the scale of samples: beyond it is hardly meant (unlikely_values.c); 0: another scale */
    double levels;
    double times;                    /* NUMBER that multiplies: beyond it is hardly meant; 0: it does not */
    bool factor;                     /* and 1 changes nothing: +20% is a change, not a factor */
    bool joined;                     /* by place, the next one may stand in the same word, behind x or +: AxB is A,B */
};

/* The nearest whole number of frames, without the sign. */
int64_t gf_time_frames(const struct gf_time *t, int32_t rate);

#define GF_OPTIONS_MAX 12

/*
 * Fills `values` (zeroed, of the stage's size) from the text behind the stage's colon
 * (NULL: none). `what` names the stage in messages.
 */
int gf_options_parse(const struct gf_option *rows, const char *what, const char *text,
                     void *values, struct gf_error *err) GF_MUST_CHECK;
/* Bytes of the masks among the values. */
int64_t gf_options_bytes(const struct gf_option *rows, const void *values);
void gf_options_release(const struct gf_option *rows, void *values);


/* A color of CSS, as 0xrrggbb. */
struct gf_named_colour {
    const char *name;
    unsigned rgb;
};

extern const struct gf_named_colour gf_named_colours[];      /* ends with a row without a name */

/* "1 to 127", "0 or more", "rec601, rec709 or …": what a row accepts. */
void gf_option_range(const struct gf_option *row, char *text, size_t bytes);

#endif
