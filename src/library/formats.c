/* Reads the formats that callers of libgpufilter describe, and writes those of results. */
#include "library/formats.h"

#include "io/formats/frames/y4m.h"
#include "library/library.h"

#include <limits.h>

#define IMAGE_CHANNELS 4                 /* as in files */

static const enum gf_type types[] = { [GPUFILTER_U8] = GF_U8, [GPUFILTER_U16] = GF_U16, [GPUFILTER_S16] = GF_S16,
                                      [GPUFILTER_S32] = GF_S32, [GPUFILTER_F32] = GF_F32, [GPUFILTER_F64] = GF_F64 };

static bool is_float(enum gf_type type)
{
    return type == GF_F32 || type == GF_F64;
}

bool gf_library_set_type(struct gf_format *f, int type, int bits, uint32_t maxval)
{
    const bool image = f->kind == GF_IMAGE;

    if (type < GPUFILTER_U8 || type > GPUFILTER_F64)
        return false;
    f->type = types[type];
    if (!is_float(f->type) && (f->type == GF_U8 || f->type == GF_U16) != image)
        return false;
    f->bits = (int)gf_type_bytes(f->type) * CHAR_BIT;
    f->maxval = image && !is_float(f->type) ? (1u << f->bits) - 1 : 1;
    if (image && !is_float(f->type) && maxval != 0) {
        if (maxval > f->maxval)
            return false;
        f->maxval = maxval;
    }
    if (!image && !is_float(f->type) && bits != 0) {
        if (bits < 2 || bits > f->bits)
            return false;
        f->bits = bits;
    }
    return true;
}

int gf_library_read_format(struct gf_format *f, const gpufilter_format *given, const char *name, struct gf_error *err)
{
    gpufilter_format g;

    *f = (struct gf_format) { 0 };
    if (given == NULL)
        return gf_fail(err, GF_MISUSED, "%s: its format is NULL", name);
    if (!gf_library_copy(&g, sizeof g, given, sizeof g))
        return gf_fail(err, GF_MISUSED, "%s: size is wrong; set it to sizeof(gpufilter_format)", name);
    if (g.kind != GPUFILTER_IMAGE && g.kind != GPUFILTER_AUDIO)
        return gf_fail(err, GF_MISUSED, "%s: kind must be GPUFILTER_IMAGE or GPUFILTER_AUDIO, not %d", name, g.kind);
    f->kind = g.kind == GPUFILTER_IMAGE ? GF_IMAGE : GF_AUDIO;
    if (!gf_library_set_type(f, g.type, g.bits, g.maxval))
        return gf_fail(err, GF_MISUSED, "%s: %s cannot have samples of type %d, %d bits and maxval %u", name,
                       f->kind == GF_IMAGE ? "an image" : "audio", g.type, g.bits, (unsigned)g.maxval);
    if (g.channels < 1 || g.channels > (f->kind == GF_IMAGE ? IMAGE_CHANNELS : GF_MAX_CHANNELS))
        return gf_fail(err, GF_MISUSED, "%s: channels of %s must be 1 to %d, not %d", name,
                       f->kind == GF_IMAGE ? "an image" : "audio",
                       f->kind == GF_IMAGE ? IMAGE_CHANNELS : GF_MAX_CHANNELS, g.channels);
    if (f->kind == GF_AUDIO && (g.rate < 1 || g.width > 1))
        return gf_fail(err, GF_MISUSED, "%s: audio needs a rate, and a width of 1", name);
    if (f->kind == GF_IMAGE && (g.width < 1 || g.width > INT_MAX || g.units > INT_MAX))
        return gf_fail(err, GF_MISUSED, "%s: the size must be 1x1 to %dx%d, not %lldx%lld", name, INT_MAX, INT_MAX,
                       (long long)g.width, (long long)g.units);
    if (f->kind == GF_IMAGE ? g.units < 1 : g.units < 0 && g.units != GPUFILTER_UNKNOWN)
        return gf_fail(err, GF_MISUSED, "%s: units must be %s, not %lld", name,
                       f->kind == GF_IMAGE ? "1 or more" : "0 or more, or GPUFILTER_UNKNOWN", (long long)g.units);
    if (g.units > INT64_MAX / 64 / GF_MAX_CHANNELS)
        return gf_fail(err, GF_MISUSED, "%s: there are too many frames", name);
    f->channels = g.channels;
    f->alpha = f->kind == GF_IMAGE && g.alpha != 0 && g.channels > 1;
    f->width = f->kind == GF_IMAGE ? g.width : 1;
    f->units = g.units;
    f->rate = f->kind == GF_AUDIO ? g.rate : 0;
    return 0;
}

int gf_library_write_format(gpufilter_format *to, const struct gf_format *f, bool half, struct gf_error *err)
{
    gpufilter_format g = { .kind = f->kind == GF_IMAGE ? GPUFILTER_IMAGE : GPUFILTER_AUDIO,
                           .bits = f->bits, .maxval = f->maxval, .channels = f->channels, .alpha = f->alpha,
                           .width = f->width, .units = f->units, .rate = f->rate };

    for (int i = GPUFILTER_U8; i <= GPUFILTER_F64; i++)
        if (types[i] == f->type)
            g.type = half ? GPUFILTER_F16 : i;
    return gf_library_hand_out(to, &g, sizeof g, sizeof g, "format", err);
}

int gf_library_read_video(struct gf_format *f, const gpufilter_video *given, bool *states_matrix, struct gf_error *err)
{
    const int bits = gf_maxval_bits(f->maxval);
    gpufilter_video v;

    if (given == NULL)
        return 0;
    if (!gf_library_copy(&v, sizeof v, given, sizeof v))
        return gf_fail(err, GF_MISUSED, "video: size is wrong; set it to sizeof(gpufilter_video)");
    if (f->kind != GF_IMAGE || is_float(f->type) || (f->channels != 1 && f->channels != 3) || f->alpha
        || f->maxval != (1u << bits) - 1 || bits < 8 || (f->type == GF_U8) != (bits == 8))
        return gf_fail(err, GF_MISUSED, "video: frames in planes have 1 or 3 channels, and 8 to 16 bits");
    if (v.sub_x < 0 || v.sub_x > 2 || v.sub_y < 0 || v.sub_y > (v.sub_x == 1))
        return gf_fail(err, GF_MISUSED, "video: must be 4:2:0, 4:2:2, 4:4:4 or 4:1:1; sub_x=%d and sub_y=%d are none "
                       "of them", v.sub_x, v.sub_y);
    if ((v.matrix != 0 && v.matrix != 601 && v.matrix != 709) || v.siting < GPUFILTER_SITED_PLAIN
        || v.siting > GPUFILTER_SITED_PALDV)
        return gf_fail(err, GF_MISUSED, "video: matrix must be 601, 709 or 0, and siting one of GPUFILTER_SITED_");
    *states_matrix = v.matrix != 0;
    f->bits = bits;
    f->yuv = (struct gf_yuv) { .used = 1, .mono = f->channels == 1, .bits = bits, .full = v.full != 0, .interlace = 'p',
                               .matrix = v.matrix != 0 ? v.matrix : f->units < GF_Y4M_HD_ROWS ? 601 : 709 };
    if (f->channels == 3) {
        f->yuv.sub_x = v.sub_x;
        f->yuv.sub_y = v.sub_y;
        f->yuv.siting = v.siting;
    }
    return 0;
}
