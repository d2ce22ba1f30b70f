/*
 * The JPEG reader and writer with the codec of a device. The codec here is libjpeg, and the memory
 * of its device is that of the host, so all samples and all bytes must be the same as without it.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "base/jpeg_codec.h"
#include "io/io.h"
#include "tests/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_JPEG
#include <jpeglib.h>

#define WIDTH 61
#define ROWS 47

struct fake {
    struct gf_jpeg_codec base;
    int decoded, encoded;                /* calls */
    bool refuses;                        /* leaves all images to the reader and the writer */
    unsigned char *in, *out, *coded;
};

static int fake_decode(struct gf_jpeg_codec *c, const unsigned char *jpeg, size_t bytes, const struct gf_format *f,
                       void **samples, struct gf_error *err)
{
    struct fake *fake = (struct fake *)(void *)c;
    struct jpeg_decompress_struct d;
    struct jpeg_error_mgr errors;

    (void)err;
    fake->decoded++;
    if (fake->refuses)
        return 0;
    d.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&d);
    jpeg_mem_src(&d, jpeg, bytes);
    jpeg_read_header(&d, TRUE);
    jpeg_start_decompress(&d);
    free(fake->in);
    *samples = fake->in = malloc((size_t)f->units * gf_unit_bytes(f));
    while (d.output_scanline < d.output_height) {
        JSAMPROW row = fake->in + d.output_scanline * gf_unit_bytes(f);

        jpeg_read_scanlines(&d, &row, 1);
    }
    jpeg_finish_decompress(&d);
    jpeg_destroy_decompress(&d);
    return 1;
}

static int fake_prepare(struct gf_jpeg_codec *c, const struct gf_format *f, void **samples, struct gf_error *err)
{
    struct fake *fake = (struct fake *)(void *)c;

    (void)err;
    free(fake->out);
    *samples = fake->out = malloc((size_t)f->units * gf_unit_bytes(f));
    return 1;
}

/* Writes metadata of its own, which must not get into the file. */
static int fake_encode(struct gf_jpeg_codec *c, const struct gf_format *f, int quality, int subsampling,
                       const unsigned char **jpeg, size_t *bytes, struct gf_error *err)
{
    struct fake *fake = (struct fake *)(void *)c;
    struct jpeg_compress_struct e;
    struct jpeg_error_mgr errors;
    unsigned long size = 0;

    (void)err;
    fake->encoded++;
    if (fake->refuses)
        return 0;
    e.err = jpeg_std_error(&errors);
    jpeg_create_compress(&e);
    free(fake->coded);
    fake->coded = NULL;
    jpeg_mem_dest(&e, &fake->coded, &size);
    e.image_width = (JDIMENSION)f->width;
    e.image_height = (JDIMENSION)f->units;
    e.input_components = f->channels;
    e.in_color_space = f->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&e);
    jpeg_set_quality(&e, quality, TRUE);
    e.comp_info[0].h_samp_factor = f->channels == 1 || subsampling == 444 ? 1 : 2;
    e.comp_info[0].v_samp_factor = f->channels == 3 && subsampling == 420 ? 2 : 1;
    jpeg_start_compress(&e, TRUE);
    jpeg_write_marker(&e, JPEG_COM, (const JOCTET *)"of the codec", 12);
    while (e.next_scanline < e.image_height) {
        JSAMPROW row = fake->out + e.next_scanline * gf_unit_bytes(f);

        jpeg_write_scanlines(&e, &row, 1);
    }
    jpeg_finish_compress(&e);
    jpeg_destroy_compress(&e);
    *jpeg = fake->coded;
    *bytes = size;
    return 1;
}

static int fake_download(struct gf_jpeg_codec *c, const struct gf_format *f, void *samples, struct gf_error *err)
{
    (void)err;
    memcpy(samples, ((struct fake *)(void *)c)->out, (size_t)f->units * gf_unit_bytes(f));
    return 0;
}

static const struct gf_jpeg_codec_ops fake_ops = { fake_decode, fake_prepare, fake_encode, fake_download };

static void release(struct fake *fake)
{
    free(fake->in);
    free(fake->out);
    free(fake->coded);
}

/* ---- files ---- */

static unsigned char file[200000], other[200000], pixels[WIDTH * ROWS * 3];

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

static void fill(void)
{
    for (int i = 0; i < WIDTH * ROWS * 3; i++)
        pixels[i] = (unsigned char)(i / 7 % 200 + i % 31);
}

