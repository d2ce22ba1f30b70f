/* The table of readers: --from first, then what the content looks like, then the name. */
#define _GNU_SOURCE
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "io/foreign.h"
#include "io/formats.h"
#include "io/icc.h"
#include "io/raw.h"
#include "io/salvage.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct input {
    struct gf_reader reader;
    struct gf_source source;
    struct gf_read_options options;
    int64_t signals;                     /* that were at hand */
    char *name;
};

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
        *found = by_name(gf_name_ending(s->name));
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
    const struct gf_read_format *f = path != NULL ? by_name(gf_name_ending(path)) : NULL;

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
static int check_from(struct input *in, const char *from, const struct gf_read_format *asked, struct gf_error *err)
{
    const struct gf_read_format *found;
    const unsigned char *b;
    char asked_name[16], found_name[16];

    if (asked == &gf_read_raw)
        return 0;
    if (find_by_content(&in->source, &found, err) != 0 || gf_source_peek(&in->source, 1, &b, err) < 0)
        return -1;
    if (found == NULL || found == asked || found == &gf_read_raw || found == &gf_read_tga || (is_audio(found) && is_audio(asked)))
        return 0;
    if (found == &gf_read_sndfile && b[0] == 0xFF)
        return 0;
    put_capitals(from, asked_name, sizeof asked_name);
    put_capitals(found->name, found_name, sizeof found_name);
    return gf_fail(err, GF_FAILED, "%s: is %s, not %s; leave out --from %s", in->name,
                   found == &gf_read_sndfile ? "audio" : found_name, asked_name, from);
}

static int choose(struct input *in, const struct gf_read_options *o, const struct gf_read_format **found,
                  struct gf_error *err)
{
    char nearest[200];

    if (o->from != NULL) {
        *found = by_name(gf_raw_is_meant(o->from) ? "raw" : o->from);
        if (*found != NULL)
            return check_from(in, o->from, *found, err);
        if (gf_raw_type_is_meant(o->from)) {
            const int type = (int)strcspn(o->from, ":");

            return gf_fail(err, GF_MISUSED, "--from %s: write -f raw:%s,type=%.*s", o->from,
                           o->from[type] != '\0' && o->from[type + 1] != '\0' ? o->from + type + 1 : "rate=44100,channels=2", type, o->from);
        }
        gf_nearest_names(o->from, gf_reader_names(), nearest, sizeof nearest);
        return gf_fail(err, GF_MISUSED, "--from %s: is not a format that gpufilter reads; near it: %s", o->from,
                       nearest);
    }
    if (recognise(&in->source, found, err) != 0)
        return -1;
    if (*found != NULL)
        return 0;
    return gf_fail_foreign(&in->source, in->name, err);
}

/* --channels is for formats of images that can have more channels than an image has here. */
static int check_picks(const struct gf_read_format *format, const struct input *in, struct gf_error *err)
{
    const bool audio = format == &gf_read_wav || format == &gf_read_au || format == &gf_read_sndfile;

    if (in->options.channels.count == 0 || format->picks)
        return 0;
    if (audio)
        return gf_fail(err, GF_MISUSED, "%s: --channels is for images; for audio use the stages mono, channel:2 or remix:1,3", in->name);
    return gf_fail(err, GF_MISUSED, "%s: --channels is for TIFF and PAM, and this is %s; the stage channel:red picks one channel",
                   in->name, format->name);
}

struct gf_reader *gf_reader_open(const char *path, const struct gf_read_options *options, struct gf_error *err)
{
    struct input *in = calloc(1, sizeof *in);
    const struct gf_read_format *format = NULL;
    int got;

