/*
 * The JPEG reader and writer with the codec of a device. The codec here runs on the host: libjpeg
 * decodes to planes, and the functions that a GPU calls for each pixel and each block do the rest.
 * All samples and all bytes must be the same as without the codec.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "base/jpeg_codec.h"
#include "device/cuda/device_cuda_jpeg_blocks.h"
#include "device/cuda/device_cuda_jpeg_pixels.h"
#include "io/io.h"
#include "tests/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_JPEG
#include <jpeglib.h>

#define MOST_WIDTH 80
#define MOST_ROWS 64

struct fake {
    struct gf_jpeg_codec base;
    int decoded, transformed;            /* calls */
    bool refuses;                        /* leaves all images to the reader */
    unsigned char in[MOST_ROWS * MOST_WIDTH * 3], out[MOST_ROWS * MOST_WIDTH * 3];
    int16_t coefficients[MOST_ROWS * MOST_WIDTH * 3];
};

static unsigned char plane[3][MOST_ROWS][MOST_WIDTH];

/* Decodes to planes of Y, Cb and Cr, which have as many columns and rows as in the file. */
static void decode_planes(j_decompress_ptr d)
{
    JSAMPROW rows[3][32];
    JSAMPARRAY planes[3] = { rows[0], rows[1], rows[2] };

    d->raw_data_out = TRUE;
    d->out_color_space = d->jpeg_color_space;
    jpeg_start_decompress(d);
    while (d->output_scanline < d->output_height) {
        const int at = (int)d->output_scanline, step = d->max_v_samp_factor * DCTSIZE;

        for (int i = 0; i < d->num_components; i++)
            for (int k = 0; k < step; k++) {
                const int row = at * d->comp_info[i].v_samp_factor / d->max_v_samp_factor + k;

                rows[i][k] = plane[i][row < MOST_ROWS ? row : MOST_ROWS - 1];
            }
        jpeg_read_raw_data(d, planes, (JDIMENSION)step);
    }
    jpeg_finish_decompress(d);
}

static int fake_decode(struct gf_jpeg_codec *c, const unsigned char *jpeg, size_t bytes, const struct gf_format *f,
                       void **samples, struct gf_error *err)
{
    struct fake *fake = (struct fake *)(void *)c;
    struct gf_jpeg_chroma chroma = { { plane[1][0], plane[2][0] }, MOST_WIDTH, 0, 0, false, false };
    struct jpeg_decompress_struct d;
    struct jpeg_error_mgr errors;

    fake->decoded++;
    if (fake->refuses) {
        gf_fail_memory(err, NULL);
        return 0;
    }
    d.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&d);
    jpeg_mem_src(&d, jpeg, bytes);
    jpeg_read_header(&d, TRUE);
    chroma.half_columns = d.comp_info[0].h_samp_factor == 2;
    chroma.half_rows = d.comp_info[0].v_samp_factor == 2;
    chroma.width = (int)gf_ceil_div(f->width, chroma.half_columns ? 2 : 1);
    chroma.rows = (int)gf_ceil_div(f->units, chroma.half_rows ? 2 : 1);
    decode_planes(&d);
    jpeg_destroy_decompress(&d);
    for (int y = 0; y < f->units; y++)
        for (int x = 0; x < f->width; x++) {
            if (f->channels == 1)
                fake->in[y * f->width + x] = plane[0][y][x];
            else
                gf_jpeg_pixel(&chroma, plane[0][y][x], x, y, fake->in + (y * f->width + x) * 3);
        }
    *samples = fake->in;
    return 1;
}

static int fake_prepare(struct gf_jpeg_codec *c, const struct gf_format *f, void **samples, struct gf_error *err)
{
    (void)f;
    (void)err;
    *samples = ((struct fake *)(void *)c)->out;
    return 0;
}

static int fake_transform(struct gf_jpeg_codec *c, const struct gf_format *f, int subsampling,
                          const uint16_t quantizers[2][64], const int16_t **coefficients, struct gf_error *err)
{
    struct fake *fake = (struct fake *)(void *)c;
    const struct gf_jpeg_pixels pixels = { fake->out, (int)f->width, (int)f->units, f->channels };
    int16_t *to = fake->coefficients;

    (void)err;
    fake->transformed++;
    for (int i = 0; i < f->channels; i++) {
        const struct gf_jpeg_sub sub = { i > 0 && subsampling != 444, i > 0 && subsampling == 420 };

        for (int y = 0; y < gf_ceil_div(f->units, sub.half_rows ? 16 : 8); y++)
            for (int x = 0; x < gf_ceil_div(f->width, sub.half_columns ? 16 : 8); x++, to += 64)
                gf_jpeg_block(&pixels, i, sub, x, y, quantizers[i > 0], to);
    }
    *coefficients = fake->coefficients;
    return 0;
}

static const struct gf_jpeg_codec_ops fake_ops = { fake_decode, fake_prepare, fake_transform };

