/* Animated PNG for tests: each pixel is a letter. */
#include "png_frames.h"

#include <stdlib.h>
#include <string.h>

uint32_t gf_frame_sequence;

/* h and H are red and blue with alpha 128. */
static const struct { char letter; unsigned char rgba[4]; } letters[] = {
    { 'R', { 255, 0, 0, 255 } }, { 'G', { 0, 255, 0, 255 } }, { 'B', { 0, 0, 255, 255 } }, { '.', { 0, 0, 0, 0 } },
    { 'h', { 255, 0, 0, 128 } }, { 'H', { 0, 0, 255, 128 } },
    { 'm', { 128, 0, 127, 255 } },       /* h over B: 255·128/255, 255·127/255 */
    { 'n', { 170, 0, 85, 192 } },        /* h over H: alpha 128 + 127·128/255 = 191.7; red 255·128/191.7 */
};

size_t gf_add_letter(unsigned char *to, char letter, int channels)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].letter == letter)
            memcpy(to, letters[i].rgba, (size_t)channels);
    return (size_t)channels;
}

void gf_add_control(struct gf_bytes *b, const struct gf_frame *f, unsigned count, unsigned per_second)
{
    struct gf_bytes c = { 0 };
    const unsigned char rest[] = { (unsigned char)(count >> 8), (unsigned char)count, (unsigned char)(per_second >> 8),
                                   (unsigned char)per_second, (unsigned char)f->dispose, (unsigned char)f->blend };

    gf_add32(&c, gf_frame_sequence++);
    gf_add32(&c, f->width);
    gf_add32(&c, f->height);
    gf_add32(&c, f->x);
    gf_add32(&c, f->y);
    gf_add(&c, rest, sizeof rest);
    gf_png_chunk(b, "fcTL", c.at, c.size);
    free(c.at);
}

void gf_add_frame_stream(struct gf_bytes *b, const struct gf_bytes *z, bool still)
{
    const size_t first = z->size / 2;

    if (still) {
        gf_png_chunk(b, "IDAT", z->at, z->size);
        return;
    }
    for (int half = 0; half < 2; half++) {
        struct gf_bytes d = { 0 };

        gf_add32(&d, gf_frame_sequence++);
        gf_add(&d, z->at + (half == 0 ? 0 : first), half == 0 ? first : z->size - first);
        gf_png_chunk(b, "fdAT", d.at, d.size);
        free(d.at);
    }
}

void gf_add_frame(struct gf_bytes *b, const struct gf_frame *f, int channels, bool still)
{
    struct gf_bytes rows = { 0 }, z = { 0 };
    const char *pixel = f->pixels;
    unsigned char samples[4];

    for (uint32_t y = 0; y < f->height; y++) {
        gf_add(&rows, "", 1);
        for (uint32_t x = 0; x < f->width; x++)
            gf_add(&rows, samples, gf_add_letter(samples, *pixel++, channels));
    }
    gf_zlib(&z, rows.at, rows.size);
    gf_add_frame_stream(b, &z, still);
    free(rows.at);
    free(z.at);
}

void gf_begin_animation(struct gf_bytes *b, const struct gf_png_kind *k, uint32_t frames)
{
    struct gf_bytes c = { 0 };

    gf_frame_sequence = 0;
    gf_png_begin(b, k);
    gf_add32(&c, frames);
    gf_add32(&c, 0);
    gf_png_chunk(b, "acTL", c.at, c.size);
    free(c.at);
}

void gf_make_animation(struct gf_bytes *b, const struct gf_png_kind *k, const struct gf_frame *frames, uint32_t count,
                       const char *hidden)
{
    const struct gf_frame still = { .width = k->width, .height = k->height, .pixels = hidden };
    const int channels = k->colour == 2 ? 3 : 4;

    gf_begin_animation(b, k, count);
    if (hidden != NULL)
        gf_add_frame(b, &still, channels, true);
    for (uint32_t i = 0; i < count; i++) {
        gf_add_control(b, &frames[i], 1, 25);
        gf_add_frame(b, &frames[i], channels, i == 0 && hidden == NULL);
    }
    gf_png_chunk(b, "IEND", NULL, 0);
}
