/* Small rules that readers and writers share: names of formats, sizes, depths. */
#define _GNU_SOURCE
#include "io/format.h"
#include "base/words.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *gf_name_ending(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *leaf = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(leaf, '.');

    return dot == NULL || dot == leaf ? "" : dot + 1;
}

void gf_nearest_names(const char *word, const char *const *names, char *to, size_t size)
{
    const char *near = gf_nearest_word(word, names);
    size_t length = 0;

    snprintf(to, size, "%s", near ? near : "");
    for (int i = 0; near == NULL && names[i] != NULL; i++)           /* nothing near: all of them */
        if (length + strlen(names[i]) + 3 < size)
            length += (size_t)snprintf(to + length, size - length, "%s%s", length > 0 ? ", " : "", names[i]);
}

/* Products of sizes below this bound times a pixel's bytes stay within 64 bits. */
#define MOST_PIXELS (INT64_C(1) << 46)

int gf_check_size(const char *name, int64_t width, int64_t height, int64_t pixel_bytes,
                  const struct gf_read_options *o, struct gf_error *err)
{
    int64_t pixels;

    if (__builtin_mul_overflow(width, height, &pixels) || pixels > MOST_PIXELS)
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld is too large", name, (long long)width, (long long)height);
    if (o->max_pixels > 0 && pixels > o->max_pixels)
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld is more than %lld pixels; raise --max-pixels to read it", name,
                       (long long)width, (long long)height, (long long)o->max_pixels);
    if (o->max_bytes > 0 && pixel_bytes > 0 && pixels > o->max_bytes / pixel_bytes)
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld takes more than %lld bytes; raise --max-memory to read it", name,
                       (long long)width, (long long)height, (long long)o->max_bytes);
    return 0;
}

int gf_bits_of(uint32_t maxval)
{
    int bits = 1;

    while (bits < 32 && maxval >> bits != 0)
        bits++;
    return bits;
}

int gf_check_picked(const struct gf_picked_channels *picked, int have, const char *name, struct gf_error *err)
{
    for (int c = 0; c < picked->count; c++)
        if (picked->number[c] > have)
            return gf_fail(err, GF_FAILED, "%s: --channels names channel %d, but there %s %d", name, picked->number[c],
                           have == 1 ? "is only" : "are only", have);
    return 0;
}

void gf_note_picked(const struct gf_picked_channels *picked, int have, const char *name, struct gf_notices *notices)
{
    char list[80] = "";
    int out = 0;

    for (int number = 1; number <= have; number++) {
        const size_t at = strlen(list);
        bool in = false;

        for (int c = 0; c < picked->count; c++)
            in = in || picked->number[c] == number;
        out += !in;
        if (!in && out <= 12)
            snprintf(list + at, sizeof list - at, "%s%d", out == 1 ? "" : ", ", number);
        else if (!in && out == 13)
            snprintf(list + at, sizeof list - at, " and more");
    }
    if (out > 0)
        gf_note(notices, "channels-left-out", name, "--channels leaves out channel%s %s of %d", out == 1 ? "" : "s", list, have);
}

bool gf_fit_bits(const struct gf_writer *w, struct gf_format *f)
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
        return gf_fail(err, GF_MISUSED, "%s: %s can't hold --depth %s; 8 and 16 work, and .pfm or .hdr hold f32",
                       w->name, what, word);
    }
    if (depth == 0 && f->type != GF_U8 && f->type != GF_U16)
        depth = 16;
    if (depth != 0) {
        f->type = depth == 8 ? GF_U8 : GF_U16;
        f->maxval = depth == 8 ? 255 : 65535;
    }
    f->bits = gf_bits_of(f->maxval);
    return 0;
}

int gf_check_colours(const struct gf_writer *w, const struct gf_format *f, struct gf_error *err)
{
    if (gf_colours(f) == 1 || gf_colours(f) == 3)
        return 0;
    return gf_fail(err, GF_MISUSED, "%s: %s stores gray or RGB, but there are %d channels; .pam and .tif store them all, --channels %s "
                   "leaves out the rest of a TIFF or PAM", w->name, w->ops->name, f->channels, f->channels < 3 ? "1" : "1,2,3");
}

int gf_fit_bytes(const struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    if (w->options.depth != 0 && w->options.depth != 8)
        return gf_fail(err, GF_MISUSED, "%s: %s has 8 bits a sample, whatever --depth says; try .png for 16, .pfm for f32", w->name,
                       w->ops->name);
    f->type = GF_U8;
    f->maxval = 255;
    f->bits = 8;
    return 0;
}

/* --depth, or what the signal has, in widths that files know: 8, 16, 24, 32, f32 and f64. */
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