static struct fake fake;

/* Forgets all calls. */
static struct fake *new_codec(bool refuses)
{
    memset(&fake, 0, sizeof fake);
    fake.base.ops = &fake_ops;
    fake.refuses = refuses;
    return &fake;
}

/* ---- files ---- */

static unsigned char file[200000], other[200000], pixels[MOST_ROWS * MOST_WIDTH * 3];
static int width = 61, rows = 47;        /* of the images */

static size_t get(const char *name, unsigned char *bytes)
{
    FILE *f = fopen(name, "rb");
    const size_t size = f != NULL ? fread(bytes, 1, sizeof file, f) : 0;

    if (f != NULL)
        fclose(f);
    return size;
}

static void put(const char *name, const unsigned char *bytes, size_t size)
{
    FILE *f = fopen(name, "wb");

    if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0)
        exit(1);
}

/* Fills the image with smooth colors, or with noise. */
static void fill(bool noise)
{
    uint32_t seed = 1;

    for (int i = 0; i < MOST_ROWS * MOST_WIDTH * 3; i++) {
        seed = seed * 1664525 + 1013904223;
        pixels[i] = (unsigned char)(noise ? seed >> 24 : (unsigned)(i / 7 % 200 + i % 31));
    }
}

/* Writes an image with metadata, with or without a codec. Returns 0 or -1. */
static int write_image(const char *name, int channels, const struct gf_write_options *o, struct fake *codec)
{
    const struct gf_format f = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = channels,
                                 .width = width, .units = rows };
    struct gf_meta meta = { .x_per_metre = 3937, .y_per_metre = 3937 };
    struct gf_error err = { 0 };
    struct gf_writer *w = gf_writer_open(name, o, &f, false, &err);
    int result = -1;

    if (gf_meta_set_exif(&meta, (const unsigned char *)"MM\0*\0\0\0\x08\0\0\0\0\0\0", 14, &err) != 0 || w == NULL)
        return -1;
    w->meta = &meta;
    w->codec = codec != NULL ? &codec->base : NULL;
    if (gf_writer_begin(w, &f, &err) == 0) {
        result = 0;
        if (w->random)
            memcpy(w->ops->in_place(w, 0), pixels, (size_t)rows * gf_unit_bytes(&f));
        else
            result = gf_writer_write(w, pixels, rows, &err);
        if (result == 0)
            result = gf_writer_end(w, &err) == 0 && gf_writer_commit(w, &err) == 0 ? 0 : -1;
    }
    gf_said = err;
    gf_writer_close(w);
    gf_meta_release(&meta);
    return result;
}

static const struct { const char *name; int channels; struct gf_write_options o; } kinds[] = {
    { "gray", 1, { .compression = -1 } },
    { "color", 3, { .compression = -1 } },
    { "color of quality 1", 3, { .quality = 1 } },
    { "color of quality 50", 3, { .quality = 50 } },
    { "color of quality 100", 3, { .quality = 100 } },
    { "4:2:2", 3, { .subsampling = 422 } },
    { "4:2:0 of quality 95", 3, { .quality = 95, .subsampling = 420 } },
    { "progressive", 3, { .progressive = true } },
    { "without metadata", 3, { .strip = true } },
};
#define KINDS (sizeof kinds / sizeof *kinds)

static void test_writing(void)
{
    for (size_t i = 0; i < KINDS; i++) {
        struct fake *codec = new_codec(false);
        size_t size;

        if (write_image("a.jpg", kinds[i].channels, &kinds[i].o, NULL) != 0
            || write_image("b.jpg", kinds[i].channels, &kinds[i].o, codec) != 0)
            gf_ok(false, "writing %s", kinds[i].name);
        size = get("a.jpg", file);
        gf_ok(size > 300 && get("b.jpg", other) == size && memcmp(file, other, size) == 0,
              "%dx%d, %s has the same bytes", width, rows, kinds[i].name);
        gf_is(codec->transformed, 1, "%dx%d, %s: the codec is called once", width, rows, kinds[i].name);
    }
}

/* ---- reading ---- */

/* Reads all images, with a codec for each. Returns their number, and the sum of their samples; -1 on failure. */
static int read_images(const char *name, const struct gf_read_options *o, struct fake *codec, uint64_t *sum)
{
    static unsigned char units[MOST_WIDTH * MOST_ROWS * 4];
    struct gf_error err = { 0 };
    struct gf_reader *r = gf_reader_open(name, o, &err);
    int images = 0, more = r != NULL;

    for (*sum = 0; more == 1; images++) {
        const unsigned char *at = units;

        if (codec != NULL && r->ops->use_codec(r, &codec->base, &err) != 0)
            more = -1;
        else if (r->random && r->ops->in_place != NULL)
            at = r->ops->in_place(r, 0);
        else if (gf_reader_read(r, units, r->format.units, &err) != r->format.units)
            more = -1;
        for (size_t i = 0; more == 1 && i < (size_t)r->format.units * gf_unit_bytes(&r->format); i++)
            *sum = *sum * 31 + at[i];
        more = more == 1 ? gf_reader_next(r, &err) : more;
    }
    gf_said = err;
    if (r != NULL)
        gf_reader_close(r);
    return more < 0 || r == NULL ? -1 : images;
}

