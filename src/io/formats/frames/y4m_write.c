/* Writes Y4M (YUV4MPEG2): one header, then frames of luma and chroma, as samples. */
#define _GNU_SOURCE
#include "io/fit.h"
#include "io/formats/frames/animation.h"
#include "io/formats/frames/y4m.h"
#include "io/interlaced_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct y4m_out {
    struct gf_format format;     /* of the first frame, and so of all */
    struct gf_format stored;
    int64_t data;                /* offset of the current frame */
    int64_t pictures;
    unsigned char *frame;        /* a frame that is assembled from two fields; NULL: the input has whole frames */
    int64_t at;                  /* samples of the current field that were written */
};

/*
 * Rounds up to a depth that other programs support: 8, 9, 10, 12, 14 or 16 bits; without chroma,
 * not 14.
 */
static int stored_bits(int bits, bool mono)
{
    bits = bits < 8 ? 8 : bits == 11 ? 12 : bits == 13 ? 14 : bits > 14 ? 16 : bits;
    return mono && bits == 14 ? 16 : bits;
}

/* Sets the frame rate, which is the default at first: that of --rate, or of the input, if it has one. */
static void set_rate(struct gf_writer *w, const struct gf_yuv *before, bool made, int rate[2])
{
    if (w->options.rate[0] > 0) {
        if (w->state == NULL)                        /* the first frame: later files may have other rates */
            gf_animation_warn_speed(w, before->rate[0] > 0 ? (double)before->rate[0] / before->rate[1] : 0);
        memcpy(rate, w->options.rate, sizeof w->options.rate);
        return;
    }
    if (before->rate[0] > 0)
        memcpy(rate, before->rate, sizeof before->rate);
    if (made && before->uneven)
        gf_warn(w->options.notices, "uneven-frames", w->name,
                "frames of the input have different durations, but Y4M has one frame rate; their mean, %.4g per "
                "second, is used; the stage fps:50 repeats frames instead",
                (double)rate[0] / rate[1]);
}

static int y4m_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    const bool made = !f->yuv.used;
    const struct y4m_out *const o = w->state;
    struct gf_yuv *y = &f->yuv, before = *y;

    f->channels = gf_colours(f);                 /* no alpha: pixels are blended with black */
    f->alpha = false;
    if (made && f->channels == 1 && o != NULL && !o->format.yuv.mono)
        f->channels = 3;                         /* a gray image among others, which have color */
    if (f->channels != 1 && f->channels != 3)
        return gf_fail(err, GF_MISUSED, "%s: Y4M stores 1 or 3 channels, but the image has %d; try .pam",
                       w->name, f->channels);
    if (gf_fit_image(w, f, "y4m", err) != 0)
        return -1;
    if (made)
        *y = (struct gf_yuv) { .used = 1, .sub_x = 1, .sub_y = 1, .siting = GF_SITED_JPEG, .interlace = 'p',
                               .rate = { 25, 1 }, .aspect = { 1, 1 } };
    if (made && before.aspect[0] > 0)
        memcpy(y->aspect, before.aspect, sizeof y->aspect);
    set_rate(w, &before, made, y->rate);
    if (f->channels == 1 && !y->mono) {          /* programs read gray without chroma as full range */
        y->mono = y->full = 1;
        y->sub_x = y->sub_y = y->siting = 0;
        gf_y4m_drop_tags(y, "XCOLORRANGE=");
        gf_y4m_keep_tag(y, "XCOLORRANGE=FULL");
    } else if (f->channels == 3 && y->mono) {
        y->mono = 0;
    }
    y->bits = made || w->options.depth != 0 || f->bits != before.bits ? stored_bits(f->bits, y->mono != 0)
        : before.bits;
    y->matrix = gf_y4m_rows(f) < GF_Y4M_HD_ROWS ? 601 : 709;     /* readers choose the matrix by height */
    if (y->fields && y->sub_y > 0 && f->units % 2 != 0)
        return gf_fail(err, GF_FAILED, "%s: a field has %lld rows after the stages, but 4:2:0 needs an even number; "
                       "change it with crop or resize", w->name,
                       (long long)f->units);
    if (y->bits > 8)
        y->siting = GF_SITED_PLAIN;                  /* the C tag cannot express it above 8 bits */
    if (!made && (y->bits != before.bits || y->mono != before.mono))
        gf_y4m_drop_tags(y, "XYSCSS=");
    if (w->options.numbered)
        gf_y4m_drop_tags(y, "XLENGTH=");             /* it counts all frames, but each file has some of them */
    f->bits = y->bits;
    f->type = y->bits > 8 ? GF_U16 : GF_U8;
    f->maxval = (1u << y->bits) - 1;
    return 0;
}

