/* PNG as the standard has it: files made here by another encoder, of every kind, cut, damaged and hostile. */
#define _GNU_SOURCE
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io.h"
#include "png_encoder.h"
#include "tap.h"

static const struct gf_read_options usual = { .max_pixels = 1000000, .max_bytes = 1 << 24 };

/* Reads all of it in steps of three rows; bytes, or -1 with an error of one line. */
static int64_t read_file(const char *path, const struct gf_read_options *o, struct gf_format *f, unsigned char *to, size_t room, struct gf_meta *meta)
{
    struct gf_error err = { 0 };
    struct gf_reader *r = gf_reader_open(path, o, &err);
    int64_t rows = 0, got = r == NULL ? -1 : 0;
    size_t at = 0;
    int more = 1;

    while (r != NULL && more == 1) {
        const size_t bytes = gf_unit_bytes(&r->format);

        *f = r->format;
        if (meta != NULL && gf_meta_copy(meta, &r->meta, &err) != 0)
            exit(1);
        while (at + 3 * bytes <= room && (got = gf_reader_read(r, to + at, 3, &err)) > 0) {
            rows += got;
            at += (size_t)got * bytes;
        }
        more = got < 0 ? -1 : gf_reader_next(r, &err);
    }
    if (r != NULL)
        gf_reader_close(r);
    gf_said = err;
    return r == NULL || got < 0 || more < 0 ? -1 : (int64_t)at;
}

static void put_file(const char *name, const struct gf_bytes *b)
{
    FILE *f = fopen(name, "wb");

    if (f == NULL || fwrite(b->at, 1, b->size, f) != b->size || fclose(f) != 0)
        exit(1);
}

/* As a file, or through a pipe, which has room for it. */
static int64_t read_bytes(const struct gf_bytes *b, bool pipe_it, struct gf_format *f, unsigned char *to, size_t room, struct gf_meta *meta)
{
    int ends[2];
    char path[64];
    int64_t result;

    if (!pipe_it) {
        put_file("in.png", b);
        return read_file("in.png", &usual, f, to, room, meta);
    }
    if (pipe(ends) != 0 || write(ends[1], b->at, b->size) != (ssize_t)b->size)
        exit(1);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    result = read_file(path, &usual, f, to, room, meta);
    close(ends[0]);
    return result;
}

static unsigned char got[1 << 18], want[1 << 18];

static bool reads(const struct gf_png_kind *k, size_t split)
{
    struct gf_bytes b = { 0 };
    uint16_t *v = gf_png_make(&b, k, split);
    const size_t size = gf_png_expected(k, v, want);
    bool good = true;

    for (int piped = 0; piped < 2; piped++) {
        struct gf_format f;
        const int64_t bytes = read_bytes(&b, piped, &f, got, sizeof got, NULL);

        if (bytes != (int64_t)size || memcmp(got, want, size) != 0 || f.width != k->width || f.units != k->height
            || f.alpha != (k->keyed || k->colour >= 4)) {
            printf("# colour %d depth %d interlaced %d keyed %d, %ux%u: %lld bytes for %zu; %s\n", k->colour, k->depth, k->interlaced,
                   k->keyed, k->width, k->height, (long long)bytes, size, gf_said.text);
            good = false;
        }
    }
    free(b.at);
    free(v);
    return good;
}

static const struct { int colour, depth; } kinds[] = {
    { 0, 1 }, { 0, 2 }, { 0, 4 }, { 0, 8 }, { 0, 16 }, { 2, 8 }, { 2, 16 }, { 3, 1 }, { 3, 2 }, { 3, 4 }, { 3, 8 },
    { 4, 8 }, { 4, 16 }, { 6, 8 }, { 6, 16 },
};

static void test_kinds(void)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct gf_png_kind k = { .colour = kinds[i].colour, .depth = kinds[i].depth };
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

/* ---- damage ---- */

static bool refused(const struct gf_bytes *b, bool piped)
{
    struct gf_format f;

    return read_bytes(b, piped, &f, got, sizeof got, NULL) < 0 && gf_said.text[0] != '\0' && strchr(gf_said.text, '\n') == NULL;
}

static void test_damage(void)
{
    const struct gf_png_kind k = { .colour = 2, .depth = 8, .width = 7, .height = 5, .keyed = 1 };
    struct gf_bytes b = { 0 }, part;
    bool cut = true, flipped = true;

    free(gf_png_make(&b, &k, 50));
    for (size_t size = 1; size < b.size; size++) {
        part = (struct gf_bytes) { b.at, size, size };
        cut = refused(&part, false) && refused(&part, true) && cut;
    }
    gf_ok(cut, "cut anywhere");
    for (size_t i = 0; i < b.size; i++) {
        b.at[i] ^= (unsigned char)(1u << gf_dice(8));
        part = b;
        if (!refused(&part, false) || !refused(&part, true)) {
            printf("# byte %zu of %zu was changed\n", i, b.size);
            flipped = false;
        }
        free(b.at);
        b = (struct gf_bytes) { 0 };
        gf_seed(5);
        free(gf_png_make(&b, &k, 50));
    }
    gf_ok(flipped, "a bit turned in any byte");
    free(b.at);
}

