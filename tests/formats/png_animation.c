/* Animated PNG: frames with known pixels; files that are damaged, cut short or hostile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "png_common.h"
#include "png_frames.h"

/* Checks that `b`, as a file and from a pipe, gives the pixels `wanted`, one letter per pixel. */
static void shows(const struct gf_bytes *b, int channels, const char *wanted, const char *what)
{
    for (int piped = 0; piped < 2; piped++) {
        unsigned char want[400];
        struct gf_format f = { 0 };
        size_t size = 0;
        int64_t got;

        for (const char *w = wanted; *w != '\0'; w++)
            size += gf_add_letter(want + size, *w, channels);
        got = gf_png_read(b, piped, &f, NULL);
        gf_ok(got == (int64_t)size && f.channels == channels && f.alpha == (channels == 4)
              && memcmp(gf_png_got, want, size) == 0,
              "%s%s", what, piped ? ", on a pipe" : "");
    }
}

static void test_composing(void)
{
    const struct gf_png_kind k = { .colour = 6, .depth = 8, .width = 3, .height = 1 };
    struct gf_frame f[] = { { 0, 0, 3, 1, NONE, SOURCE, "RRR" }, { 1, 0, 2, 1, NONE, SOURCE, "GB" },
                            { 0, 0, 1, 1, NONE, SOURCE, "B" } };
    struct gf_bytes b = { 0 };

    gf_make_animation(&b, &k, f, 3, NULL);
    shows(&b, 4, "RRRRGBBGB", "frames that stay");
    f[1].dispose = CLEAR;
    gf_make_animation(&b, &k, f, 3, NULL);
    shows(&b, 4, "RRRRGBB..", "a frame that is cleared");
    f[1].dispose = RESTORE;
    gf_make_animation(&b, &k, f, 3, NULL);
    shows(&b, 4, "RRRRGBBRR", "a frame that is taken back");
    f[0].dispose = RESTORE;
    gf_make_animation(&b, &k, f, 3, NULL);
    shows(&b, 4, "RRR.GBB..", "a first frame that is taken back leaves nothing");
    f[0] = (struct gf_frame) { 0, 0, 3, 1, NONE, OVER, "RBH" };
    f[1] = (struct gf_frame) { 0, 0, 3, 1, NONE, OVER, ".hh" };
    gf_make_animation(&b, &k, f, 2, NULL);
    shows(&b, 4, "RBHRmn", "blended over what is there");
    f[1].blend = SOURCE;
    gf_make_animation(&b, &k, f, 2, NULL);
    shows(&b, 4, "RBH.hh", "in its place");
    f[0] = (struct gf_frame) { 1, 0, 1, 1, NONE, OVER, "h" };
    gf_make_animation(&b, &k, f, 2, "BBB");
    shows(&b, 4, ".h..hh", "a default image that is no frame is not shown");
    free(b.at);
}

static void test_opaque(void)
{
    const struct gf_png_kind k = { .colour = 2, .depth = 8, .width = 2, .height = 2 };
    struct gf_frame f[] = { { 0, 0, 2, 2, NONE, OVER, "RGBR" }, { 1, 0, 1, 2, RESTORE, OVER, "BB" },
                            { 0, 1, 2, 1, NONE, OVER, "GG" } };
    struct gf_bytes b = { 0 };
    struct gf_format format;

    gf_make_animation(&b, &k, f, 3, NULL);
    shows(&b, 3, "RGBRRBBBRGGG", "colours without alpha stay so");
    f[0].dispose = CLEAR;
    gf_make_animation(&b, &k, f, 3, NULL);
    gf_ok(gf_png_read(&b, false, &format, NULL) == 48 && format.alpha && format.channels == 4,
          "unless pixels become clear");
    gf_make_animation(&b, &k, f + 1, 1, "RRRR");
    shows(&b, 4, ".B.B", "or are from the start");
    free(b.at);
}

