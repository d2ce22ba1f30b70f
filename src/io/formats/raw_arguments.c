/* Parses the arguments after "raw:" that describe samples without a header. */
#define _GNU_SOURCE
#include "io/formats/raw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TYPES "u8, u16, u24, u32, s8, s16, s24, s32, f32 or f64, with le or be after it for the byte order (default le)"
#define TAKES "raw takes rate=HZ,channels=N,type=T for audio or size=WxH,channels=N,type=T for images; the keys may " \
    "be omitted; T is " TYPES

/* Parses a sample type: u8, s16, s24be, f32le. */
static int read_type(struct gf_raw *raw, const char *value)
{
    char order[3] = "";
    int bits = 0, used = 0;

    if (sscanf(value, "%*c%2d%n", &bits, &used) != 1 || value[1] < '0' || value[1] > '9' || strlen(value + used) > 2)
        return -1;
    strcpy(order, value + used);
    raw->letter = value[0];
    raw->pcm = (struct gf_pcm) { .bytes = bits / 8, .big = strcmp(order, "be") == 0, .real = value[0] == 'f' };
    if (order[0] != '\0' && strcmp(order, "le") != 0 && strcmp(order, "be") != 0)
        return -1;
    if (value[0] == 'f')
        return bits == 32 || bits == 64 ? 0 : -1;
    return strchr("us", value[0]) != NULL && (bits == 8 || bits == 16 || bits == 24 || bits == 32) ? 0 : -1;
}

bool gf_raw_type_is_meant(const char *word)
{
    struct gf_raw raw = { 0 };
    char type[12];

    snprintf(type, sizeof type, "%.*s", (int)strcspn(word, ":"), word);
    return strlen(type) >= 2 && read_type(&raw, type) == 0;
}

/* Parses a sample rate: 48000, 48k, 44.1k. */
static int read_rate(struct gf_raw *raw, const char *value)
{
    char *end;
    double rate = strtod(value, &end);

    if (end != value && *end == 'k') {
        rate *= 1000;
        end++;
    }
    if (end == value || *end != '\0' || !(rate >= 1 && rate <= INT32_MAX) || fabs(rate - round(rate)) > 1e-6)
        return -1;
    raw->rate = (int32_t)round(rate);
    return 0;
}

static int read_size(struct gf_raw *raw, const char *value)
{
    long long width, rows;
    char rest;

    if (sscanf(value, "%9lldx%9lld%c", &width, &rows, &rest) != 2 || width < 1 || rows < 1)
        return -1;
    raw->width = width;
    raw->rows = rows;
    return 0;
}

static int read_channels(struct gf_raw *raw, const char *value)
{
    char rest;

    return sscanf(value, "%4d%c", &raw->channels, &rest) == 1 && raw->channels >= 1
        && raw->channels <= GF_MAX_CHANNELS ? 0 : -1;
}

static const struct {
    const char *key, *takes;
    int (*read)(struct gf_raw *raw, const char *value);
} keys[] = {
    { "rate", "a number of Hz, like 48000 or 44.1k", read_rate },
    { "channels", "1 to 64", read_channels },
    { "type", TYPES, read_type },
    { "size", "WxH, like 640x480", read_size },
};

enum { RATE, CHANNELS, TYPE, SIZE, KEYS };

#define LEAST_RATE 100               /* a smaller number without a key is not taken as a rate */

/*
 * Returns the key for a value without one. Types and sizes are unambiguous; the first of several
 * numbers is the rate. KEYS: no key fits.
 */
static int key_of(const struct gf_raw *raw, const char *value)
{
    struct gf_raw trial = { 0 };

    if (read_type(&trial, value) == 0)
        return TYPE;
    if (read_size(&trial, value) == 0)
        return SIZE;
    if (raw->rate == 0 && raw->width == 0 && raw->channels == 0 && read_rate(&trial, value) == 0
        && trial.rate >= LEAST_RATE)
        return RATE;
    return raw->channels == 0 && read_channels(&trial, value) == 0 ? CHANNELS : KEYS;
}

static bool is_given(const struct gf_raw *raw, int key)
{
    return key == RATE ? raw->rate > 0 : key == CHANNELS ? raw->channels > 0
         : key == TYPE ? raw->pcm.bytes > 0 : raw->width > 0;
}

static int read_part(struct gf_raw *raw, char *part, const char *word, const char *option, struct gf_error *err)
{
    char *value = strchr(part, '=');
    int k = 0;

    if (value != NULL)
        *value++ = '\0';
    while (k < KEYS && value != NULL && strcmp(keys[k].key, part) != 0)
        k++;
    if (value == NULL) {
        k = key_of(raw, part);
        value = part;
    }
    if (k == KEYS && (strcmp(part, "bits") == 0 || strcmp(part, "depth") == 0))
        return gf_fail(err, GF_MISUSED, "%s %s: the number of bits is part of the type, as in type=s%.8s; the type "
                       "is " TYPES, option, word, value);
    if (k == KEYS)
        return gf_fail(err, GF_MISUSED, "%s %s: '%s' is not understood; " TAKES, option, word, part);
    if (is_given(raw, k))
        return gf_fail(err, GF_MISUSED, "%s %s: %s is given twice", option, word, keys[k].key);
    if (keys[k].read(raw, value) != 0)
        return gf_fail(err, GF_MISUSED, "%s %s: %s= must be %s, not '%s'", option, word, keys[k].key,
                       keys[k].takes, value);
    return 0;
}

int gf_raw_parse(struct gf_raw *raw, const char *word, const char *option, struct gf_error *err)
{
    const char *at = word[3] == ':' ? word + 4 : word + 3;

    *raw = (struct gf_raw) { 0 };
    while (*at != '\0') {
        char part[64];
        const size_t length = strcspn(at, ",");

        snprintf(part, sizeof part, "%.*s", (int)(length < 60 ? length : 60), at);
        at += length + (at[length] == ',');
        if (read_part(raw, part, word, option, err) != 0)
            return -1;
    }
    return 0;
}

int gf_raw_picture(const struct gf_raw *raw, struct gf_format *f)
{
    if (raw->letter == 'u' && raw->pcm.bytes <= 2)
        f->type = raw->pcm.bytes == 1 ? GF_U8 : GF_U16;
    else if (raw->letter == 'f' && raw->pcm.bytes == 4)
        f->type = GF_F32;
    else
        return -1;
    f->bits = raw->pcm.bytes * 8;
    f->maxval = raw->letter == 'f' ? 1 : raw->pcm.bytes == 1 ? 255 : 65535;
    return 0;
}

void gf_raw_sound(struct gf_raw *raw, struct gf_format *f)
{
    raw->pcm.offset = raw->letter == 'u';
    gf_pcm_sound(&raw->pcm, f);
}
