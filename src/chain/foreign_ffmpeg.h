/* Arguments of a filter of FFmpeg, and the translators of its filters. */
#ifndef GF_CHAIN_FOREIGN_FFMPEG_H
#define GF_CHAIN_FOREIGN_FFMPEG_H

#include "chain/foreign.h"

#define GF_FOREIGN_ARGUMENTS 16

/* Arguments of one filter; an argument by position has an empty key. */
struct gf_foreign_arguments {
    int count;
    char key[GF_FOREIGN_ARGUMENTS][32], value[GF_FOREIGN_ARGUMENTS][128];
};

/* A filter and its translator, which returns false if it cannot translate these arguments. */
struct gf_foreign_filter {
    const char *name;
    bool (*translate)(const struct gf_foreign_arguments *a, struct gf_foreign_words *words);
};

/* Both tables end with a row without a name. */
extern const struct gf_foreign_filter gf_foreign_image_filters[], gf_foreign_audio_filters[];

/* The argument with one of `keys`, separated by bars, or the one at a place from 0 on (-1: it has none); or NULL. */
const char *gf_foreign_argument(const struct gf_foreign_arguments *a, const char *keys, int place);
/* Reads a number, or takes the default if the argument is not given. */
bool gf_foreign_argument_number(const struct gf_foreign_arguments *a, const char *keys, int place, double by_default,
                                double *number);

#endif