static void says(struct gf_bytes *b, const char *part, const char *what)
{
    bool good = refused(b, false) && strstr(gf_said.text, part) != NULL;

    good = refused(b, true) && strstr(gf_said.text, part) != NULL && good;
    gf_ok(good, "%s", what);
}

static void test_hostile_headers(void)
{
    struct gf_png_kind k = { .depth = 8, .width = 0, .height = 2 };
    struct gf_bytes b = { 0 };

    gf_png_begin(&b, &k);
    says(&b, "no pixels", "no columns");
    k.width = UINT32_MAX;
    gf_png_begin(&b, &k);
    says(&b, "too many", "columns without end");
    k = (struct gf_png_kind) { .depth = 16, .colour = 3, .width = 2, .height = 2 };
    gf_png_begin(&b, &k);
    says(&b, "describes no PNG", "a palette of 65536 colours");
    k = (struct gf_png_kind) { .depth = 8, .colour = 200, .width = 2, .height = 2 };
    gf_png_begin(&b, &k);
    says(&b, "describes no PNG", "a kind of colour that is none");
    k = (struct gf_png_kind) { .depth = 8, .width = 3000, .height = 3000 };
    gf_png_begin(&b, &k);
    gf_png_chunk(&b, "IDAT", "", 0);
    says(&b, "--max-pixels", "more pixels than are wanted");
    k = (struct gf_png_kind) { .depth = 16, .colour = 6, .width = 2000000000, .height = 1 };
    gf_png_begin(&b, &k);
    gf_png_chunk(&b, "IDAT", "", 0);
    says(&b, "--max-pixels", "a row longer than memory");
    free(b.at);
}

static void test_hostile_chunks(void)
{
    const struct gf_png_kind gray = { .depth = 8, .width = 2, .height = 2 }, colours = { .colour = 3, .depth = 8, .width = 2, .height = 2 };
    const uint16_t v[4] = { 1, 2, 3, 200 };
    struct gf_bytes b = { 0 };

    gf_png_begin(&b, &colours);
    gf_png_picture(&b, &colours, v, 100);
    gf_png_chunk(&b, "IEND", NULL, 0);
    says(&b, "palette is missing", "no palette");
    gf_png_begin(&b, &gray);
    gf_png_chunk(&b, "IEND", NULL, 0);
    says(&b, "no picture", "no picture");
    gf_png_begin(&b, &gray);
    gf_png_chunk(&b, "ABCD", "x", 1);
    says(&b, "ABCD", "a chunk that nobody knows");
    gf_png_begin(&b, &gray);
    gf_add(&b, "\xff\xff\xff\xffIDAT", 8);
    says(&b, "too long", "a chunk without end");
    b.size = 0;
    gf_add(&b, "\x89PNG\r\n\x1a\n", 8);
    gf_png_picture(&b, &gray, v, 100);
    says(&b, "header is missing", "no header");
    free(b.at);
}

/* A picture of two by two whose rows are `size` bytes; `wrong`: with a sum that is not theirs. */
static void says_of_rows(const char *rows, size_t size, bool wrong, const char *part, const char *what)
{
    const struct gf_png_kind gray = { .depth = 8, .width = 2, .height = 2 };
    struct gf_bytes b = { 0 }, z = { 0 };

    gf_png_begin(&b, &gray);
    gf_zlib(&z, (const unsigned char *)rows, size);
    z.at[z.size - 1] ^= wrong;
    gf_png_chunk(&b, "IDAT", z.at, z.size);
    gf_png_chunk(&b, "IEND", NULL, 0);
    says(&b, part, what);
    free(b.at);
    free(z.at);
}

static void test_hostile_rows(void)
{
    says_of_rows("\0ab", 3, false, "fewer rows", "too few rows");
    says_of_rows("\0ab\5cd", 6, false, "no filter", "a filter that is none");
    says_of_rows("\0ab\0cd", 6, true, "damaged", "a wrong sum of all rows");
}

