/* Draws, and the signals of the generated test: PAM, float TIFF, Y4M and WAV of many forms. */
#include "tests/promises/generated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gf_dice gf_dice_of(uint64_t seed, uint64_t group, uint64_t number)
{
    struct gf_dice d = { seed * 0x9E3779B97F4A7C15u ^ group * 0xC2B2AE3D27D4EB4Fu ^ number * 0x165667B19E3779F9u };

    for (int i = 0; i < 4; i++)
        gf_dice_draw(&d, 2);
    return d;
}

/* splitmix64 */
uint32_t gf_dice_draw(struct gf_dice *d, uint32_t n)
{
    uint64_t z = d->state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) >> 32) % n;
}

double gf_dice_unit(struct gf_dice *d)
{
    return gf_dice_draw(d, 1 << 24) / (double)(1 << 24);
}

/* ---- forms ---- */

static const int sizes[][2] = { { 67, 45 }, { 1, 1 }, { 129, 33 }, { 3, 2 }, { 37, 1 }, { 16, 16 }, { 1, 41 },
                                { 70, 131 }, { 259, 7 } };
static const int lengths[] = { 1001, 1, 5003, 2, 97, 20011 };
static const struct {
    enum gf_type type;
    int bits;
} image_types[] = { { GF_U8, 8 }, { GF_U16, 16 }, { GF_F32, 32 } },
  sound_types[] = { { GF_S16, 16 }, { GF_F32, 32 }, { GF_S32, 24 }, { GF_U8, 8 }, { GF_S32, 32 }, { GF_F64, 64 } };
static const int sound_channels[] = { 2, 1, 6, 3 };

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* Returns the next digit of a number whose digits have different bases. */
static int digit(int *number, int base)
{
    const int d = *number % base;

    *number /= base;
    return d;
}

void gf_made_choose(struct gf_made_signal *s, enum gf_made made, int number, struct gf_dice *d)
{
    int n = number >= 0 ? number : (int)gf_dice_draw(d, 1 << 20);

    *s = (struct gf_made_signal) { .made = made };
    if (made == GF_MADE_SOUND) {
        const int type = digit(&n, COUNT(sound_types));

        s->type = sound_types[type].type;
        s->bits = sound_types[type].bits;
        s->channels = sound_channels[digit(&n, COUNT(sound_channels))];
        s->width = 1;
        s->units = lengths[digit(&n, COUNT(lengths))];
        snprintf(s->name, sizeof s->name, "%d-frames-%d-channels-%s%d.wav", (int)s->units, s->channels,
                 s->type >= GF_F32 ? "f" : s->type == GF_U8 ? "u" : "s", s->bits);
        return;
    }
    if (made == GF_MADE_IMAGE) {
        const int type = digit(&n, COUNT(image_types));

        s->type = image_types[type].type;
        s->bits = image_types[type].bits;
        s->channels = 1 + digit(&n, 4);
    } else {
        s->bits = digit(&n, 3) == 2 ? 10 : 8;
        s->type = s->bits > 8 ? GF_U16 : GF_U8;
        s->channels = digit(&n, 4) == 3 ? 1 : 3;
    }
    s->width = sizes[n % COUNT(sizes)][0];
    s->units = sizes[n % COUNT(sizes)][1];
    snprintf(s->name, sizeof s->name, "%dx%d-%d-channels-%s%d.%s", (int)s->width, (int)s->units, s->channels,
             s->type == GF_F32 ? "f" : "u", s->bits,
             made == GF_MADE_VIDEO ? "y4m" : s->type == GF_F32 ? "tif" : "pam");
}

/* ---- files ---- */

/* A part of the signal is noise, a part is smooth, and a part has one value. Values are from -1 to 1. */
static double value_of(const struct gf_made_signal *s, int64_t x, int64_t unit, int c, struct gf_dice *d)
{
    const int64_t place = s->made == GF_MADE_SOUND ? unit / 64 : x / 16 + unit / 16 + c;
    const double noise = 2 * gf_dice_unit(d) - 1;

    return place % 3 == 0 ? noise : place % 3 == 1 ? 0.9 * sin(0.13 * (double)unit + 0.07 * (double)x + c) + noise / 64
         : (double)(place % 7) / 7 - 0.3;
}

static void put_bytes(FILE *f, uint64_t v, int bytes, bool big)
{
    for (int i = 0; i < bytes; i++)
        putc((int)(v >> 8 * (big ? bytes - 1 - i : i) & 255), f);
}

static void put_float(FILE *f, double v, int bytes)
{
    const float narrow = (float)v;
    uint32_t word;
    uint64_t wide;

    memcpy(&word, &narrow, sizeof word);
    memcpy(&wide, &v, sizeof wide);
    put_bytes(f, bytes == 4 ? word : wide, bytes, false);
}

/* Writes all samples; those of integer images are from 0 to the largest, and those of float images exceed 0 to 1. */
static void put_samples(FILE *f, const struct gf_made_signal *s, struct gf_dice *d)
{
    const bool sound = s->made == GF_MADE_SOUND;

    for (int64_t y = 0; y < s->units; y++)
        for (int64_t x = 0; x < s->width; x++)
            for (int c = 0; c < s->channels; c++) {
                const double v = value_of(s, x, y, c, d);

                if (s->type == GF_F32 || s->type == GF_F64)
                    put_float(f, sound ? v : 0.6 * v + 0.5, s->bits / 8);
                else if (sound && s->bits > 8)
                    put_bytes(f, (uint64_t)(int64_t)(v * (ldexp(1, s->bits - 1) - 1)), s->bits / 8, false);
                else
                    put_bytes(f, (uint64_t)((v + 1) / 2 * (ldexp(1, s->bits) - 1) + 0.5), s->bits / 8, !sound);
            }
}

