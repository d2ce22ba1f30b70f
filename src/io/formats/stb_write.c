/*
 * Writes JPEG, BMP, TGA and HDR through stb. An image is collected in memory and encoded at the
 * end.
 */
#define _GNU_SOURCE
#include "io/formats/stb.h"

#include "base/stb.h"
#include "io/fit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct canvas {
    int channels;                /* that are stored: JPEG has no alpha */
    size_t row_bytes;
    unsigned char *samples;
    int64_t row;                 /* next row to be written in order */
};

/* Encoded bytes. stb delivers them in small pieces and ignores write errors. */
struct sink {
    unsigned char *bytes;
    size_t size, room;
    bool failed;
};

static void collect(void *context, void *data, int size)
{
    struct sink *s = context;

    if (s->failed || size <= 0)
        return;
    if (s->room - s->size < (size_t)size) {
        size_t room = 2 * s->room + (size_t)size + 65536;
        unsigned char *grown = realloc(s->bytes, room);

        if (grown == NULL) {
            s->failed = true;
            return;
        }
        s->bytes = grown;
        s->room = room;
    }
    memcpy(s->bytes + s->size, data, (size_t)size);
    s->size += (size_t)size;
}

static bool has_name(const struct gf_writer *w, const char *name)
{
    return strcmp(w->ops->name, name) == 0;
}

/* Returns the number of stored channels, or 0 if the format cannot store the colors. */
static int stored_channels(const struct gf_writer *w, const struct gf_format *f)
{
    int channels = f->channels, colours = gf_colours(f);

    if (colours != 1 && colours != 3)
        return 0;
    if (has_name(w, "tga"))
        return channels;
    if (has_name(w, "bmp"))
        return colours == 3 ? channels : 1;
    return colours;
}

/* Drops alpha if the format has none. Pixels are blended with black. */
static void drop_alpha(const struct gf_writer *w, struct gf_format *f)
{
    if (f->alpha && stored_channels(w, f) == gf_colours(f)) {
        f->channels = gf_colours(f);
        f->alpha = false;
    }
}

static int small_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    drop_alpha(w, f);
    if (gf_fit_check_colours(w, f, err) != 0)
        return -1;
    if (has_name(w, "jpeg") && (w->options.subsampling != 0 || w->options.progressive))
        return gf_fail(err, GF_MISUSED, "%s: --subsampling and --progressive need libjpeg, but this program was "
                       "built without it",
                       w->name);
    return gf_fit_bytes(w, f, err);
}

static int hdr_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    drop_alpha(w, f);
    if (gf_fit_check_colours(w, f, err) != 0)
        return -1;
    if (w->options.depth > 0)
        return gf_fail(err, GF_MISUSED, "%s: HDR stores floats, not --depth %d; try .png", w->name, w->options.depth);
    f->type = GF_F32;
    f->maxval = 1;
    f->bits = 32;
    return 0;
}

static int canvas_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    const int64_t side = 65535;
    struct canvas *c;

    if (w->state != NULL)
        return gf_fail_second_image(w, err);
    if (gf_fit_check_colours(w, f, err) != 0)
        return -1;
    if (f->units < 0)
        return gf_fail(err, GF_FAILED, "%s: %s needs the height in advance", w->name, w->ops->name);
    /* stb counts bytes in int; the largest count is 4 samples per pixel plus headers */
    if (f->width > side || f->units > side
        || f->width * f->units > (INT_MAX - 65536) / 4 / (int64_t)gf_type_bytes(f->type))
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld is too large for %s; try .pam or .ppm", w->name,
                       (long long)f->width, (long long)f->units, w->ops->name);
    c = calloc(1, sizeof *c);
    w->state = c;
    if (c == NULL)
        return gf_fail_memory(err, w->name);
    c->channels = stored_channels(w, f);
    c->row_bytes = (size_t)f->width * (size_t)c->channels * gf_type_bytes(f->type);
    c->samples = malloc(c->row_bytes * (size_t)f->units + 1);
    if (c->samples == NULL)
        return gf_fail_memory_hint(err, w->name, "try .pam or .ppm");
    w->random = true;
    return 0;
}

