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

static int tests, failures;
static uint32_t seed = 20240607;

static void ok(bool good, const char *what)
{
    tests++;
    failures += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", tests, what);
    fflush(stdout);
}

static uint32_t dice(uint32_t sides)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % sides;
}

/* ---- an encoder of our own, slow and plain ---- */

struct bytes {
    unsigned char *at;
    size_t size, room;
};

static void add(struct bytes *b, const void *data, size_t size)
{
    if (b->size + size > b->room) {
        b->room = (b->size + size) * 2;
        b->at = realloc(b->at, b->room);
        if (b->at == NULL)
            exit(1);
    }
    if (size > 0)
        memcpy(b->at + b->size, data, size);
    b->size += size;
}

static void add32(struct bytes *b, uint32_t v)
{
    const unsigned char big[] = { (unsigned char)(v >> 24), (unsigned char)(v >> 16), (unsigned char)(v >> 8), (unsigned char)v };

    add(b, big, 4);
}

static uint32_t crc(const unsigned char *at, size_t size)
{
    uint32_t sum = UINT32_MAX;

    for (size_t i = 0; i < size; i++) {
        sum ^= at[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0xEDB88320u : sum >> 1;
    }
    return ~sum;
}

static void chunk(struct bytes *b, const char *type, const void *data, size_t size)
{
    const size_t start = b->size + 4;

    add32(b, (uint32_t)size);
    add(b, type, 4);
    add(b, data, size);
    add32(b, crc(b->at + start, size + 4));
}

/* A zlib stream of blocks that are stored, which every decoder understands. */
static void zlib(struct bytes *to, const unsigned char *at, size_t size)
{
    uint32_t a = 1, b = 0;

    add(to, "\x78\x01", 2);
    for (size_t done = 0; done == 0 || done < size;) {
        const size_t n = size - done < 1000 ? size - done : 1000;
        const unsigned char head[] = { done + n == size, (unsigned char)n, (unsigned char)(n >> 8), (unsigned char)~n, (unsigned char)(~n >> 8) };

        add(to, head, 5);
        add(to, at + done, n);
        done += n;
        if (size == 0)
            break;
    }
    for (size_t i = 0; i < size; i++) {
        a = (a + at[i]) % 65521;
        b = (b + a) % 65521;
    }
    add32(to, b << 16 | a);
}

struct kind {
    int colour, depth, interlaced, keyed;
    uint32_t width, height;
};

static int channels_of(int colour)
{
    return colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 1;
}

static int paeth(int a, int b, int c)
{
    const int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);

    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* The pixels (x0 + i·dx, y0 + j·dy) as rows, each filtered with another of the five. */
static void add_rows(struct bytes *to, const struct kind *k, const uint16_t *v, uint32_t x0, uint32_t y0, uint32_t dx, uint32_t dy)
{
    const int channels = channels_of(k->colour);
    const size_t width = k->width > x0 ? (k->width - x0 + dx - 1) / dx : 0;
    const size_t size = (width * (size_t)(channels * k->depth) + 7) / 8;
    const size_t pixel = (size_t)(channels * k->depth + 7) / 8;
    unsigned char *row = calloc(size + 1, 1), *above = calloc(size + 1, 1), *swap;

    for (uint32_t y = y0; width > 0 && y < k->height; y += dy) {
        const unsigned char filter = (unsigned char)dice(5);
        size_t bit = 0;

        memset(row, 0, size);
        for (uint32_t x = x0; x < k->width; x += dx)
            for (int c = 0; c < channels; c++)
                for (int i = k->depth - 1; i >= 0; i--, bit++)
                    if (v[((size_t)y * k->width + x) * (size_t)channels + (size_t)c] >> i & 1)
                        row[bit / 8] |= (unsigned char)(0x80 >> bit % 8);
        add(to, &filter, 1);
        for (size_t i = 0; i < size; i++) {
            const int a = i >= pixel ? row[i - pixel] : 0, b = above[i], c = i >= pixel ? above[i - pixel] : 0;
            const int guess = filter == 0 ? 0 : filter == 1 ? a : filter == 2 ? b : filter == 3 ? (a + b) / 2 : paeth(a, b, c);
            const unsigned char byte = (unsigned char)(row[i] - guess);

            add(to, &byte, 1);
        }
        swap = row;
        row = above;
        above = swap;
    }
    free(row);
    free(above);
}

static void begin(struct bytes *b, const struct kind *k)
{
    struct bytes head = { 0 };
    const unsigned char rest[] = { (unsigned char)k->depth, (unsigned char)k->colour, 0, 0, (unsigned char)k->interlaced };

    b->size = 0;
    add(b, "\x89PNG\r\n\x1a\n", 8);
    add32(&head, k->width);
    add32(&head, k->height);
    add(&head, rest, 5);
    chunk(b, "IHDR", head.at, head.size);
    free(head.at);
}

/* A palette of 2^depth colours and the alpha of half of them; or the colour that is clear. */
static void add_clear(struct bytes *b, const struct kind *k, const uint16_t *v)
{
    unsigned char palette[768], clear[256];

    for (int i = 0; i < 256; i++) {
        palette[3 * i] = (unsigned char)(i * 7);
        palette[3 * i + 1] = (unsigned char)(i * 13 + 5);
        palette[3 * i + 2] = (unsigned char)(255 - i);
        clear[i] = (unsigned char)(i * 31);
    }
    if (k->colour == 3) {
        chunk(b, "PLTE", palette, 3u << k->depth);
        if (k->keyed)
            chunk(b, "tRNS", clear, (1u << k->depth) / 2);
    } else if (k->keyed) {
        for (int c = 0; c < channels_of(k->colour); c++) {           /* that of the first pixel */
            clear[2 * c] = (unsigned char)(v[c] >> 8);
            clear[2 * c + 1] = (unsigned char)v[c];
        }
        chunk(b, "tRNS", clear, 2 * (size_t)channels_of(k->colour));
    }
}

static void add_picture(struct bytes *b, const struct kind *k, const uint16_t *v, size_t split)
{
    static const uint32_t x0[] = { 0, 4, 0, 2, 0, 1, 0 }, y0[] = { 0, 0, 4, 0, 2, 0, 1 };
    static const uint32_t dx[] = { 8, 8, 4, 4, 2, 2, 1 }, dy[] = { 8, 8, 8, 4, 4, 2, 2 };
    struct bytes rows = { 0 }, stream = { 0 };

    for (int pass = 0; k->interlaced && pass < 7; pass++)
        add_rows(&rows, k, v, x0[pass], y0[pass], dx[pass], dy[pass]);
    if (!k->interlaced)
        add_rows(&rows, k, v, 0, 0, 1, 1);
    zlib(&stream, rows.at, rows.size);
    for (size_t done = 0; done < stream.size; done += split)
        chunk(b, "IDAT", stream.at + done, stream.size - done < split ? stream.size - done : split);
    free(rows.at);
    free(stream.at);
}

static uint16_t *make(struct bytes *b, const struct kind *k, size_t split)
{
    const size_t count = (size_t)k->width * k->height * (size_t)channels_of(k->colour);
    uint16_t *v = malloc(count * sizeof *v);

    for (size_t i = 0; i < count; i++)
        v[i] = (uint16_t)dice(1u << k->depth);
    begin(b, k);
    add_clear(b, k, v);
    add_picture(b, k, v, split);
    chunk(b, "IEND", NULL, 0);
    return v;
}

/* What has to come out: 8 or 16 bits, the palette looked up, alpha where there is any. */
static size_t expected(const struct kind *k, const uint16_t *v, unsigned char *to)
{
    const int channels = channels_of(k->colour);
    uint16_t *wide = (uint16_t *)(void *)to;
    size_t at = 0;

    for (size_t p = 0; p < (size_t)k->width * k->height; p++) {
        const uint16_t *pixel = v + p * (size_t)channels;
        const bool clear = k->keyed && memcmp(pixel, v, (size_t)channels * sizeof *v) == 0;

        if (k->colour == 3) {
            const int i = pixel[0];

            to[at++] = (unsigned char)(i * 7);
            to[at++] = (unsigned char)(i * 13 + 5);
            to[at++] = (unsigned char)(255 - i);
            if (k->keyed)
                to[at++] = i < (1 << k->depth) / 2 ? (unsigned char)(i * 31) : 255;
            continue;
        }
        for (int c = 0; c < channels; c++) {
            if (k->depth == 16)
                wide[at++] = pixel[c];
            else
                to[at++] = (unsigned char)(pixel[c] * (255 / ((1 << k->depth) - 1)));
        }
        if (k->keyed && k->depth == 16)
            wide[at++] = clear ? 0 : 65535;
        else if (k->keyed)
            to[at++] = clear ? 0 : 255;
    }
    return k->depth == 16 ? 2 * at : at;
}

/* ---- reading ---- */

static char last_error[1000];
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
    snprintf(last_error, sizeof last_error, "%s", err.text);
    return r == NULL || got < 0 || more < 0 ? -1 : (int64_t)at;
}