static void put_wav(FILE *f, const struct gf_made_signal *s, struct gf_dice *d)
{
    const uint32_t frame = (uint32_t)(s->channels * s->bits / 8), bytes = (uint32_t)s->units * frame;

    fputs("RIFF", f);
    put_bytes(f, 36 + bytes + bytes % 2, 4, false);
    fputs("WAVEfmt ", f);
    put_bytes(f, 16, 4, false);
    put_bytes(f, s->type >= GF_F32 ? 3 : 1, 2, false);
    put_bytes(f, (uint64_t)s->channels, 2, false);
    put_bytes(f, 44100, 4, false);
    put_bytes(f, 44100 * frame, 4, false);
    put_bytes(f, frame, 2, false);
    put_bytes(f, (uint64_t)s->bits, 2, false);
    fputs("data", f);
    put_bytes(f, bytes, 4, false);
    put_samples(f, s, d);
    if (bytes % 2 == 1)
        putc(0, f);
}

static void put_pam(FILE *f, const struct gf_made_signal *s, struct gf_dice *d)
{
    static const char *const kinds[] = { "GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA" };

    fprintf(f, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH %d\nMAXVAL %d\nTUPLTYPE %s\nENDHDR\n", (int)s->width, (int)s->units,
            s->channels, s->bits == 8 ? 255 : 65535, kinds[s->channels - 1]);
    put_samples(f, s, d);
}

static void put_entry(FILE *f, int tag, int type, int count, uint32_t value)
{
    put_bytes(f, (uint64_t)tag, 2, false);
    put_bytes(f, (uint64_t)type, 2, false);
    put_bytes(f, (uint64_t)count, 4, false);
    put_bytes(f, value, 4, false);
}

/* One strip of floats. Arrays of two 16-bit numbers are in their entry, longer ones at byte 200. */
static void put_tiff(FILE *f, const struct gf_made_signal *s, struct gf_dice *d)
{
    const bool alpha = s->channels % 2 == 0;
    const uint32_t bytes = (uint32_t)(s->width * s->units * s->channels * 4);

    fputs("II*", f);
    put_bytes(f, 0, 1, false);
    put_bytes(f, 8, 4, false);
    put_bytes(f, alpha ? 11 : 10, 2, false);
    put_entry(f, 256, 4, 1, (uint32_t)s->width);
    put_entry(f, 257, 4, 1, (uint32_t)s->units);
    put_entry(f, 258, 3, s->channels, s->channels > 2 ? 200 : s->channels > 1 ? 32 | 32 << 16 : 32);
    put_entry(f, 259, 3, 1, 1);                          /* not compressed */
    put_entry(f, 262, 3, 1, s->channels > 2 ? 2 : 1);    /* RGB, or gray */
    put_entry(f, 273, 4, 1, 224);                        /* position of the samples */
    put_entry(f, 277, 3, 1, (uint32_t)s->channels);
    put_entry(f, 278, 4, 1, (uint32_t)s->units);
    put_entry(f, 279, 4, 1, bytes);
    if (alpha)
        put_entry(f, 338, 3, 1, 2);                      /* the last channel is alpha, not multiplied */
    put_entry(f, 339, 3, s->channels, s->channels > 2 ? 208 : s->channels > 1 ? 3 | 3 << 16 : 3);
    while (ftell(f) < 200)
        putc(0, f);
    for (int i = 0; i < 4; i++)
        put_bytes(f, 32, 2, false);
    for (int i = 0; i < 4; i++)
        put_bytes(f, 3, 2, false);
    while (ftell(f) < 224)
        putc(0, f);
    put_samples(f, s, d);
}

/* Three frames. Color has half as many columns and rows. */
static void put_y4m(FILE *f, const struct gf_made_signal *s, struct gf_dice *d)
{
    const char *const kind = s->channels == 1 ? (s->bits > 8 ? "mono10" : "mono") : s->bits > 8 ? "420p10" : "420jpeg";

    fprintf(f, "YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C%s\n", (int)s->width, (int)s->units, kind);
    for (int frame = 0; frame < 3; frame++) {
        fputs("FRAME\n", f);
        for (int plane = 0; plane < s->channels; plane++) {
            struct gf_made_signal p = { .made = GF_MADE_VIDEO, .width = s->width, .units = s->units, .channels = 1,
                                        .bits = s->bits };

            if (plane > 0) {
                p.width = (p.width + 1) / 2;
                p.units = (p.units + 1) / 2;
            }
            for (int64_t y = 0; y < p.units; y++)
                for (int64_t x = 0; x < p.width; x++)
                    put_bytes(f, (uint64_t)((value_of(&p, x, y, plane, d) + 1) / 2 * (ldexp(1, p.bits) - 1)),
                              p.bits > 8 ? 2 : 1, false);
        }
    }
}

bool gf_made_write(const struct gf_made_signal *s)
{
    struct gf_dice d = gf_dice_of(7, (uint64_t)(s->width * 1000 + s->units), (uint64_t)(s->channels * 100 + s->bits));
    bool whole;
    FILE *f;

    if (access(s->name, F_OK) == 0)
        return true;
    f = fopen(s->name, "wb");
    if (f == NULL)
        return false;
    if (s->made == GF_MADE_SOUND)
        put_wav(f, s, &d);
    else if (s->made == GF_MADE_VIDEO)
        put_y4m(f, s, &d);
    else if (s->type == GF_F32)
        put_tiff(f, s, &d);
    else
        put_pam(f, s, &d);
    whole = !ferror(f);
    return fclose(f) == 0 && whole;
}