    if (in == NULL) {
        gf_fail(err, GF_FAILED, "out of memory");
        return NULL;
    }
    in->source.fd = -1;
    if (gf_source_open(&in->source, path, err) != 0)
        goto fail;
    in->name = strdup(in->source.name);
    if (in->name == NULL) {
        gf_fail(err, GF_FAILED, "out of memory");
        goto fail;
    }
    in->source.name = in->name;
    in->source.live = options->live;
    in->options = *options;
    in->reader.name = in->name;
    in->reader.notices = options->notices;
    in->reader.salvage = options->salvage;
    if (choose(in, options, &format, err) != 0 || check_picks(format, in, err) != 0
        || format->open(&in->reader, &in->source, options, err) != 0)
        goto fail;
    got = gf_reader_next(&in->reader, err);
    if (got == 0)
        gf_fail(err, GF_FAILED, "%s: holds nothing", in->name);
    if (got > 0 && options->interlaced == GF_INTERLACED_FIELDS && format != &gf_read_y4m)
        gf_warn(options->notices, "fields-ignored", in->name, "--interlaced fields has no effect, only Y4M has fields");
    if (got > 0) {
        in->reader.file_seconds = in->source.slurp_seconds;
        in->reader.file_bytes = in->source.slurp_seconds > 0 || in->reader.ops->reading == GF_LABOUR_CODE ? in->source.position : 0;
        return &in->reader;
    }
fail:
    gf_reader_close(&in->reader);
    return NULL;
}

/* Where one format ends and a picture of another follows: 1, 0, -1. */
static int change_format(struct gf_reader *r, struct gf_error *err)
{
    static const struct gf_read_format *const joined[] = { &gf_read_jpeg, &gf_read_png };
    struct input *in = (struct input *)(void *)r;

    for (size_t i = 0; i < sizeof joined / sizeof joined[0]; i++) {
        const int match = joined[i]->match(&in->source, err);

        if (match < 0)
            return -1;
        if (match == 0)
            continue;
        r->ops->close(r);
        r->state = NULL;
        return joined[i]->open(r, &in->source, &in->options, err) == 0 ? r->ops->next(r, err) : -1;
    }
    return 0;
}

/* Makes a profile of the gamma and primaries of a PNG, which say the same. */
static int describe_colours(struct gf_reader *r, struct gf_error *err)
{
    struct gf_meta *m = &r->meta;
    void *profile;
    size_t size;
    int result;

    if (!m->has_chunk[GF_CHUNK_GAMA] && !m->has_chunk[GF_CHUNK_CHRM])
        return 0;
    if (gf_icc_make(m->has_chunk[GF_CHUNK_GAMA] ? m->chunk[GF_CHUNK_GAMA] : NULL,
                    m->has_chunk[GF_CHUNK_CHRM] ? m->chunk[GF_CHUNK_CHRM] : NULL, &profile, &size) != 0)
        return gf_fail(err, GF_FAILED, "%s: its gamma and primaries (chunks gAMA, cHRM) cannot be converted: %s; --icc keep reads the "
                       "samples as they are", r->name, gf_icc_is_there() ? "they make no sense" : "gpufilter was built without lcms2");
    result = gf_meta_set_icc(m, profile, size, err);
    free(profile);
    return result;
}

/* From here on the samples are sRGB, which is assumed of an image without a profile. */
static int leave_profile(struct gf_reader *r, struct gf_error *err)
{
    const struct input *in = (const struct input *)(const void *)r;

    if (!in->options.srgb || r->format.kind != GF_IMAGE)
        return 0;
    if (r->meta.icc == NULL && describe_colours(r, err) != 0)
        return -1;
    if (r->meta.icc == NULL && r->meta.has_chunk[GF_CHUNK_CICP])
        gf_warn(r->notices, "cicp-kept", r->name, "its colour space (chunk cICP) is not converted: --icc convert uses profiles, gamma and primaries");
    if (r->meta.icc == NULL)
        return 0;
    r->icc = gf_icc_open(r->meta.icc, r->meta.icc_bytes, GF_ICC_PIXELS, &r->format, r->name, err);
    if (r->icc == NULL)
        return -1;
    if (r->format.type == GF_U8)
        r->format.bits = 8;                      /* levels of 1, 2 and 4 bits become others */
    memset(r->meta.has_chunk, 0, sizeof r->meta.has_chunk);
    return gf_meta_set_icc(&r->meta, NULL, 0, err);
}