static void put_file(const char *name, const struct bytes *b)
{
    FILE *f = fopen(name, "wb");

    if (f == NULL || fwrite(b->at, 1, b->size, f) != b->size || fclose(f) != 0)
        exit(1);
}

/* As a file, or through a pipe, which has room for it. */
static int64_t read_bytes(const struct bytes *b, bool pipe_it, struct gf_format *f, unsigned char *to, size_t room, struct gf_meta *meta)
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

static bool reads(const struct kind *k, size_t split)
{
    struct bytes b = { 0 };
    uint16_t *v = make(&b, k, split);
    const size_t size = expected(k, v, want);
    bool good = true;

    for (int piped = 0; piped < 2; piped++) {
        struct gf_format f;
        const int64_t bytes = read_bytes(&b, piped, &f, got, sizeof got, NULL);

        if (bytes != (int64_t)size || memcmp(got, want, size) != 0 || f.width != k->width || f.units != k->height
            || f.alpha != (k->keyed || k->colour >= 4)) {
            printf("# colour %d depth %d interlaced %d keyed %d, %ux%u: %lld bytes for %zu; %s\n", k->colour, k->depth, k->interlaced,
                   k->keyed, k->width, k->height, (long long)bytes, size, last_error);
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
        struct kind k = { .colour = kinds[i].colour, .depth = kinds[i].depth };
        bool good = true;
        char what[100];

        for (int n = 0; n < 4; n++) {
            k.interlaced = n & 1;
            k.keyed = n >> 1 && k.colour < 4;
            for (k.width = 1; k.width <= 9; k.width++)
                for (k.height = 1; k.height <= 9; k.height += 1 + dice(3))
                    good = reads(&k, 1 + dice(40)) && good;
            k.width = 61;
            k.height = 43;
            good = reads(&k, 700) && good;
        }
        snprintf(what, sizeof what, "colour %d of %d bits", k.colour, k.depth);
        ok(good, what);
    }
}

/* ---- damage ---- */

static bool refused(const struct bytes *b, bool piped)
{
    struct gf_format f;

    return read_bytes(b, piped, &f, got, sizeof got, NULL) < 0 && last_error[0] != '\0' && strchr(last_error, '\n') == NULL;
}

static void test_damage(void)
{
    const struct kind k = { .colour = 2, .depth = 8, .width = 7, .height = 5, .keyed = 1 };
    struct bytes b = { 0 }, part;
    bool cut = true, flipped = true;

    free(make(&b, &k, 50));
    for (size_t size = 1; size < b.size; size++) {
        part = (struct bytes) { b.at, size, size };
        cut = refused(&part, false) && refused(&part, true) && cut;
    }
    ok(cut, "cut anywhere");
    for (size_t i = 0; i < b.size; i++) {
        b.at[i] ^= (unsigned char)(1u << dice(8));
        part = b;
        if (!refused(&part, false) || !refused(&part, true)) {
            printf("# byte %zu of %zu was changed\n", i, b.size);
            flipped = false;
        }
        free(b.at);
        b = (struct bytes) { 0 };
        seed = 5;
        free(make(&b, &k, 50));
    }
    ok(flipped, "a bit turned in any byte");
    free(b.at);
}

static void says(struct bytes *b, const char *part, const char *what)
{
    bool good = refused(b, false) && strstr(last_error, part) != NULL;

    good = refused(b, true) && strstr(last_error, part) != NULL && good;
    if (!good)
        printf("# it said: %s\n", last_error);
    ok(good, what);
}

static void test_hostile(void)
{
    const struct kind gray = { .depth = 8, .width = 2, .height = 2 }, colours = { .colour = 3, .depth = 8, .width = 2, .height = 2 };
    const uint16_t v[4] = { 1, 2, 3, 200 };
    struct kind k = gray;
    struct bytes b = { 0 }, z = { 0 };

    k.width = 0;
    begin(&b, &k);
    says(&b, "no pixels", "no columns");
    k.width = UINT32_MAX;
    begin(&b, &k);
    says(&b, "too many", "columns without end");
    k = (struct kind) { .depth = 16, .colour = 3, .width = 2, .height = 2 };
    begin(&b, &k);
    says(&b, "describes no PNG", "a palette of 65536 colours");
    k = (struct kind) { .depth = 8, .colour = 200, .width = 2, .height = 2 };
    begin(&b, &k);
    says(&b, "describes no PNG", "a kind of colour that is none");
    k = (struct kind) { .depth = 8, .width = 3000, .height = 3000 };
    begin(&b, &k);
    chunk(&b, "IDAT", "", 0);
    says(&b, "--max-pixels", "more pixels than are wanted");
    k = (struct kind) { .depth = 16, .colour = 6, .width = 2000000000, .height = 1 };
    begin(&b, &k);
    chunk(&b, "IDAT", "", 0);
    says(&b, "--max-pixels", "a row longer than memory");
    begin(&b, &colours);
    add_picture(&b, &colours, v, 100);
    chunk(&b, "IEND", NULL, 0);
    says(&b, "palette is missing", "no palette");
    begin(&b, &gray);
    chunk(&b, "IEND", NULL, 0);
    says(&b, "no picture", "no picture");
    begin(&b, &gray);
    chunk(&b, "ABCD", "x", 1);
    says(&b, "ABCD", "a chunk that nobody knows");
    begin(&b, &gray);
    add(&b, "\xff\xff\xff\xffIDAT", 8);
    says(&b, "too long", "a chunk without end");
    b.size = 0;
    add(&b, "\x89PNG\r\n\x1a\n", 8);
    add_picture(&b, &gray, v, 100);
    says(&b, "header is missing", "no header");
    begin(&b, &gray);
    zlib(&z, (const unsigned char *)"\0ab", 3);
    chunk(&b, "IDAT", z.at, z.size);
    chunk(&b, "IEND", NULL, 0);
    says(&b, "fewer rows", "too few rows");
    z.size = 0;
    begin(&b, &gray);
    zlib(&z, (const unsigned char *)"\0ab\5cd", 6);
    chunk(&b, "IDAT", z.at, z.size);
    chunk(&b, "IEND", NULL, 0);
    says(&b, "no filter", "a filter that is none");
    z.size = 0;
    begin(&b, &gray);
    zlib(&z, (const unsigned char *)"\0ab\0cd", 6);
    z.at[z.size - 1] ^= 1;
    chunk(&b, "IDAT", z.at, z.size);
    chunk(&b, "IEND", NULL, 0);
    says(&b, "damaged", "a wrong sum of all rows");
    free(b.at);
    free(z.at);
}

/* Wrong bytes, right checksums: nothing may happen but a refusal or a picture. */
static void test_mutations(void)
{
    struct bytes b = { 0 };
    struct gf_format f;

    for (int n = 0; n < 2000; n++) {
        const struct kind k = { .colour = kinds[n % 15].colour, .depth = kinds[n % 15].depth, .interlaced = (int)dice(2),
                                .keyed = kinds[n % 15].colour < 4 && dice(2), .width = 1 + dice(20), .height = 1 + dice(20) };

        free(make(&b, &k, 1 + dice(300)));
        for (uint32_t turns = 1 + dice(6); turns > 0; turns--)
            b.at[8 + dice((uint32_t)b.size - 8)] = (unsigned char)dice(256);
        for (size_t at = 8; at + 12 <= b.size;) {
            const size_t size = (size_t)b.at[at] << 24 | (size_t)b.at[at + 1] << 16 | (size_t)b.at[at + 2] << 8 | b.at[at + 3];
            uint32_t sum;

            if (size > b.size - at - 12)
                break;
            sum = crc(b.at + at + 4, size + 4);
            for (int i = 0; i < 4; i++)
                b.at[at + 8 + size + (size_t)i] = (unsigned char)(sum >> (24 - 8 * i));
            at += size + 12;
        }
        read_bytes(&b, n & 1, &f, got, sizeof got, NULL);
    }
    ok(true, "2000 damaged files leave it standing");
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

static void add_beside(struct bytes *b, const unsigned char *icc)
{
    struct bytes z = { 0 };

    add(&z, "name\0", 6);
    zlib(&z, icc, 200);
    chunk(b, "iCCP", z.at, z.size);
    chunk(b, "pHYs", "\0\0\x0f\x61\0\0\x13\x88\1", 9);
    chunk(b, "eXIf", "MM\0*\0\0\0\x08\0\0", 10);
    chunk(b, "tEXt", "Title\0caf\xe9", 10);
    z.size = 0;
    add(&z, "Comment\0", 9);
    zlib(&z, (const unsigned char *)"packed", 6);
    chunk(b, "zTXt", z.at, z.size);
    chunk(b, "iTXt", "Author\0\0\0en\0Autor\0\xe2\x82\xac 5", 23);
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
    const struct kind k = { .colour = 2, .depth = 8, .width = 1, .height = 1 };
    const uint16_t v[3] = { 1, 2, 3 };
    unsigned char icc[200] = { 0 };
    struct gf_meta m = { 0 }, again = { 0 };
    struct bytes b = { 0 };
    struct gf_format f;

    memcpy(icc + 16, "RGB ", 4);
    memcpy(icc + 36, "acsp", 4);
    begin(&b, &k);
    add_beside(&b, icc);
    add_picture(&b, &k, v, 5);
    chunk(&b, "tEXt", "Software\0last", 13);
    chunk(&b, "IEND", NULL, 0);
    ok(read_bytes(&b, false, &f, got, sizeof got, &m) == 3 && is_all_there(&m, icc), "profile, EXIF, resolution and texts, also behind the picture");
    write_with(&m, false);
    ok(read_file("out.png", &usual, &f, got, sizeof got, &again) == 3 && is_all_there(&again, icc), "are written");
    gf_meta_release(&again);
    write_with(&m, true);
    ok(read_file("out.png", &usual, &f, got, sizeof got, &again) == 3 && again.texts == 0 && again.icc == NULL && again.exif == NULL
       && again.x_per_metre == 0, "or not, where only samples are wanted");
    gf_meta_release(&again);
    gf_meta_release(&m);
    ok(gf_meta_add_text(&m, "bad\nkey", "x", &(struct gf_error) { 0 }) == 0 && gf_meta_add_text(&m, "", "x", &(struct gf_error) { 0 }) == 0,
       "keys that PNG can't hold");
    write_with(&m, false);
    ok(read_file("out.png", &usual, &f, got, sizeof got, &again) == 3 && again.texts == 0, "are left out");
    gf_meta_release(&again);
    gf_meta_release(&m);
    free(b.at);
}

/* Several in a row, with something behind them, of which one is not read to its end. */
static void test_several(void)
{
    const struct kind first = { .colour = 2, .depth = 8, .width = 7, .height = 9 }, second = { .depth = 16, .width = 3, .height = 2 };
    struct bytes a = { 0 }, b = { 0 };
    struct gf_error err = { 0 };
    struct gf_reader *r;
    uint16_t *v;

    free(make(&a, &first, 30));
    v = make(&b, &second, 30);
    add(&a, b.at, b.size);
    add(&a, "rest", 4);
    put_file("in.png", &a);
    r = gf_reader_open("in.png", &usual, &err);
    ok(r != NULL && gf_reader_read(r, got, 1, &err) == 1 && gf_reader_next(r, &err) == 1, "the next picture, in the midst of one");
    ok(r != NULL && r->format.type == GF_U16 && r->format.width == 3 && gf_reader_read(r, got, 5, &err) == 2
       && memcmp(got, v, 12) == 0, "is another");
    ok(r != NULL && gf_reader_next(r, &err) == 0, "and the last");
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
    test_hostile();
    test_mutations();
    test_beside();
    test_several();
    if (unlink("in.png") == 0 && unlink("out.png") == 0 && chdir("/") == 0)
        rmdir(folder);
    printf("1..%d\n", tests);
    return failures != 0;
}