/* 16-bit samples: white with alpha 32768 of 65535 over opaque black. */
static void test_wide(void)
{
    const struct gf_png_kind k = { .colour = 4, .depth = 16, .width = 1, .height = 1 };
    const struct gf_frame f = { 0, 0, 1, 1, NONE, OVER, NULL };
    const uint16_t want[] = { 0, 65535, 32768, 65535 };
    struct gf_bytes b = { 0 }, z = { 0 };
    struct gf_format format;

    gf_begin_animation(&b, &k, 2);
    gf_add_control(&b, &f, 0, 0);
    gf_zlib(&z, (const unsigned char *)"\0\0\0\xff\xff", 5);
    gf_add_frame_stream(&b, &z, true);
    gf_add_control(&b, &f, 0, 0);
    z.size = 0;
    gf_zlib(&z, (const unsigned char *)"\0\xff\xff\x80\0", 5);
    gf_add_frame_stream(&b, &z, false);
    gf_png_chunk(&b, "IEND", NULL, 0);
    gf_ok(gf_png_read(&b, false, &format, NULL) == 8 && format.type == GF_U16 && memcmp(gf_png_got, want, 8) == 0,
          "16 bits");
    gf_ok(format.yuv.rate[0] == 10 && format.yuv.rate[1] == 1, "no time at all counts as a tenth of a second");
    free(z.at);
    free(b.at);
}

/* An animation of one frame has the samples of the still image, for every type of image. */
static void test_kinds(void)
{
    static unsigned char want[sizeof gf_png_got];
    struct gf_bytes still = { 0 }, b = { 0 };
    bool good = true;

    for (int n = 0; n < 4 * GF_PNG_KINDS; n++) {
        struct gf_png_kind k = { .colour = gf_png_kinds[n / 4].colour, .depth = gf_png_kinds[n / 4].depth,
                                 .interlaced = n & 1, .width = 1 + gf_dice(20), .height = 1 + gf_dice(20) };
        const struct gf_frame whole = { 0, 0, k.width, k.height, CLEAR, gf_dice(2) != 0, NULL };
        struct gf_format f;
        uint16_t *v;
        size_t size;

        k.keyed = n >> 1 & 1 && k.colour < 4;
        v = gf_png_make(&still, &k, 50);
        size = gf_png_expected(&k, v, want);
        gf_begin_animation(&b, &k, 1);
        gf_add_control(&b, &whole, 1, 25);
        gf_add(&b, still.at + 33, still.size - 33);
        if (whole.blend == OVER && (k.keyed || k.colour >= 4))
            size = 0;                    /* transparent pixels lose their color */
        good = gf_png_read(&b, n & 1, &f, NULL) > 0 && (size == 0 || memcmp(gf_png_got, want, size) == 0)
            && f.bits == (k.colour == 0 && !k.keyed ? k.depth : k.depth == 16 ? 16 : 8) && good;
        free(v);
    }
    gf_ok(good, "all kinds of images as frames");
    free(still.at);
    free(b.at);
}

static void refuses(const struct gf_bytes *b, const char *part, const char *what)
{
    struct gf_format f;

    for (int piped = 0; piped < 2; piped++)
        gf_ok(gf_png_read(b, piped, &f, NULL) == -1 && strstr(gf_said.text, part) != NULL,
              "%s%s", what, piped ? ", on a pipe" : "");
}

