/* PNG that is cut short, damaged or hostile: one error line, as a file and from a pipe. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "png_common.h"

static bool refused(const struct gf_bytes *b, bool piped)
{
    struct gf_format f;

    return gf_png_read(b, piped, &f, NULL) < 0 && gf_said.text[0] != '\0' && strchr(gf_said.text, '\n') == NULL;
}

void gf_test_damage(void)
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

void gf_test_hostile_headers(void)
{
    struct gf_png_kind k = { .depth = 8, .width = 0, .height = 2 };
    struct gf_bytes b = { 0 };

    gf_png_begin(&b, &k);
    says(&b, "has a size of 0x2", "no columns");
    k.width = UINT32_MAX;
    gf_png_begin(&b, &k);
    says(&b, "has a size of 4294967295x2", "columns without end");
    k = (struct gf_png_kind) { .depth = 16, .colour = 3, .width = 2, .height = 2 };
    gf_png_begin(&b, &k);
    says(&b, "header has invalid values", "a palette of 65536 colours");
    k = (struct gf_png_kind) { .depth = 8, .colour = 200, .width = 2, .height = 2 };
    gf_png_begin(&b, &k);
    says(&b, "header has invalid values", "a kind of colour that is none");
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

void gf_test_hostile_chunks(void)
{
    const struct gf_png_kind gray = { .depth = 8, .width = 2, .height = 2 };
    const struct gf_png_kind colours = { .colour = 3, .depth = 8, .width = 2, .height = 2 };
    const uint16_t v[4] = { 1, 2, 3, 200 };
    struct gf_bytes b = { 0 };

    gf_png_begin(&b, &colours);
    gf_png_picture(&b, &colours, v, 100);
    gf_png_chunk(&b, "IEND", NULL, 0);
    says(&b, "palette is missing", "no palette");
    gf_png_begin(&b, &gray);
    gf_png_chunk(&b, "IEND", NULL, 0);
    says(&b, "no image data", "no picture");
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

/*
 * Expects an error for an image of 2x2 whose rows are `size` bytes. `wrong`: the checksum is wrong.
 */
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

void gf_test_hostile_rows(void)
{
    says_of_rows("\0ab", 3, false, "fewer rows", "too few rows");
    says_of_rows("\0ab\5cd", 6, false, "an unknown filter", "a filter that is none");
    says_of_rows("\0ab\0cd", 6, true, "damaged", "a wrong sum of all rows");
}

void gf_png_mend_sums(struct gf_bytes *b)
{
    for (size_t at = 8; at + 12 <= b->size;) {
        const size_t size = (size_t)b->at[at] << 24 | (size_t)b->at[at + 1] << 16 | (size_t)b->at[at + 2] << 8
            | b->at[at + 3];
        uint32_t sum;

        if (size > b->size - at - 12)
            break;
        sum = gf_crc(b->at + at + 4, size + 4);
        for (int i = 0; i < 4; i++)
            b->at[at + 8 + size + (size_t)i] = (unsigned char)(sum >> (24 - 8 * i));
        at += size + 12;
    }
}

/* Random bytes with correct checksums may only cause an error or an image. */
void gf_test_mutations(void)
{
    struct gf_bytes b = { 0 };
    struct gf_format f;

    for (int n = 0; n < 2000; n++) {
        const struct gf_png_kind k = { .colour = gf_png_kinds[n % 15].colour, .depth = gf_png_kinds[n % 15].depth,
                                       .interlaced = (int)gf_dice(2),
                                       .keyed = gf_png_kinds[n % 15].colour < 4 && gf_dice(2), .width = 1 + gf_dice(20),
                                       .height = 1 + gf_dice(20) };

        free(gf_png_make(&b, &k, 1 + gf_dice(300)));
        for (uint32_t turns = 1 + gf_dice(6); turns > 0; turns--)
            b.at[8 + gf_dice((uint32_t)b.size - 8)] = (unsigned char)gf_dice(256);
        gf_png_mend_sums(&b);
        gf_png_read(&b, n & 1, &f, NULL);
    }
    gf_ok(true, "2000 damaged files leave it standing");
    free(b.at);
}
