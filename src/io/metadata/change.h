/* Describes how an output differs from the image in its file, for metadata that states sizes, counts or scales. */
#ifndef GF_METADATA_CHANGE_H
#define GF_METADATA_CHANGE_H

#include "base/affine.h"
#include "base/signal.h"

/* The image in the file is stored as its header says; the input is upright. */
struct gf_change {
    bool changed;                        /* there are stages, or the image was turned upright */
    bool revalued;                       /* a sample value no longer means what it meant in the input */
    struct gf_affine to_file;            /* from positions in the output to those in the file */
    struct gf_affine to_input;           /* to those in the upright image */
    int64_t file_width, file_height;
    struct gf_format in, out;            /* of the upright image as read; of the output as stored */
    int64_t images_in, images;           /* of the file and of the output; -1: of several files, which none counts */
};

/* How audio in an output differs from that in the file. All zero means unknown. */
struct gf_audio_change {
    bool timed;                          /* the four members about times are valid */
    double start, step;                  /* frame n of the output is frame start + n * step of the file */
    int64_t first, end;                  /* the frames of the file that are in the output; -1, unmoved: no end */
    bool cut;                            /* others follow in the file, so what begins at `end` is not in the output */
    bool moved;                          /* times, the length or the rate differ */
    bool remixed;                        /* channels are others, or mixed */
    bool revalued;                       /* levels differ */
    int rate;                            /* of the output */
};

/* True if positions in the file differ from those in the output. */
bool gf_change_is_moved(const struct gf_change *c);
/* True if the output shows the whole image of the file, scaled at most. */
bool gf_change_is_scaled_only(const struct gf_change *c);
/* True if a stored value no longer means what it meant in the file. */
bool gf_change_is_rescaled(const struct gf_change *c);
/* Returns the map for a density to print with, which turns with the image and does not follow its size. */
struct gf_affine gf_change_print_map(bool turned);
/* Updates numbers of pixels per unit. Returns false if the pixels have no such numbers after a rotation. */
bool gf_change_density(const struct gf_affine *map, double *x, double *y);
/*
 * Reduces the sizes of a sequence of three dimensions to its first `images` images. The first dimension changes
 * fastest. Returns false if these images are no block of the sequence.
 */
bool gf_change_cut(const struct gf_change *c, int64_t sizes[3]);

#endif
