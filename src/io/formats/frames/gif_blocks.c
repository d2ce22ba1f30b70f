/* Reads the blocks of a GIF: header, palettes, extensions and positions of images. */
#include "io/formats/frames/frame_times.h"
#include "io/formats/frames/gif.h"

#include <string.h>

#define EXTENSION 0x21
#define IMAGE 0x2C
#define CONTROL 0xF9                     /* graphic control extension */
#define PLAIN_TEXT 0x01                  /* plain text extension, which no viewer draws */
#define HEAD_BYTES 13
#define IMAGE_BYTES 9
#define CONTROL_BYTES 4
#define APPLICATION 0xFF                 /* application extension */

static int le16(const unsigned char *b)
{
    return b[0] | b[1] << 8;
}

/* Returns the size of a palette, encoded in a flag byte; 0 if there is none. */
static int table_colours(unsigned flags)
{
    return (flags & 0x80) != 0 ? 2 << (flags & 7) : 0;
}

int gf_gif_fail_cut(const struct gf_source *s, int64_t pictures, struct gf_error *err)
{
    return gf_fail_cut(err, "%s: is cut short within frame %lld", s->name, (long long)pictures + 1);
}

/* Reads exactly `size` bytes. */
static int read_exactly(struct gf_source *s, unsigned char *to, size_t size, int64_t pictures, struct gf_error *err)
{
    const int64_t got = gf_source_read(s, to, size, err);

    return got < 0 ? -1 : (size_t)got < size ? gf_gif_fail_cut(s, pictures, err) : 0;
}

int gf_gif_header(struct gf_source *s, struct gf_gif_screen *screen, struct gf_error *err)
{
    unsigned char head[HEAD_BYTES] = { 0 };
    const int64_t got = gf_source_read(s, head, sizeof head, err);

    if (got < 0)
        return -1;
    if (got < 6 || (memcmp(head, "GIF87a", 6) != 0 && memcmp(head, "GIF89a", 6) != 0))
        return gf_fail(err, GF_FAILED, "%s: is not a GIF file", s->name);
    if (got < HEAD_BYTES)
        return gf_fail_cut(err, "%s: ends in its header", s->name);
    *screen = (struct gf_gif_screen) { .width = le16(head + 6), .height = le16(head + 8),
                                       .colours = table_colours(head[10]) };
    if (screen->width == 0 || screen->height == 0)
        return gf_fail(err, GF_FAILED, "%s: its width or height is 0", s->name);
    return 0;
}

int gf_gif_colours(struct gf_source *s, unsigned char *rgb, int colours, struct gf_error *err)
{
    const size_t size = 3 * (size_t)colours;
    const int64_t got = gf_source_read(s, rgb, size, err);

    return got < 0 ? -1 : (size_t)got < size ? gf_fail_cut(err, "%s: ends in its palette", s->name) : 0;
}

int gf_gif_skip_data(struct gf_source *s, int64_t pictures, struct gf_error *err)
{
    for (;;) {
        const int size = gf_source_byte(s, err);
        const int64_t got = size > 0 ? gf_source_skip(s, size, err) : size;

        if (size == 0)
            return 0;
        if (size == -2 || (size > 0 && got < 0))
            return -1;
        if (got < size || size < 0)
            return gf_gif_fail_cut(s, pictures, err);
    }
}

/* Reads a block of `size` bytes, which -1 and -2 say could not be read. Returns 0 if it is empty, and 1 if not. */
static int read_block(struct gf_source *s, int size, unsigned char *b, int64_t pictures, struct gf_error *err)
{
    if (size < 0)
        return size == -1 ? gf_gif_fail_cut(s, pictures, err) : -1;
    if (size == 0)
        return 0;
    return read_exactly(s, b, (size_t)size, pictures, err) != 0 ? -1 : 1;
}

/* Reads how often an animation is repeated after it has played once; 0 means without end. */
static int read_repeats(struct gf_source *s, int64_t pictures, struct gf_gif_control *c, struct gf_error *err)
{
    const int size = gf_source_byte(s, err);
    unsigned char b[GF_GIF_BLOCK_BYTES] = { 0 };
    const int there = read_block(s, size, b, pictures, err);

    if (there <= 0)
        return there;
    if (size >= 3 && b[0] == 1)
        c->plays = le16(b + 1) > 0 ? le16(b + 1) + 1 : 0;
    return gf_gif_skip_data(s, pictures, err);
}

