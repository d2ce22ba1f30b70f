/*
 * Chooses the sample type, bits and channels that a format
 * stores, from --depth and the limits of the format.
 */
#include "io/fit.h"

#include <stdio.h>
#include <string.h>

bool gf_fit_narrow(const struct gf_writer *w, struct gf_format *f)
{
    const int depth = w->options.depth;

    if (depth != 1 && depth != 2 && depth != 4)
        return false;
    f->type = GF_U8;
    f->bits = depth;
    f->maxval = (1u << depth) - 1;
    return true;
}

int gf_fit_image(struct gf_writer *w, struct gf_format *f, const char *what, struct gf_error *err)
{
    int depth = w->options.depth;

    if (depth != 0 && depth != 8 && depth != 16) {
        char word[8] = "f32";

        if (depth > 0)
            snprintf(word, sizeof word, "%d", depth % 1000);
        return gf_fail(err, GF_MISUSED, "%s: %s cannot store --depth %s; use %s", w->name, what, word,
                       strcmp(what, "tiff") == 0 ? "8, 16 or f32" : "8 or 16, or .pfm, .tif or .hdr for f32");
    }
    if (depth == 0 && f->type != GF_U8 && f->type != GF_U16)
        depth = 16;
    if (depth != 0) {
        f->type = depth == 8 ? GF_U8 : GF_U16;
        f->maxval = depth == 8 ? 255 : 65535;
    }
    f->bits = gf_maxval_bits(f->maxval);
    return 0;
}

int gf_fit_check_colours(const struct gf_writer *w, const struct gf_format *f, struct gf_error *err)
{
    if (gf_colours(f) == 1 || gf_colours(f) == 3)
        return 0;
    return gf_fail(err, GF_MISUSED,
                   "%s: %s stores gray or RGB, not %d channels;; use .pam or .tif to store all, or "
                   "--channels %s to select channels of a TIFF or PAM input",
                   w->name, w->ops->name, f->channels, f->channels < 3 ? "1" : "1,2,3");
}

int gf_fit_bytes(const struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    if (w->options.depth != 0 && w->options.depth != 8)
        return gf_fail(err, GF_MISUSED,
                       "%s: %s always has 8 bits per sample;; leave out --depth, or use .png for 16 bits or .pfm for "
                       "f32",
                       w->name, w->ops->name);
    f->type = GF_U8;
    f->maxval = 255;
    f->bits = 8;
    return 0;
}

/*
 * Rounds the depth of the signal up to a width that files
 * have: 8, 16, 24, 32, f32 or f64. --depth overrides it.
 */
void gf_fit_audio(const struct gf_writer *w, struct gf_format *f)
{
    int depth = w->options.depth;

    if (depth == 0 && gf_type_is_float(f->type))
        depth = f->type == GF_F64 ? -64 : -32;
    else if (depth == 0)
        depth = f->bits <= 8 ? 8 : f->bits <= 16 ? 16 : f->bits <= 24 ? 24 : 32;
    f->type = depth == -64 ? GF_F64 : depth < 0 ? GF_F32 : depth <= 16 ? GF_S16 : GF_S32;
    f->bits = depth < 0 ? -depth : depth;
    f->maxval = 0;
}

int gf_fit_any_audio(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    (void)err;
    gf_fit_audio(w, f);
    return 0;
}
