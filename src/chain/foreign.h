/* Filters in the syntax of other programs, and the stages that do the same. */
#ifndef GF_CHAIN_FOREIGN_H
#define GF_CHAIN_FOREIGN_H

#include "base/error.h"

#include <stddef.h>

/* A translation: stages, and options of the command line, separated by blanks. */
struct gf_foreign_words {
    char text[600];
};

/* Values that an option of ImageMagick takes from options before it; NULL: not given. */
struct gf_foreign_settings {
    const char *gravity, *background;
    const char *offset;                          /* "+10+10" of -geometry */
};

/* Appends words. Returns false if there is no room. */
bool gf_foreign_put(struct gf_foreign_words *words, const char *format, ...) GF_PRINTF(2, 3);
/* Reads a plain number; no suffix is allowed. */
bool gf_foreign_number(const char *text, double *number);
/* The decibels of a factor, rounded to hundredths. */
double gf_foreign_decibels(double factor);
/* Appends a stage that makes audio louder: "0.5", "50%" or "-6dB". */
bool gf_foreign_put_volume(struct gf_foreign_words *words, const char *volume);

/*
 * Appends the echoes of FFmpeg and SoX, out_gain·(in_gain·x + Σ decay·x delayed). `delays` in
 * milliseconds and `decays` are separated by bars.
 */
bool gf_foreign_put_echoes(struct gf_foreign_words *words, double in_gain, double out_gain, const char *delays,
                           const char *decays);

/* The functions below append a translation. They return false, and append nothing, if they have none. */

/* One filter of FFmpeg: "scale=640:-2". */
bool gf_foreign_ffmpeg(const char *filter, struct gf_foreign_words *words);
/* True if FFmpeg has a filter of this name and a translation may exist. */
bool gf_foreign_ffmpeg_has(const char *name, size_t length);

/* A filter of FFmpeg with two inputs, of which `file` is the second: "[0][1]overlay=10:10", "psnr". */
bool gf_foreign_second(const char *graph, const char *file, struct gf_foreign_words *words);
/* ImageMagick's -composite of `file` over the image. */
bool gf_foreign_composite(const char *file, const struct gf_foreign_settings *settings, struct gf_foreign_words *words);

/* One option of ImageMagick without its dash, with its value: "resize", "200x200^". */
bool gf_foreign_magick(const char *name, const char *value, const struct gf_foreign_settings *settings,
                       struct gf_foreign_words *words);
/* How many values the option takes in ImageMagick: 0 or 1; -1 if it is not known here. */
int gf_foreign_magick_values(const char *name);

/* One effect of SoX, or one operation of vips, with its values as separate arguments: "trim", "0", "10". */
bool gf_foreign_effect(const char *name, const char *const *values, int count, bool vips,
                       struct gf_foreign_words *words);

#endif