/* Wrong bytes, right checksums: nothing may happen but a refusal or a picture. */
static void test_mutations(void)
{
    struct gf_bytes b = { 0 };
    struct gf_format f;

    for (int n = 0; n < 2000; n++) {
        const struct gf_png_kind k = { .colour = kinds[n % 15].colour, .depth = kinds[n % 15].depth, .interlaced = (int)gf_dice(2),
                                       .keyed = kinds[n % 15].colour < 4 && gf_dice(2), .width = 1 + gf_dice(20),
                                       .height = 1 + gf_dice(20) };

        free(gf_png_make(&b, &k, 1 + gf_dice(300)));
        for (uint32_t turns = 1 + gf_dice(6); turns > 0; turns--)
            b.at[8 + gf_dice((uint32_t)b.size - 8)] = (unsigned char)gf_dice(256);
        for (size_t at = 8; at + 12 <= b.size;) {
            const size_t size = (size_t)b.at[at] << 24 | (size_t)b.at[at + 1] << 16 | (size_t)b.at[at + 2] << 8 | b.at[at + 3];
            uint32_t sum;

            if (size > b.size - at - 12)
                break;
            sum = gf_crc(b.at + at + 4, size + 4);
            for (int i = 0; i < 4; i++)
                b.at[at + 8 + size + (size_t)i] = (unsigned char)(sum >> (24 - 8 * i));
            at += size + 12;
        }
        read_bytes(&b, n & 1, &f, got, sizeof got, NULL);
    }
    gf_ok(true, "2000 damaged files leave it standing");
    free(b.at);
}

/* ---- beside the picture ---- */

static bool is_text(const struct gf_meta *m, int i, const char *key, const char *value)
{
    return i < m->texts && strcmp(m->text[i].key, key) == 0 && strcmp(m->text[i].value, value) == 0;
}

static bool is_all_there(const struct gf_meta *m, const unsigned char *icc)
{
    return m->x_per_metre == 3937 && m->y_per_metre == 5000 && m->icc_bytes == 200 && memcmp(m->icc, icc, 200) == 0
        && m->exif_bytes == 10 && memcmp(m->exif, "MM\0*\0\0\0\x08\0\0", 10) == 0 && m->texts == 4
        && is_text(m, 0, "Title", "caf\xc3\xa9") && is_text(m, 1, "Comment", "packed") && is_text(m, 2, "Author", "\xe2\x82\xac 5")
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
    const struct gf_format f = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3, .width = 1, .units = 1 };
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
    gf_ok(read_bytes(&b, false, &f, got, sizeof got, &m) == 3 && is_all_there(&m, icc),
          "profile, EXIF, resolution and texts, also behind the picture");
    write_with(&m, false);
    gf_ok(read_file("out.png", &usual, &f, got, sizeof got, &again) == 3 && is_all_there(&again, icc), "are written");
    gf_meta_release(&again);
    write_with(&m, true);
    gf_ok(read_file("out.png", &usual, &f, got, sizeof got, &again) == 3 && again.texts == 0 && again.icc == NULL && again.exif == NULL
          && again.x_per_metre == 0, "or not, where only samples are wanted");
    gf_meta_release(&again);
    gf_meta_release(&m);
    gf_ok(gf_meta_add_text(&m, "bad\nkey", "x", &(struct gf_error) { 0 }) == 0 && gf_meta_add_text(&m, "", "x", &(struct gf_error) { 0 }) == 0,
          "keys that PNG can't hold");
    write_with(&m, false);
    gf_ok(read_file("out.png", &usual, &f, got, sizeof got, &again) == 3 && again.texts == 0, "are left out");
    gf_meta_release(&again);
    gf_meta_release(&m);
    free(b.at);
}

/* Several in a row, with something behind them, of which one is not read to its end. */
static void test_several(void)
{
    const struct gf_png_kind first = { .colour = 2, .depth = 8, .width = 7, .height = 9 }, second = { .depth = 16, .width = 3, .height = 2 };
    struct gf_bytes a = { 0 }, b = { 0 };
    struct gf_error err = { 0 };
    struct gf_reader *r;
    uint16_t *v;

    free(gf_png_make(&a, &first, 30));
    v = gf_png_make(&b, &second, 30);
    gf_add(&a, b.at, b.size);
    gf_add(&a, "rest", 4);
    put_file("in.png", &a);
    r = gf_reader_open("in.png", &usual, &err);
    gf_ok(r != NULL && gf_reader_read(r, got, 1, &err) == 1 && gf_reader_next(r, &err) == 1, "the next picture, in the midst of one");
    gf_ok(r != NULL && r->format.type == GF_U16 && r->format.width == 3 && gf_reader_read(r, got, 5, &err) == 2
          && memcmp(got, v, 12) == 0, "is another");
    gf_ok(r != NULL && gf_reader_next(r, &err) == 0, "and the last");
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
    test_damage();
    test_hostile_headers();
    test_hostile_chunks();
    test_hostile_rows();
    test_mutations();
    test_beside();
    test_several();
    if (unlink("in.png") == 0 && unlink("out.png") == 0 && chdir("/") == 0)
        rmdir(folder);
    return gf_tap_end();
}
