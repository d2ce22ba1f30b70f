/* The few functions on the shared nouns: errors and blocks. */
#include "base/gpufilter.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void set_error(struct gf_error *err, int status, const char *format, va_list args) GF_PRINTF(3, 0);

static void set_error(struct gf_error *err, int status, const char *format, va_list args)
{
    err->status = status;
    err->cut = err->damaged = err->room = false;
    vsnprintf(err->text, sizeof err->text, format, args);
}

int gf_fail(struct gf_error *err, int status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set_error(err, status, format, args);
    va_end(args);
    return -1;
}

int gf_fail_cut(struct gf_error *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set_error(err, GF_FAILED, format, args);
    va_end(args);
    err->cut = true;
    return -1;
}

int gf_fail_damaged(struct gf_error *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set_error(err, GF_FAILED, format, args);
    va_end(args);
    err->damaged = true;
    return -1;
}

void gf_forget_error(struct gf_error *err)
{
    err->status = 0;
    err->cut = err->damaged = err->room = false;
    err->text[0] = '\0';
}

void gf_error_place(struct gf_error *err, const char *place, const char *from)
{
    char text[sizeof err->text];

    snprintf(text, sizeof text, "%s", err->text);
    snprintf(err->text, sizeof err->text, "%.340s: %.600s%s%.340s%s", place, text, from ? " (called from " : "", from ? from : "", from ? ")" : "");
}

int gf_close_written(FILE *to)
{
    const bool lost = ferror(to) != 0;               /* fclose() speaks of the last bytes alone */

    return fclose(to) != 0 || lost ? -1 : 0;
}

bool gf_user_folder(const char *variable, const char *at_home, char *folder, size_t room)
{
    const char *set = getenv(variable), *home = getenv("HOME");
    int n = -1;

    if (set != NULL && set[0] == '/')
        n = snprintf(folder, room, "%s", set);
    else if (home != NULL && home[0] == '/')
        n = snprintf(folder, room, "%s/%s", home, at_home);
    return n > 0 && (size_t)n < room;
}

struct gf_format gf_stored_format(const struct gf_format *f)
{
    struct gf_format stored = *f;

    if (!f->yuv.used)
        return stored;
    stored.channels = 1;
    stored.width = 1;
    stored.units = f->width * f->units;
    if (!f->yuv.mono)
        stored.units += 2 * gf_chroma_side(f->width, f->yuv.sub_x) * gf_chroma_side(f->units, f->yuv.sub_y);
    stored.yuv = (struct gf_yuv) { 0 };
    return stored;
}

bool gf_same_yuv(const struct gf_yuv *a, const struct gf_yuv *b)
{
    return a->used == b->used && a->mono == b->mono && a->sub_x == b->sub_x && a->sub_y == b->sub_y && a->bits == b->bits
        && a->full == b->full && a->matrix == b->matrix && a->siting == b->siting
        && a->fields == b->fields;
}

struct gf_block gf_block_packed(void *data, const struct gf_format *f, struct gf_span span)
{
    return (struct gf_block) {
        .data = data, .span = span, .width = f->width, .pitch_samples = f->width * f->channels,
        .plane_samples = 0, .channels = f->channels, .planar = false,
        .type = f->type, .bits = f->bits, .maxval = f->maxval,
    };
}

struct gf_block gf_block_planar(void *data, const struct gf_format *f, struct gf_span span,
                                int64_t pitch_samples, int64_t rows)
{
    return (struct gf_block) {
        .data = data, .span = span, .width = f->width, .pitch_samples = pitch_samples,
        .plane_samples = pitch_samples * rows, .channels = f->channels, .planar = true,
        .type = GF_F32, .bits = 32, .maxval = 1,
    };
}

struct gf_block gf_block_part(const struct gf_block *block, struct gf_span span)
{
    struct gf_block part = *block;

    part.data = (char *)block->data
              + (size_t)((span.start - block->span.start) * block->pitch_samples) * gf_type_bytes(block->type);
    part.span = span;
    return part;
}

const char *gf_units_word(enum gf_kind kind)
{
    return kind == GF_IMAGE ? "rows" : "frames";
}

const char *gf_type_word(const struct gf_format *f)
{
    switch (f->type) {
    case GF_U8: return "u8";
    case GF_U16: return "u16";
    case GF_S16: return f->bits <= 8 ? "s8" : "s16";
    case GF_S32: return f->bits <= 24 ? "s24" : "s32";
    case GF_F32: return "f32";
    default: return "f64";
    }
}

void gf_bytes_text(int64_t bytes, char *text)
{
    static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB" };
    double n = (double)bytes;
    int k = 0;

    for (; n >= 1024 && k < 4; k++)
        n /= 1024;
    snprintf(text, 40, k == 0 ? "%.0f %s" : "%.1f %s", n, units[k]);
}
