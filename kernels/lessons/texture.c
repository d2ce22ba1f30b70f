/* The lesson on textures. */
#include "kernels/lessons/texture.h"
#include "kernels/lessons/steps.h"

static void rotate(const struct gf_lesson_io *io, int64_t first, int64_t end,
                   enum gf_lesson_beyond beyond)
{
    const struct gf_lesson_rotation r = gf_lesson_rotation_by(io->value, io->count);
    float *dst = io->dst;

    for (int64_t i = first; i < end && i < (int64_t)r.width * r.rows; i++) {
        const int x = (int)(i % r.width), y = (int)(i / r.width);

        dst[i] = gf_lesson_bilinear(io->src, &r, gf_lesson_rotated_u(&r, x, y), gf_lesson_rotated_v(&r, x, y), beyond);
    }
}

static void clamped(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    rotate(io, first, end, GF_LESSON_CLAMPED);
}

static void wrapped(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    rotate(io, first, end, GF_LESSON_WRAPPED);
}

static void mirrored(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    rotate(io, first, end, GF_LESSON_MIRRORED);
}

/* Returns a sample; 0 beyond the edges. */
static float sample_or_zero(const float *src, const struct gf_lesson_rotation *r, int x, int y)
{
    return x >= 0 && x < r->width && y >= 0 && y < r->rows ? src[(int64_t)y * r->width + x] : 0;
}

static void bordered(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const struct gf_lesson_rotation r = gf_lesson_rotation_by(io->value, io->count);
    const float *src = io->src;
    float *dst = io->dst;

    for (int64_t i = first; i < end && i < (int64_t)r.width * r.rows; i++) {
        const int x = (int)(i % r.width), y = (int)(i / r.width);
        const float u = gf_lesson_rotated_u(&r, x, y), v = gf_lesson_rotated_v(&r, x, y);
        const int left = (int)floorf(u), top = (int)floorf(v);
        const float a = u - (float)left, b = v - (float)top;

        dst[i] = (1 - b) * ((1 - a) * sample_or_zero(src, &r, left, top) + a * sample_or_zero(src, &r, left + 1, top))
            + b * ((1 - a) * sample_or_zero(src, &r, left, top + 1) + a * sample_or_zero(src, &r, left + 1, top + 1));
    }
}

const struct gf_lesson gf_lesson_texture = {
    .name = "texture",
    .summary = "rotate an image of floats: bilinear interpolation by hand and by the texture unit",
    .fill = GF_LESSON_FLOATS, .src_bytes = sizeof(float), .dst_bytes = sizeof(float),
    .tolerance = 1.0 / 128,              /* the unit's fractions have 8 bits */
    .axis = "degrees", .values = { 0, 30, 45, 60, 90 }, .value_count = 5, .axis_linear = true,
    .samples = INT64_C(64) << 20,
    .cpu = { { "plain C", clamped } },
    .steps = {
        { "by hand", gf_lesson_texture_hand,
          "each thread loads four samples and weighs them. Rows are stored one after another, so after a rotation by "
          "90 degrees each load of a warp (32 threads) reads from 32 rows, which the first-level cache looks up one "
          "after another" },
        { "texture unit, pitched memory", gf_lesson_texture_pitched,
          "one instruction, tex2D: the texture unit computes the addresses, loads four samples, and weighs them. The "
          "rows are still stored one after another, each from a multiple of some bytes on (the pitch). The image has "
          "been copied there before the clock starts" },
        { "texture unit, array", gf_lesson_texture_array,
          "a cudaArray stores small tiles one after another, so a sample's neighbors in all directions are in the "
          "same part of memory, and the angle matters less. The copy to it, which puts the samples in this order, is "
          "not in the time, either" },
        { "by hand, wrapped", gf_lesson_texture_hand_wrapped,
          "beyond its edges, the image repeats. The remainder of a division costs many instructions, four times for "
          "each sample",
          .wanted = wrapped },
        { "texture unit, wrapped", gf_lesson_texture_array_wrapped,
          "the unit does that, too, without divisions. It needs coordinates from 0 to 1 for this, as for "
          "mirrored edges", .wanted = wrapped },
        { "texture unit, mirrored", gf_lesson_texture_array_mirrored,
          "beyond its edges, the image is followed by its mirror image (cudaAddressModeMirror), and that by the image "
          "again", .wanted = mirrored },
        { "texture unit, border", gf_lesson_texture_array_bordered,
          "beyond its edges, all samples are 0 (cudaAddressModeBorder), so at an edge the mean includes zeros. The "
          "unit computes addresses anyway, so no mode needs instructions of its own", .wanted = bordered } },
    .promises = {
        { 1, 0, GF_LESSON_UP_TO, 4, "one fetch instead of four loads, each from 32 rows", NULL },
        { 2, 0, GF_LESSON_UP_TO, 4, "one fetch instead of four loads",
          "the first-level cache serves the loads that overlap, so both read about as much from memory", .at = 3 },
        { 2, 1, GF_LESSON_UP_TO, 8, "a sector of 32 bytes has 8 floats of one row, of which a column needs one",
          "the rows of a block use the other floats of a sector while it is in the cache" },
        { 4, 3, GF_LESSON_UP_TO, 4, "the unit repeats images by itself, and one fetch replaces four loads",
          "the processors have time for divisions while they wait for memory", .at = 3 },
        { GF_LESSON_OURS, 0, GF_LESSON_TIMES, 1, "both weigh by hand, in floats", NULL, .at = 2 } },
    .operation = "sample", .operation_case = "rotate 30", .operation_form = "plane", .operation_value = 30,
    .operation_why = "bilinear, too, at 30 degrees, with a background beyond the edges. It weighs by hand, which is "
                     "exact; only for gray results of 8 bits it fetches samples through textures, one by one",
    .more_copies = 2, .open = gf_lesson_texture_open, .bind = gf_lesson_texture_bind,
    .close = gf_lesson_texture_close, .tell = gf_lesson_texture_tell,
};
