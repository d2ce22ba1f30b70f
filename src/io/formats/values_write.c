/* Writes the samples of an image or of audio as numbers, in TSV or CSV: a line for each pixel or sample frame. */
#include "io/formats/values_write.h"

#include "io/fit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_BYTES 65536
#define NUMBER_BYTES 32                  /* room for a number and the separator after it */

struct values_out {
    int64_t unit;                /* the next row, or sample frame */
    size_t used;
    char separator;
    char bytes[BUFFER_BYTES];
};

/* Integers are written as they would be stored; 1, 2 and 4 bits are depths, too. */
static int image_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    if (w->options.depth == -32 || (w->options.depth == 0 && gf_type_is_float(f->type))) {
        f->type = GF_F32;
        f->bits = 32;
        f->maxval = 1;
        return 0;
    }
    return gf_fit_narrow(w, f) ? 0 : gf_fit_image(w, f, w->ops->name, err);
}

static int flush(struct gf_writer *w, struct gf_error *err)
{
    struct values_out *v = w->state;
    const size_t used = v->used;

    v->used = 0;
    return gf_output_write(w->out, v->bytes, used, err);
}

static void put_text(struct values_out *v, const char *text)
{
    const size_t length = strlen(text);

    memcpy(v->bytes + v->used, text, length);
    v->used += length;
}

static void put_integer(struct values_out *v, int64_t value)
{
    char digits[NUMBER_BYTES];
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    size_t at = sizeof digits;

    do
        digits[--at] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (value < 0)
        digits[--at] = '-';
    memcpy(v->bytes + v->used, digits + at, sizeof digits - at);
    v->used += sizeof digits - at;
}

/* Writes sample i of those at `from`. The digits of a float suffice to read it back. */
static void put_sample(struct values_out *v, const struct gf_format *f, const void *from, int64_t i)
{
    char *to = v->bytes + v->used;

    switch (f->type) {
    case GF_U8: put_integer(v, ((const uint8_t *)from)[i]); break;
    case GF_U16: put_integer(v, ((const uint16_t *)from)[i]); break;
    case GF_S16: put_integer(v, ((const int16_t *)from)[i] >> (16 - f->bits)); break;
    case GF_S32: put_integer(v, ((const int32_t *)from)[i] >> (32 - f->bits)); break;
    case GF_F32: v->used += (size_t)snprintf(to, NUMBER_BYTES, "%.9g", (double)((const float *)from)[i]); break;
    default: v->used += (size_t)snprintf(to, NUMBER_BYTES, "%.17g", ((const double *)from)[i]);
    }
}

/* Writes the names of the columns. */
static void put_header(struct values_out *v, const struct gf_format *f)
{
    static const char *const gray[] = { "gray", "alpha" }, *const colours[] = { "red", "green", "blue", "alpha" };
    const bool image = f->kind == GF_IMAGE;

    put_text(v, image ? "x" : "frame");
    v->bytes[v->used++] = v->separator;
    put_text(v, image ? "y" : "seconds");
    for (int c = 0; c < f->channels; c++) {
        v->bytes[v->used++] = v->separator;
        if (image)
            put_text(v, f->channels < 3 ? gray[c] : colours[c]);
        else
            put_integer(v, c + 1);
    }
    v->bytes[v->used++] = '\n';
}

static int values_begin(struct gf_writer *w, struct gf_error *err)
{
    struct values_out *v;

    if (w->state != NULL)
        return w->format.kind == GF_IMAGE ? gf_fail_second_image(w, err) : gf_fail_second_recording(w, err);
    v = w->state = malloc(sizeof *v);
    if (v == NULL)
        return gf_fail_memory(err, w->name);
    v->unit = 0;
    v->used = 0;
    v->separator = strcmp(w->ops->name, "csv") == 0 ? ',' : '\t';
    put_header(v, &w->format);
    return 0;
}

/* Writes where a pixel or frame is: column and row, or frame and seconds. */
static void put_place(struct values_out *v, const struct gf_format *f, int64_t x)
{
    put_integer(v, f->kind == GF_IMAGE ? x : v->unit);
    v->bytes[v->used++] = v->separator;
    if (f->kind == GF_IMAGE)
        put_integer(v, v->unit);
    else
        v->used += (size_t)snprintf(v->bytes + v->used, NUMBER_BYTES, "%.15g", (double)v->unit / f->rate);
}

static int values_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct values_out *v = w->state;
    int64_t at = 0;

    for (const int64_t end = v->unit + count; v->unit < end; v->unit++)
        for (int64_t x = 0; x < f->width; x++) {
            if (v->used + (size_t)(f->channels + 2) * NUMBER_BYTES > sizeof v->bytes && flush(w, err) != 0)
                return -1;
            put_place(v, f, x);
            for (int c = 0; c < f->channels; c++) {
                v->bytes[v->used++] = v->separator;
                put_sample(v, f, units, at++);
            }
            v->bytes[v->used++] = '\n';
        }
    return 0;
}

#define VALUES_WRITER(word, signal, fitted) { \
        .name = #word, .kind = signal, .bare = GF_BARE_ALWAYS, .heeds = GF_HEEDS_DEPTH, .fit = fitted, \
        .begin = values_begin, .write = values_write, .end = flush, .release = gf_writer_free_state, \
        .writing = GF_LABOUR_CODE, \
    }

const struct gf_writer_ops gf_write_tsv_image = VALUES_WRITER(tsv, GF_IMAGE, image_fit);
const struct gf_writer_ops gf_write_csv_image = VALUES_WRITER(csv, GF_IMAGE, image_fit);
const struct gf_writer_ops gf_write_tsv_audio = VALUES_WRITER(tsv, GF_AUDIO, gf_fit_any_audio);
const struct gf_writer_ops gf_write_csv_audio = VALUES_WRITER(csv, GF_AUDIO, gf_fit_any_audio);