int gf_reader_next(struct gf_reader *r, struct gf_error *err)
{
    struct input *in = (struct input *)(void *)r;
    int more;

    gf_meta_release(&r->meta);
    gf_icc_close(r->icc);
    r->icc = NULL;
    gf_salvage_release(r);
    more = r->ops->next(r, err);
    if (more == 0 && r->ops->joined)             /* the others may not stand at their end */
        more = change_format(r, err);
    if (more == 1 && r->salvage && gf_salvage_hold(r, in->options.max_bytes, err) != 0)
        more = -1;
    if (more < 0 && gf_salvage_drops(r, &in->source, in->signals, err))
        return 0;
    in->signals += more == 1;
    if (more == 1) {
        const int lies = gf_meta_stand_upright(&r->meta);

        r->format.orientation = lies >= 2 ? lies : 0;
        if (r->format.kind == GF_IMAGE && !r->format.yuv.used)
            gf_meta_pixel_shape(&r->meta, r->format.yuv.aspect);
        return leave_profile(r, err) == 0 ? 1 : -1;
    }
    return more;
}

int64_t gf_reader_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    const int64_t got = gf_reader_fetch(r, units, count, err);

    gf_reader_settle(r, units, got);
    return got;
}

int64_t gf_reader_fetch(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    if (r->salvaged != NULL)
        return gf_salvage_read(r, units, count);
    return count <= 0 ? 0 : r->ops->read(r, units, count, err);
}

void gf_reader_settle(const struct gf_reader *r, void *units, int64_t count)
{
    if (r->icc != NULL && count > 0)
        gf_icc_convert(r->icc, units, units, count * r->format.width);
}

int gf_reader_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const int64_t all = gf_stored_format(&r->format).units;

    if (!r->random || start < 0 || count < 0 || (all >= 0 && count > all - start))
        return gf_fail(err, GF_FAILED, "%s: has no %s %lld to %lld", r->name, gf_units_word(r->format.kind),
                       (long long)start, (long long)(start + count));
    if (count == 0)
        return 0;
    if (r->salvaged != NULL)
        gf_salvage_read_at(r, start, units, count);
    else if (r->ops->read_at(r, start, units, count, err) != 0)
        return -1;
    gf_reader_settle(r, units, count);
    return 0;
}

void gf_reader_cost(const struct gf_reader *r, double *seconds, int64_t *bytes)
{
    const struct input *in = (const struct input *)(const void *)r;

    *seconds = in->source.read_seconds;
    *bytes = in->source.position;
}

int64_t gf_reader_position(const struct gf_reader *r, int64_t *size)
{
    const struct input *in = (const struct input *)(const void *)r;

    *size = in->source.random ? in->source.size : -1;
    return in->source.position;
}

bool gf_reader_view(const struct gf_reader *r, struct gf_view *v)
{
    if (!r->random || r->passing || r->icc != NULL || r->ops->view_bytes == 0 || r->ops->view_bytes > sizeof v->state)
        return false;
    v->reader = *r;
    v->reader.meta = (struct gf_meta) { 0 };     /* stays with the one who goes on */
    memcpy(v->state, r->state, r->ops->view_bytes);
    v->reader.state = v->state;
    return true;
}

void gf_reader_close(struct gf_reader *r)
{
    struct input *in = (struct input *)(void *)r;

    if (r == NULL)
        return;
    if (r->state != NULL)
        r->ops->close(r);
    gf_meta_release(&r->meta);
    gf_icc_close(r->icc);
    gf_salvage_release(r);
    gf_source_close(&in->source);
    free(in->name);
    free(in);
}

void *gf_reader_state(struct gf_reader *r, const struct gf_reader_ops *ops, size_t bytes, struct gf_error *err)
{
    void *state = calloc(1, bytes);

    if (state == NULL) {
        gf_fail(err, GF_FAILED, "%s: out of memory", r->name);
        return NULL;
    }
    r->ops = ops;
    r->state = state;
    return state;
}