static void test_damage(void)
{
    const struct gf_png_kind k = { .colour = 6, .depth = 8, .width = 3, .height = 1 };
    const struct gf_frame good[] = { { 0, 0, 3, 1, NONE, SOURCE, "RRR" }, { 1, 0, 2, 1, NONE, SOURCE, "GB" } };
    static const struct gf_frame bad[] = { { 2, 0, 2, 1, 0, 0, "RR" }, { 0, 1, 1, 1, 0, 0, "R" },
                                           { 0, 0, 0, 1, 0, 0, "" }, { 0xFFFFFFFF, 0, 2, 1, 0, 0, "RR" },
                                           { 0, 0, 1, 1, 3, 0, "R" }, { 0, 0, 1, 1, 0, 2, "R" } };
    struct gf_bytes b = { 0 };
    struct gf_format f;
    bool all = true;

    gf_make_animation(&b, &k, good, 2, NULL);
    for (const size_t whole = b.size; b.size > 40; b.size--)
        all = (b.size == whole) == (gf_png_read(&b, b.size & 1, &f, NULL) == 24) && all;
    gf_ok(all, "an animation that is cut anywhere is refused");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char what[40];

        snprintf(what, sizeof what, "frame %zu outside the image", i);
        gf_make_animation(&b, &k, &bad[i], 1, "RGB");
        refuses(&b, "is not within the image", what);
    }
    gf_make_animation(&b, &k, good + 1, 1, NULL);
    refuses(&b, "smaller than the image", "a first frame that is too small");
    gf_begin_animation(&b, &k, 2);
    gf_frame_sequence = 1;
    gf_add_control(&b, &good[0], 1, 25);
    refuses(&b, "missing or out of order", "a number that is left out");
    gf_begin_animation(&b, &k, 1);
    gf_add_frame(&b, &good[0], 4, true);
    gf_add_control(&b, &good[0], 1, 25);
    gf_add_control(&b, &good[0], 1, 25);
    gf_png_chunk(&b, "IEND", NULL, 0);
    refuses(&b, "a frame has no data", "no data");
    gf_begin_animation(&b, &k, 1);
    gf_add_frame(&b, &good[0], 4, true);
    gf_png_chunk(&b, "IEND", NULL, 0);
    refuses(&b, "no frames", "no frames");
    gf_begin_animation(&b, &k, 1);
    gf_png_chunk(&b, "acTL", "\0\0\0\1\0\0\0\0", 8);
    refuses(&b, "acTL", "announced twice");
    free(b.at);
}

/* The chunk before a frame that is not the default image: a byte is missing, or one is too many. */
static void test_control_size(void)
{
    static const char control[27] = "\0\0\0\0" "\0\0\0\3" "\0\0\0\1" "\0\0\0\0" "\0\0\0\0" "\0\1\0\x19";
    const struct gf_png_kind k = { .colour = 6, .depth = 8, .width = 3, .height = 1 };
    const struct gf_frame f = { 0, 0, 3, 1, NONE, SOURCE, "RGB" };
    struct gf_bytes b = { 0 };

    for (size_t size = 25; size <= 27; size++) {
        gf_begin_animation(&b, &k, 1);
        gf_add_frame(&b, &f, 4, true);
        gf_png_chunk(&b, "fcTL", control, size);
        gf_frame_sequence = 1;
        gf_add_frame(&b, &f, 4, false);
        gf_png_chunk(&b, "IEND", NULL, 0);
        if (size == 26)
            shows(&b, 4, "RGB", "a frame that is not the default image");
        else
            refuses(&b, "its fcTL chunk is malformed", size < 26 ? "a short fcTL chunk" : "a long fcTL chunk");
    }
    free(b.at);
}

/* Reads a file and returns its warning, or "". */
static const char *warning_of(const struct gf_bytes *b, int64_t *frames)
{
    static char said[1000];
    const struct gf_notice_options strict = { .quiet = true, .strict = true };
    struct gf_read_options o = gf_png_usual;
    struct gf_error err = { 0 };
    struct gf_reader *r;

    gf_png_put_file("in.png", b);
    o.notices = gf_notices_new(&strict);
    r = gf_reader_open("in.png", &o, &err);
    *frames = 0;
    for (int more = r != NULL; more == 1; ++*frames) {
        while (gf_reader_read(r, gf_png_got, 1, &err) > 0)
            continue;
        more = gf_reader_next(r, &err);
    }
    snprintf(said, sizeof said, "%s", gf_notices_check(o.notices, &err) != 0 ? err.text : "");
    gf_reader_close(r);
    gf_notices_free(o.notices);
    return said;
}