/* Writes an image with metadata, with or without a codec. Returns 0 or -1. */
static int write_image(const char *name, int channels, const struct gf_write_options *o, struct fake *fake)
{
    const struct gf_format f = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = channels,
                                 .width = WIDTH, .units = ROWS };
    struct gf_meta meta = { .x_per_metre = 3937, .y_per_metre = 3937 };
    struct gf_error err = { 0 };
    struct gf_writer *w = gf_writer_open(name, o, &f, false, &err);
    int result = -1;

    if (gf_meta_set_exif(&meta, (const unsigned char *)"MM\0*\0\0\0\x08\0\0\0\0\0\0", 14, &err) != 0 || w == NULL)
        return -1;
    w->meta = &meta;
    w->codec = fake != NULL ? &fake->base : NULL;
    if (gf_writer_begin(w, &f, &err) == 0) {
        result = 0;
        if (w->random)
            memcpy(w->ops->in_place(w, 0), pixels, (size_t)ROWS * gf_unit_bytes(&f));
        else
            result = gf_writer_write(w, pixels, ROWS, &err);
        if (result == 0)
            result = gf_writer_end(w, &err) == 0 && gf_writer_commit(w, &err) == 0 ? 0 : -1;
    }
    gf_said = err;
    gf_writer_close(w);
    gf_meta_release(&meta);
    return result;
}

static void test_writing(void)
{
    static const struct { const char *name; int channels; struct gf_write_options o; int calls; } rows[] = {
        { "gray", 1, { .compression = -1 }, 1 },
        { "color", 3, { .compression = -1 }, 1 },
        { "color of quality 50", 3, { .quality = 50 }, 1 },
        { "color of quality 100", 3, { .quality = 100 }, 1 },
        { "4:2:2", 3, { .subsampling = 422 }, 1 },
        { "4:2:0 of quality 95", 3, { .quality = 95, .subsampling = 420 }, 1 },
        { "progressive, which the codec cannot", 3, { .progressive = true }, 0 },
        { "without metadata", 3, { .strip = true }, 1 },
    };

    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        struct fake fake = { .base = { &fake_ops }, .refuses = i % 2 };
        size_t size;

        if (write_image("a.jpg", rows[i / 2].channels, &rows[i / 2].o, NULL) != 0
            || write_image("b.jpg", rows[i / 2].channels, &rows[i / 2].o, &fake) != 0)
            gf_ok(false, "writing %s", rows[i / 2].name);
        size = get("a.jpg", file);
        gf_ok(size > 500 && get("b.jpg", other) == size && memcmp(file, other, size) == 0, "%s has the same bytes%s",
              rows[i / 2].name, i % 2 ? " if the codec refuses it" : "");
        gf_is(fake.encoded, rows[i / 2].calls, "the codec is asked %d times", rows[i / 2].calls);
        release(&fake);
    }
}

/* ---- reading ---- */

/* Reads all images, with a codec for each. Returns their number, and the sum of their samples; -1 on failure. */
static int read_images(const char *name, const struct gf_read_options *o, struct fake *fake, uint64_t *sum)
{
    static unsigned char units[WIDTH * ROWS * 4];
    struct gf_error err = { 0 };
    struct gf_reader *r = gf_reader_open(name, o, &err);
    int images = 0, more = r != NULL;

    for (*sum = 0; more == 1; images++) {
        const unsigned char *at = units;

        if (fake != NULL && r->ops->use_codec(r, &fake->base, &err) != 0)
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
        struct fake fake = { .base = { &fake_ops }, .refuses = refuses };
        uint64_t with, without;

        gf_is(read_images(name, o, NULL, &without), images, "%s: images", what);
        gf_is(read_images(name, o, &fake, &with), images, "%s: images with a codec%s", what,
              refuses ? " that refuses them" : "");
        gf_ok(images < 0 || with == without, "%s: the same samples", what);
        gf_is(fake.decoded, calls, "%s: calls of the codec", what);
        release(&fake);
    }
}

static void test_reading(void)
{
    static const struct gf_read_options plain = { .from = NULL }, salvage = { .salvage = true };
    static const struct gf_write_options usual = { .compression = -1 }, progressive = { .progressive = true };
    size_t size;

    if (write_image("a.jpg", 3, &usual, NULL) != 0 || write_image("g.jpg", 1, &usual, NULL) != 0
        || write_image("p.jpg", 3, &progressive, NULL) != 0)
        exit(1);
    check_reading("color", "a.jpg", &plain, 1, 1);
    check_reading("gray", "g.jpg", &plain, 1, 1);
    check_reading("progressive", "p.jpg", &plain, 1, 0);
    check_reading("read in advance for --salvage", "a.jpg", &salvage, 1, 0);
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

int main(void)
{
    char folder[] = "/tmp/gpufilter-codec-XXXXXX";
    static const char *const names[] = { "a.jpg", "b.jpg", "g.jpg", "p.jpg", "two.jpg", "tail.jpg", "cut.jpg" };

    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    fill();
    test_writing();
    test_reading();
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