static void check_reading(const char *what, const char *name, const struct gf_read_options *o, int images, int calls)
{
    for (int refuses = 0; refuses < 2; refuses++) {
        struct fake *codec = new_codec(refuses);
        uint64_t with, without;
        char called[100];

        snprintf(called, sizeof called, "%dx%d, %s, %s codec", width, rows, what, refuses ? "refusing" : "working");
        gf_is(read_images(name, o, NULL, &without), images, "%s: images without it", called);
        gf_is(read_images(name, o, codec, &with), images, "%s: images with it", called);
        gf_ok(images < 0 || with == without, "%s: the same samples", called);
        gf_is(codec->decoded, calls, "%s: calls of it", called);
        gf_is(gf_said.text[0] != '\0', images < 0 || (refuses && calls > 0), "%s: a message", called);
    }
}

/* Copies a.jpg to long.jpg with `segments` of metadata, which have 65537 bytes each. */
static void put_long(int segments)
{
    static const unsigned char segment[65537] = { 0xFF, 0xEF, 0xFF, 0xFF };
    const size_t size = get("a.jpg", file);
    FILE *f = fopen("long.jpg", "wb");
    bool whole = f != NULL && fwrite(file, 1, 2, f) == 2;

    for (int i = 0; whole && i < segments; i++)
        whole = fwrite(segment, 1, sizeof segment, f) == sizeof segment;
    if (!whole || fwrite(file + 2, 1, size - 2, f) != size - 2 || fclose(f) != 0)
        exit(1);
}

static void test_reading(void)
{
    static const struct gf_read_options plain = { .from = NULL }, salvage = { .salvage = true };
    static const struct gf_write_options usual = { .compression = -1 }, progressive = { .progressive = true };
    size_t size;

    if (write_image("a.jpg", 3, &usual, NULL) != 0 || write_image("g.jpg", 1, &usual, NULL) != 0
        || write_image("p.jpg", 3, &progressive, NULL) != 0)
        exit(1);
    check_reading("one in color", "a.jpg", &plain, 1, 1);
    check_reading("gray", "g.jpg", &plain, 1, 1);
    check_reading("progressive", "p.jpg", &plain, 1, 0);
    check_reading("read in advance for --salvage", "a.jpg", &salvage, 1, 0);
    put_long(16);
    check_reading("longer than a megabyte", "long.jpg", &plain, 1, 1);
    put_long(17);
    check_reading("longer than usual files", "long.jpg", &plain, 1, 0);
    size = get("a.jpg", file);
    memcpy(file + size, file, size);
    put("two.jpg", file, 2 * size);
    check_reading("two images", "two.jpg", &plain, 2, 2);
    memcpy(file + 2 * size, "more", 4);
    put("tail.jpg", file, 2 * size + 4);
    check_reading("two images and other data", "tail.jpg", &plain, 2, 2);
    put("cut.jpg", file, size - 300);
    check_reading("cut short", "cut.jpg", &plain, -1, 0);
    put("cut.jpg", file, size - 2);
    check_reading("without an end marker", "cut.jpg", &plain, 1, 0);
    put("cut.jpg", file, size + size / 2);
    check_reading("the second cut short", "cut.jpg", &plain, -1, 1);
}

/* Tests images of many sizes, which begin and end anywhere in a block. */
static void test_sizes(void)
{
    static const int sizes[][2] = { { 64, 48 }, { 65, 33 }, { 17, 33 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 9 },
                                    { 5, 5 }, { 6, 1 }, { 1, 60 }, { 77, 1 }, { 80, 64 } };
    static const struct gf_read_options plain = { .from = NULL };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        width = sizes[i][0];
        rows = sizes[i][1];
        fill(i % 2);
        test_writing();
        for (size_t k = 0; k < KINDS; k++)
            if (write_image("a.jpg", kinds[k].channels, &kinds[k].o, NULL) == 0)
                check_reading(kinds[k].name, "a.jpg", &plain, 1, !kinds[k].o.progressive);
    }
}

int main(void)
{
    char folder[] = "/tmp/gpufilter-codec-XXXXXX";
    static const char *const names[] = { "a.jpg", "b.jpg", "g.jpg", "p.jpg", "two.jpg", "long.jpg", "tail.jpg",
                                         "cut.jpg" };

    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    fill(false);
    test_writing();
    test_reading();
    test_sizes();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(names[i]);
    rmdir(folder);
    return gf_tap_end();
}
#else
int main(void)
{
    puts("1..0 # SKIP built without libjpeg");
    return 0;
}
#endif