static void test_warnings(void)
{
    const struct gf_png_kind k = { .colour = 6, .depth = 8, .width = 1, .height = 1 };
    const struct gf_frame f = { 0, 0, 1, 1, NONE, SOURCE, "R" };
    struct gf_bytes b = { 0 };
    int64_t frames;

    gf_begin_animation(&b, &k, 3);
    gf_add_control(&b, &f, 1, 30);
    gf_add_frame(&b, &f, 4, true);
    gf_add_control(&b, &f, 1, 20);
    gf_add_frame(&b, &f, 4, false);
    gf_png_chunk(&b, "IEND", NULL, 0);
    gf_ok(strstr(warning_of(&b, &frames), "says 3 frames, but it has 2") != NULL && frames == 2,
          "a wrong number of frames");
    gf_begin_animation(&b, &k, 0);
    gf_add_frame(&b, &f, 4, true);
    gf_png_chunk(&b, "IEND", NULL, 0);
    gf_ok(strstr(warning_of(&b, &frames), "the default image is read") != NULL && frames == 1, "no frames announced");
    gf_png_begin(&b, &k);
    gf_add_frame(&b, &f, 4, true);
    gf_frame_sequence = 0;
    gf_add_control(&b, &f, 1, 20);
    gf_add_frame(&b, &f, 4, false);
    gf_png_chunk(&b, "IEND", NULL, 0);
    gf_ok(strstr(warning_of(&b, &frames), "because it has no acTL chunk") != NULL && frames == 1,
          "frames that nothing announces");
    gf_make_animation(&b, &k, &f, 1, NULL);
    gf_ok(strcmp(warning_of(&b, &frames), "") == 0 && frames == 1, "nothing of a sound one");
    free(b.at);
}

static void test_times(void)
{
    const struct gf_png_kind k = { .colour = 6, .depth = 8, .width = 1, .height = 1 };
    const struct gf_frame f = { 0, 0, 1, 1, NONE, SOURCE, "R" };
    struct gf_bytes b = { 0 };
    struct gf_format format;

    gf_begin_animation(&b, &k, 2);
    gf_add_control(&b, &f, 1, 30);
    gf_add_frame(&b, &f, 4, true);
    gf_add_control(&b, &f, 1, 20);
    gf_add_frame(&b, &f, 4, false);
    gf_png_chunk(&b, "IEND", NULL, 0);
    gf_ok(gf_png_read(&b, false, &format, NULL) == 8 && format.yuv.rate[0] == 24 && format.yuv.rate[1] == 1,
          "2 frames in 1/30 + 1/20 s");
    gf_ok(gf_png_read(&b, true, &format, NULL) == 8 && format.yuv.rate[0] == 30 && format.yuv.rate[1] == 1,
          "on a pipe, by the first");
    free(b.at);
}

/* One text before the image, and one after the last frame. */
static void test_texts(void)
{
    const struct gf_png_kind k = { .colour = 6, .depth = 8, .width = 1, .height = 1 };
    const struct gf_frame f = { 0, 0, 1, 1, NONE, SOURCE, "R" };
    struct gf_bytes b = { 0 };
    struct gf_error err;
    struct gf_reader *r;

    gf_begin_animation(&b, &k, 2);
    gf_png_chunk(&b, "tEXt", "Title\0first", 11);
    for (int i = 0; i < 2; i++) {
        gf_add_control(&b, &f, 1, 30);
        gf_add_frame(&b, &f, 4, i == 0);
    }
    gf_png_chunk(&b, "tEXt", "Author\0last", 11);
    gf_png_chunk(&b, "IEND", NULL, 0);
    gf_png_put_file("in.png", &b);
    r = gf_reader_open("in.png", &gf_png_usual, &err);
    gf_ok(r != NULL && r->meta.texts == 2 && gf_reader_next(r, &err) == 1 && r->meta.texts == 2
          && strcmp(r->meta.text[1].value, "last") == 0, "texts go with every frame");
    gf_reader_close(r);
    free(b.at);
}

