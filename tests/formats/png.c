/*
 * PNG: files of all types by an independent encoder; files that are cut short, damaged or hostile.
 */
#define _GNU_SOURCE
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "png_common.h"

static unsigned char want[sizeof gf_png_got];

static bool reads(const struct gf_png_kind *k, size_t split)
{
    struct gf_bytes b = { 0 };
    uint16_t *v = gf_png_make(&b, k, split);
    const size_t size = gf_png_expected(k, v, want);
    bool good = true;

    for (int piped = 0; piped < 2; piped++) {
        struct gf_format f;
        const int64_t bytes = gf_png_read(&b, piped, &f, NULL);

        if (bytes != (int64_t)size || memcmp(gf_png_got, want, size) != 0 || f.width != k->width || f.units != k->height
            || f.alpha != (k->keyed || k->colour >= 4)) {
            printf("# colour %d depth %d interlaced %d keyed %d, %ux%u: %lld bytes for %zu; %s\n", k->colour, k->depth,
                   k->interlaced, k->keyed, k->width, k->height, (long long)bytes, size, gf_said.text);
            good = false;
        }
    }
    free(b.at);
    free(v);
    return good;
}

static void test_kinds(void)
{
    for (size_t i = 0; i < sizeof gf_png_kinds / sizeof gf_png_kinds[0]; i++) {
        struct gf_png_kind k = { .colour = gf_png_kinds[i].colour, .depth = gf_png_kinds[i].depth };
        bool good = true;

        for (int n = 0; n < 4; n++) {
            k.interlaced = n & 1;
            k.keyed = n >> 1 && k.colour < 4;
            for (k.width = 1; k.width <= 9; k.width++)
                for (k.height = 1; k.height <= 9; k.height += 1 + gf_dice(3))
                    good = reads(&k, 1 + gf_dice(40)) && good;
            k.width = 61;
            k.height = 43;
            good = reads(&k, 700) && good;
        }
        gf_ok(good, "colour %d of %d bits", k.colour, k.depth);
    }
}

static bool is_text(const struct gf_meta *m, int i, const char *key, const char *value)
{
    return i < m->texts && strcmp(m->text[i].key, key) == 0 && strcmp(m->text[i].value, value) == 0;
}

static bool is_all_there(const struct gf_meta *m, const unsigned char *icc)
{
    return m->x_per_metre == 3937 && m->y_per_metre == 5000 && m->icc_bytes == 200 && memcmp(m->icc, icc, 200) == 0
        && m->exif_bytes == 10 && memcmp(m->exif, "MM\0*\0\0\0\x08\0\0", 10) == 0 && m->texts == 4
        && is_text(m, 0, "Title", "caf\xc3\xa9") && is_text(m, 1, "Comment", "packed")
        && is_text(m, 2, "Author", "\xe2\x82\xac 5")
        && is_text(m, 3, "Software", "last");
}

static void add_beside(struct gf_bytes *b, const unsigned char *icc)
{
    struct gf_bytes z = { 0 };

    gf_add(&z, "name\0", 6);
    gf_zlib(&z, icc, 200);
    gf_png_chunk(b, "iCCP", z.at, z.size);
    gf_png_chunk(b, "pHYs", "\0\0\x0f\x61\0\0\x13\x88\1", 9);
    gf_png_chunk(b, "eXIf", "MM\0*\0\0\0\x08\0\0", 10);
    gf_png_chunk(b, "tEXt", "Title\0caf\xe9", 10);
    z.size = 0;
    gf_add(&z, "Comment\0", 9);
    gf_zlib(&z, (const unsigned char *)"packed", 6);
    gf_png_chunk(b, "zTXt", z.at, z.size);
    gf_png_chunk(b, "iTXt", "Author\0\0\0en\0Autor\0\xe2\x82\xac 5", 23);
    free(z.at);
}

static void write_with(const struct gf_meta *meta, bool strip)
{
    const struct gf_format f = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3,
                                 .width = 1, .units = 1 };
    const struct gf_write_options o = { .to = "png", .compression = -1, .strip = strip };
    struct gf_error err;
    struct gf_writer *w = gf_writer_open("out.png", &o, &f, false, &err);

    if (w == NULL)
        exit(1);
    w->meta = meta;
    if (gf_writer_begin(w, &f, &err) != 0 || gf_writer_write(w, "abc", 1, &err) != 0 || gf_writer_end(w, &err) != 0
        || gf_writer_commit(w, &err) != 0)
        exit(1);
    gf_writer_close(w);
}