/* Limits a value to the range of RGBE: not negative, not NaN. */
static float clamp_to_rgbe(float v)
{
    const float most = 1.7e38f;

    return v > 0 ? v < most ? v : most : 0;
}

static int canvas_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count,
                           struct gf_error *err)
{
    struct canvas *c = w->state;
    const struct gf_format *f = &w->format;
    size_t pixels = (size_t)(count * f->width), all = (size_t)f->channels, kept = (size_t)c->channels;
    unsigned char *to = c->samples + (size_t)start * c->row_bytes;

    if (start < 0 || count > f->units - start)
        return gf_fail(err, GF_FAILED, "%s: more rows than the image has", w->name);
    if (f->type == GF_F32) {
        for (size_t i = 0; i < pixels; i++) {
            for (size_t j = 0; j < kept; j++)
                ((float *)(void *)to)[i * kept + j] = clamp_to_rgbe(((const float *)units)[i * all + j]);
        }
    } else if (all == kept) {
        memcpy(to, units, (size_t)count * c->row_bytes);
    } else {
        for (size_t i = 0; i < pixels; i++) {
            for (size_t j = 0; j < kept; j++)
                to[i * kept + j] = ((const unsigned char *)units)[i * all + j];
        }
    }
    return 0;
}

static int canvas_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct canvas *c = w->state;

    if (canvas_write_at(w, c->row, units, count, err) != 0)
        return -1;
    c->row += count;
    return 0;
}

static bool encode(const struct gf_writer *w, struct sink *s)
{
    const struct canvas *c = w->state;
    const struct gf_format *f = &w->format;
    int width = (int)f->width, height = (int)f->units, quality = w->options.quality;

    if (has_name(w, "jpeg"))
        return stbi_write_jpg_to_func(collect, s, width, height, c->channels, c->samples, quality > 0 ? quality : 92);
    if (has_name(w, "bmp"))
        return stbi_write_bmp_to_func(collect, s, width, height, c->channels, c->samples);
    if (has_name(w, "tga"))
        return stbi_write_tga_to_func(collect, s, width, height, c->channels, c->samples);
    if (gf_stb_reserve((size_t)width * 4) != 0)
        return false;
    return stbi_write_hdr_to_func(collect, s, width, height, c->channels, (const float *)(const void *)c->samples);
}

static int canvas_end(struct gf_writer *w, struct gf_error *err)
{
    struct canvas *c = w->state;
    struct sink s = { .bytes = NULL };
    int result;

    if (!encode(w, &s) || s.failed)
        result = gf_fail_memory_hint(err, w->name, "try .pam or .ppm");
    else
        result = gf_output_write(w->out, s.bytes, s.size, err);
    free(s.bytes);
    free(c->samples);
    c->samples = NULL;
    return result;
}

static void canvas_release(struct gf_writer *w)
{
    struct canvas *c = w->state;

    if (c != NULL)
        free(c->samples);
    free(c);
}

#define PICTURE_WRITER(word, fits, more) \
    const struct gf_writer_ops gf_stb_write_##word = { \
        .name = #word, .kind = GF_IMAGE, .heeds = GF_HEEDS_DEPTH | (more), .fit = fits, .begin = canvas_begin, \
        .write = canvas_write, \
        .write_at = canvas_write_at, .end = canvas_end, .release = canvas_release, \
        .writing = GF_LABOUR_COPY, .ending = GF_LABOUR_CODE, \
    }

PICTURE_WRITER(jpeg, small_fit, GF_HEEDS_QUALITY | GF_HEEDS_SUBSAMPLING | GF_HEEDS_PROGRESSIVE);
PICTURE_WRITER(bmp, small_fit, 0);
PICTURE_WRITER(tga, small_fit, 0);
PICTURE_WRITER(hdr, hdr_fit, 0);