static int check_same(const struct gf_writer *w, const struct y4m_out *o, struct gf_error *err)
{
    const struct gf_format *a = &o->format, *b = &w->format;

    if ((int64_t)a->yuv.rate[0] * b->yuv.rate[1] != (int64_t)b->yuv.rate[0] * a->yuv.rate[1])
        gf_warn(w->options.notices, "frame-rates", w->name, "frames after %lld have another frame rate, %.4g per "
                "second, but Y4M has one, that of the first, %.4g; --rate sets another", (long long)o->pictures,
                (double)b->yuv.rate[0] / b->yuv.rate[1], (double)a->yuv.rate[0] / a->yuv.rate[1]);
    if (a->width == b->width && a->units == b->units && gf_same_yuv(&a->yuv, &b->yuv))
        return 0;
    return gf_fail(err, GF_FAILED, "%s: all frames of a Y4M must have the same format, but after %lld of %lldx%lld "
                   "follows one of %lldx%lld%s", w->name, (long long)o->pictures, (long long)a->width,
                   (long long)a->units, (long long)b->width, (long long)b->units,
                   a->width == b->width && a->units == b->units ? " with another layout" : "");
}

/*
 * Begins one of two fields, which are combined to a frame in memory. With letter t, the field with
 * the upper row is first.
 */
static int begin_field(struct gf_writer *w, struct gf_error *err)
{
    struct y4m_out *o = w->state;

    o->at = 0;
    if (o->frame == NULL)
        o->frame = malloc(2 * (size_t)o->stored.units * gf_unit_bytes(&o->stored));
    return o->frame != NULL ? 0 : gf_fail_memory(err, w->name);
}

static int end_field(struct gf_writer *w, struct gf_error *err)
{
    struct y4m_out *o = w->state;
    const size_t size = 2 * (size_t)o->stored.units * gf_unit_bytes(&o->stored);

    if (o->pictures++ % 2 == 0)
        return 0;
    return gf_output_write(w->out, "FRAME\n", 6, err) != 0 ? -1 : gf_output_write(w->out, o->frame, size, err);
}

static int y4m_begin(struct gf_writer *w, struct gf_error *err)
{
    struct y4m_out *o = w->state != NULL ? w->state : calloc(1, sizeof *o);
    char text[400];

    w->state = o;
    if (o == NULL)
        return gf_fail_memory(err, w->name);
    if (w->format.units < 0)
        return gf_fail(err, GF_FAILED, "%s: Y4M needs the height in advance", w->name);
    if (o->pictures == 0) {
        o->format = w->format;
        o->stored = gf_stored_format(&w->format);
        if (gf_output_write(w->out, text, (size_t)gf_y4m_header_text(&w->format, text, sizeof text), err) != 0)
            return -1;
    } else if (check_same(w, o, err) != 0) {
        return -1;
    }
    if (w->format.yuv.fields)
        return begin_field(w, err);
    if (gf_output_write(w->out, "FRAME\n", 6, err) != 0)
        return -1;
    o->data = gf_output_position(w->out);
    w->random = gf_output_random(w->out);
    return 0;
}

static int y4m_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct y4m_out *o = w->state;

    if (o->frame != NULL) {
        gf_interlaced_fields_weave(&o->format, o->pictures % 2 == (o->format.yuv.interlace == 't'), o->frame, o->at,
                                   units, count);
        o->at += count;
        return 0;
    }
    return gf_output_write(w->out, units, (size_t)count * gf_unit_bytes(&o->stored), err);
}

static int y4m_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err)
{
    const struct y4m_out *o = w->state;
    const size_t unit = gf_unit_bytes(&o->stored);

    return gf_output_write_at(w->out, o->data + start * (int64_t)unit, units, (size_t)count * unit, err);
}

static int y4m_end(struct gf_writer *w, struct gf_error *err)
{
    struct y4m_out *o = w->state;

    if (o->frame != NULL)
        return end_field(w, err);
    o->pictures++;
    if (w->random)
        gf_output_set_position(w->out, o->data + o->stored.units * (int64_t)gf_unit_bytes(&o->stored));
    return 0;
}

static void y4m_release(struct gf_writer *w)
{
    struct y4m_out *o = w->state;

    if (o != NULL)
        free(o->frame);
    free(o);
}

const struct gf_writer_ops gf_write_y4m = {
    .name = "y4m", .kind = GF_IMAGE, .bare = GF_BARE_ALWAYS, .yuv = true, .pixel_shape = true, .linear = true,
    .heeds = GF_HEEDS_DEPTH,
    .fit = y4m_fit, .begin = y4m_begin, .write = y4m_write, .write_at = y4m_write_at,
    .end = y4m_end, .release = y4m_release, .part_bytes = sizeof(struct y4m_out),
};