/* Reads an extension. All except graphic control, plain text and repeats are skipped. */
static int read_extension(struct gf_source *s, int64_t pictures, struct gf_gif_control *c, struct gf_error *err)
{
    const int label = gf_source_byte(s, err), size = label >= 0 ? gf_source_byte(s, err) : label;
    unsigned char b[GF_GIF_BLOCK_BYTES];
    const int there = read_block(s, size, b, pictures, err);

    if (there <= 0)
        return there;
    if (label == PLAIN_TEXT)
        *c = (struct gf_gif_control) { .transparent = -1, .plays = c->plays };
    if (label == CONTROL && size >= CONTROL_BYTES)
        *c = (struct gf_gif_control) { .delay = le16(b + 1), .disposal = b[0] >> 2 & 7,
                                       .transparent = (b[0] & 1) != 0 ? b[3] : -1, .plays = c->plays };
    if (label == APPLICATION && size == 11 && (memcmp(b, "NETSCAPE2.0", 11) == 0 || memcmp(b, "ANIMEXTS1.0", 11) == 0))
        return read_repeats(s, pictures, c, err);
    return gf_gif_skip_data(s, pictures, err);
}

static int read_image(struct gf_source *s, int64_t pictures, struct gf_gif_image *image, struct gf_error *err)
{
    unsigned char b[IMAGE_BYTES];

    if (read_exactly(s, b, sizeof b, pictures, err) != 0)
        return -1;
    *image = (struct gf_gif_image) { .x = le16(b), .y = le16(b + 2), .width = le16(b + 4), .height = le16(b + 6),
                                     .interlaced = (b[8] & 0x40) != 0, .colours = table_colours(b[8]) };
    if (image->width == 0 || image->height == 0)
        return gf_fail_damaged(err, "%s: frame %lld is damaged: its width or height is 0", s->name,
                               (long long)pictures + 1);
    return 1;
}

int gf_gif_next(struct gf_source *s, int64_t pictures, struct gf_gif_control *control, struct gf_gif_image *image,
                struct gf_error *err)
{
    *control = (struct gf_gif_control) { .transparent = -1, .plays = -1 };
    for (;;) {
        const int c = gf_source_byte(s, err);

        if (c == IMAGE)
            return read_image(s, pictures, image, err);
        if (c == -2 || (c == EXTENSION && read_extension(s, pictures, control, err) != 0))
            return -1;
        if (c == GF_GIF_TRAILER || c == -1) {
            if (pictures == 0)
                return gf_fail(err, GF_FAILED, "%s: contains no image", s->name);
            return c == -1 ? GF_GIF_NO_TRAILER : 0;
        }
        if (c != EXTENSION && c != 0)
            return gf_fail_damaged(err, "%s: is damaged %s frame %lld", s->name, pictures > 0 ? "after" : "before",
                                   (long long)(pictures > 0 ? pictures : 1));
    }
}

/* ---- durations ---- */

/*
 * Adds the duration of each image after the current one. Stops silently at damage, which is
 * reported when it is read.
 */
static void add_later_frames(struct gf_source *s, struct gf_frame_times *times)
{
    struct gf_gif_control c;
    struct gf_gif_image image = { 0 };
    struct gf_error none;
    int64_t before;

    for (;;) {
        before = 3 * (int64_t)image.colours + 1;             /* plus one byte for the code size */
        if (gf_source_skip(s, before, &none) < before || gf_gif_skip_data(s, times->frames, &none) != 0
            || gf_gif_next(s, times->frames, &c, &image, &none) != 1)
            return;
        gf_frame_times_add(times, c.delay, GF_GIF_PER_SECOND);
    }
}

int gf_gif_rate(const struct gf_source *s, const struct gf_gif_control *first, struct gf_yuv *timing,
                int64_t *frames, struct gf_error *err)
{
    struct gf_frame_times times = { 0 };
    struct gf_source twin;

    gf_frame_times_add(&times, first->delay, GF_GIF_PER_SECOND);
    if (s->random) {
        if (gf_source_twin(&twin, s, err) != 0)
            return -1;
        add_later_frames(&twin, &times);
        gf_source_close(&twin);
    }
    gf_frame_times_rate(&times, timing);
    *frames = s->random ? times.frames : GF_UNKNOWN;
    return 0;
}