static void test_beside(void)
{
    const struct gf_png_kind k = { .colour = 2, .depth = 8, .width = 1, .height = 1 };
    const uint16_t v[3] = { 1, 2, 3 };
    unsigned char icc[200] = { 0 };
    struct gf_meta m = { 0 }, again = { 0 };
    struct gf_bytes b = { 0 };
    struct gf_format f;

    memcpy(icc + 16, "RGB ", 4);
    memcpy(icc + 36, "acsp", 4);
    gf_png_begin(&b, &k);
    add_beside(&b, icc);
    gf_png_picture(&b, &k, v, 5);
    gf_png_chunk(&b, "tEXt", "Software\0last", 13);
    gf_png_chunk(&b, "IEND", NULL, 0);
    gf_ok(gf_png_read(&b, false, &f, &m) == 3 && is_all_there(&m, icc),
          "profile, EXIF, resolution and texts, also behind the picture");
    write_with(&m, false);
    gf_ok(gf_png_read_file("out.png", &f, &again) == 3 && is_all_there(&again, icc), "texts and profiles are written");
    gf_meta_release(&again);
    write_with(&m, true);
    gf_ok(gf_png_read_file("out.png", &f, &again) == 3 && again.texts == 0 && again.icc == NULL && again.exif == NULL
          && again.x_per_metre == 0, "or not, where only samples are wanted");
    gf_meta_release(&again);
    gf_meta_release(&m);
    gf_ok(gf_meta_add_text(&m, "bad\nkey", "x", &(struct gf_error) { 0 }) == 0
          && gf_meta_add_text(&m, "", "x", &(struct gf_error) { 0 }) == 0, "keys that PNG can't hold");
    write_with(&m, false);
    gf_ok(gf_png_read_file("out.png", &f, &again) == 3 && again.texts == 0, "invalid texts are left out");
    gf_meta_release(&again);
    gf_meta_release(&m);
    free(b.at);
}

/* Concatenated images with data after them. One of the images is not read to its end. */
static void test_several(void)
{
    const struct gf_png_kind first = { .colour = 2, .depth = 8, .width = 7, .height = 9 };
    const struct gf_png_kind second = { .depth = 16, .width = 3, .height = 2 };
    struct gf_bytes a = { 0 }, b = { 0 };
    struct gf_error err = { 0 };
    struct gf_reader *r;
    uint16_t *v;

    free(gf_png_make(&a, &first, 30));
    v = gf_png_make(&b, &second, 30);
    gf_add(&a, b.at, b.size);
    gf_add(&a, "rest", 4);
    gf_png_put_file("in.png", &a);
    r = gf_reader_open("in.png", &gf_png_usual, &err);
    gf_ok(r != NULL && gf_reader_read(r, gf_png_got, 1, &err) == 1 && gf_reader_next(r, &err) == 1,
          "the next picture, in the midst of one");
    gf_ok(r != NULL && r->format.type == GF_U16 && r->format.width == 3 && gf_reader_read(r, gf_png_got, 5, &err) == 2
          && memcmp(gf_png_got, v, 12) == 0, "is another");
    gf_ok(r != NULL && gf_reader_next(r, &err) == 0, "the last of several PNGs is followed by nothing");
    gf_reader_close(r);
    free(a.at);
    free(b.at);
    free(v);
}

int main(void)
{
    char folder[] = "/tmp/gpufilter-png-XXXXXX";

#if !defined(HAVE_ISAL) && !defined(HAVE_ZLIB)
    printf("1..0 # SKIP nothing to inflate with: PNG is read by stb_image\n");
    return 0;
#endif
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    test_kinds();
    gf_test_damage();
    gf_test_hostile_headers();
    gf_test_hostile_chunks();
    gf_test_hostile_rows();
    gf_test_mutations();
    test_beside();
    test_several();
    gf_test_animation();
    if (unlink("in.png") == 0 && unlink("out.png") == 0 && chdir("/") == 0)
        rmdir(folder);
    return gf_tap_end();
}
