/* The table of readers, and which one takes an input: by --from, then by its content, then by its name. */
#define _GNU_SOURCE
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "io/reader_choice.h"

#include "base/path.h"
#include "base/words.h"
#include "io/format.h"
#include "io/format_list.h"
#include "io/formats/raw.h"
#include "io/unsupported.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Those with a firm signature come first; TGA has none, and MP3 next to none. */
static const struct gf_read_format *const formats[] = {
    &gf_read_pnm, &gf_read_png, &gf_read_jpeg, &gf_read_bmp, &gf_read_gif, &gf_read_psd, &gf_read_hdr, &gf_read_pic,
    &gf_read_qoi,
#ifdef HAVE_TIFF
    &gf_read_tiff,
#endif
#ifdef HAVE_WEBP
    &gf_read_webp,
#endif
    &gf_read_y4m, &gf_read_wav, &gf_read_au, &gf_read_sndfile, &gf_read_tga, &gf_read_raw,
};

#define FORMATS (sizeof formats / sizeof formats[0])

/* Every word that --from takes: names, and the endings that mean the same. */
const char *const *gf_reader_names(void)
{
    static const char *const names[] = {
        "pnm", "pbm", "pgm", "ppm", "pam", "pfm", "png", "jpeg", "jpg", "bmp", "gif", "psd", "psb", "hdr", "pic", "tga", "qoi", "y4m",
#ifdef HAVE_TIFF
        "tiff", "tif",
#endif
#ifdef HAVE_WEBP
        "webp",
#endif
        "wav", "rf64", "w64", "aiff", "au", "caf", "flac", "ogg", "opus", "mp3", "raw", NULL,
    };

    return names;
}

static bool is_named(const struct gf_read_format *f, const char *word)
{
    if (strcasecmp(f->name, word) == 0)
        return true;
    for (const char *const *e = f->endings; *e != NULL; e++) {
        if (strcasecmp(*e, word) == 0)
            return true;
    }
    return false;
}

static const struct gf_read_format *by_name(const char *word)
{
    for (size_t i = 0; i < FORMATS; i++) {
        if (is_named(formats[i], word))
            return formats[i];
    }
    return NULL;
}

/* Finds the format by the content; *found is NULL if that does not tell. */
static int find_by_content(struct gf_source *s, const struct gf_read_format **found, struct gf_error *err)
{
    *found = NULL;
    for (size_t i = 0; i < FORMATS; i++) {
        int match = formats[i]->match(s, err);

        if (match < 0)
            return -1;
        if (match > 0) {
            *found = formats[i];
            return 0;
        }
    }
    return 0;
}

/* Finds the format by the content and then by the name; *found is NULL if neither tells. */
static int recognise(struct gf_source *s, const struct gf_read_format **found, struct gf_error *err)
{
    if (find_by_content(s, found, err) != 0)
        return -1;
    if (*found == NULL)
        *found = by_name(gf_path_extension(s->name));
    return 0;
}

int gf_reader_knows(const char *path)
{
    struct gf_source source = { .fd = -1 };
    const struct gf_read_format *found = NULL;
    struct gf_error err;
    int result = -1;

    if (gf_source_open(&source, path, &err) == 0 && recognise(&source, &found, &err) == 0)
        result = found != NULL;
    gf_source_close(&source);
    return result;
}

static bool is_audio(const struct gf_read_format *f)
{
    return f == &gf_read_wav || f == &gf_read_au || f == &gf_read_sndfile;
}

unsigned gf_reader_kinds(const char *path)
{
    const struct gf_read_format *f = path != NULL ? by_name(gf_path_extension(path)) : NULL;

    if (f == NULL || f == &gf_read_raw)
        return 0;
    return 1u << (is_audio(f) ? GF_AUDIO : GF_IMAGE);
}

static void put_capitals(const char *from, char *to, size_t room)
{
    size_t i = 0;

    for (; from[i] != '\0' && i + 1 < room; i++)
        to[i] = (char)toupper((unsigned char)from[i]);
    to[i] = '\0';
}

/*
 * Refuses a --from that the content contradicts. The readers of audio look at the content themselves, and raw samples may
 * begin with anything; TGA and MP3 have no signature that could contradict.
 */
static int check_from(struct gf_source *s, const char *from, const struct gf_read_format *asked, struct gf_error *err)
{
    const struct gf_read_format *found;
    const unsigned char *b;
    char asked_name[16], found_name[16];

    if (asked == &gf_read_raw)
        return 0;
    if (find_by_content(s, &found, err) != 0 || gf_source_peek(s, 1, &b, err) < 0)
        return -1;
    if (found == NULL || found == asked || found == &gf_read_raw || found == &gf_read_tga || (is_audio(found) && is_audio(asked)))
        return 0;
    if (found == &gf_read_sndfile && b[0] == 0xFF)
        return 0;
    put_capitals(from, asked_name, sizeof asked_name);
    put_capitals(found->name, found_name, sizeof found_name);
    return gf_fail(err, GF_FAILED, "%s: is %s, not %s; leave out --from %s", s->name,
                   found == &gf_read_sndfile ? "audio" : found_name, asked_name, from);
}

static int choose(struct gf_source *s, const struct gf_read_options *o, const struct gf_read_format **found, struct gf_error *err)
{
    char nearest[200];

    if (o->from != NULL) {
        *found = by_name(gf_raw_is_meant(o->from) ? "raw" : o->from);
        if (*found != NULL)
            return check_from(s, o->from, *found, err);
        if (gf_raw_type_is_meant(o->from)) {
            const int type = (int)strcspn(o->from, ":");

            return gf_fail(err, GF_MISUSED, "--from %s: write -f raw:%s,type=%.*s", o->from,
                           o->from[type] != '\0' && o->from[type + 1] != '\0' ? o->from + type + 1 : "rate=44100,channels=2", type, o->from);
        }
        gf_nearest_words(o->from, gf_reader_names(), nearest, sizeof nearest);
        return gf_fail(err, GF_MISUSED, "--from %s: is not a format that gpufilter reads; near it: %s", o->from,
                       nearest);
    }
    if (recognise(s, found, err) != 0)
        return -1;
    if (*found != NULL)
        return 0;
    return gf_fail_unsupported(s, s->name, err);
}

/* --channels is for formats of images that can have more channels than an image has here. */
static int check_picks(const struct gf_read_format *format, const struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    if (o->channels.count == 0 || format->picks)
        return 0;
    if (is_audio(format))
        return gf_fail(err, GF_MISUSED, "%s: --channels is for images; for audio use the stages mono, channel:2 or remix:1,3", s->name);
    return gf_fail(err, GF_MISUSED, "%s: --channels is for TIFF and PAM, and this is %s; the stage channel:red picks one channel",
                   s->name, format->name);
}

int gf_reader_choose(struct gf_source *s, const struct gf_read_options *o, const struct gf_read_format **found, struct gf_error *err)
{
    return choose(s, o, found, err) == 0 ? check_picks(*found, s, o, err) : -1;
}

int gf_reader_choose_joined(struct gf_source *s, const struct gf_read_format **found, struct gf_error *err)
{
    for (size_t i = 0; i < FORMATS; i++) {
        const int match = formats[i]->joined ? formats[i]->match(s, err) : 0;

        if (match > 0)
            *found = formats[i];
        if (match != 0)
            return match;
    }
    return 0;
}