/* Two frames of any type, one of them with random bytes, between two still images. */
static void test_mutations(void)
{
    struct gf_bytes b = { 0 }, still = { 0 };
    struct gf_format f;

    for (int n = 0; n < 2000; n++) {
        const struct gf_png_sort *sort = &gf_png_kinds[n % GF_PNG_KINDS];
        const struct gf_png_kind k = { .colour = sort->colour, .depth = sort->depth, .interlaced = (int)gf_dice(2),
                                       .keyed = sort->colour < 4 && gf_dice(2), .width = 1 + gf_dice(9),
                                       .height = 1 + gf_dice(9) };
        const struct gf_frame whole = { 0, 0, k.width, k.height, (int)gf_dice(3), (int)gf_dice(2), NULL };
        struct gf_bytes z = { 0 };

        free(gf_png_make(&still, &k, 1 + gf_dice(300)));
        gf_begin_animation(&b, &k, 2);
        gf_add_control(&b, &whole, gf_dice(99), gf_dice(99));
        gf_add(&b, still.at + 33, still.size - 33 - 12);
        for (int i = 0; i < 900; i++)
            gf_png_got[i] = (unsigned char)gf_dice(5);
        gf_zlib(&z, gf_png_got, 900);
        gf_add_control(&b, &whole, gf_dice(99), gf_dice(99));
        gf_add_frame_stream(&b, &z, false);
        gf_png_chunk(&b, "IEND", NULL, 0);
        gf_add(&b, still.at, still.size);
        for (uint32_t turns = gf_dice(6); turns > 0; turns--)
            b.at[8 + gf_dice((uint32_t)b.size - 8)] = (unsigned char)gf_dice(256);
        gf_png_mend_sums(&b);
        gf_png_read(&b, n & 1, &f, NULL);
        free(z.at);
    }
    gf_ok(true, "2000 damaged animations leave it standing");
    free(still.at);
    free(b.at);
}

/* An animation of two frames that is cut short. --salvage reads the complete frames. */
static void test_salvage(void)
{
    const struct gf_png_kind k = { .colour = 6, .depth = 8, .width = 3, .height = 1 };
    const struct gf_frame f[] = { { 0, 0, 3, 1, NONE, SOURCE, "RRR" }, { 1, 0, 2, 1, NONE, SOURCE, "GB" } };
    struct gf_bytes b = { 0 };
    struct gf_format format;
    size_t first, second;
    bool all = true;

    gf_begin_animation(&b, &k, 2);
    gf_add_control(&b, &f[0], 1, 25);
    gf_add_frame(&b, &f[0], 4, true);
    first = b.size;
    gf_add_control(&b, &f[1], 1, 25);
    gf_add_frame(&b, &f[1], 4, false);
    second = b.size;
    gf_png_chunk(&b, "IEND", NULL, 0);
    gf_png_salvage = true;
    for (; b.size > 40; b.size--)
        for (int piped = 0; piped < 2; piped++) {
            const int64_t wanted = b.size >= second ? 24 : b.size >= first ? 12 : -1;

            all = gf_png_read(&b, piped, &format, NULL) == wanted && all;
        }
    gf_make_animation(&b, &k, f, 2, NULL);
    b.at[second - 1] ^= 1;
    all = gf_png_read(&b, false, &format, NULL) == -1 && gf_png_read(&b, true, &format, NULL) == -1 && all;
    gf_png_salvage = false;
    gf_ok(all, "cut anywhere, with --salvage, it has its whole frames; a wrong checksum stays an error");
    free(b.at);
}

void gf_test_animation(void)
{
    test_composing();
    test_opaque();
    test_wide();
    test_kinds();
    test_damage();
    test_control_size();
    test_salvage();
    test_warnings();
    test_times();
    test_texts();
    test_mutations();
}
