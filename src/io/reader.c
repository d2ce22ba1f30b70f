/* Opens inputs, and reads their signals through the reader of their format. */
#define _GNU_SOURCE
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "base/memory_share.h"
#include "io/format.h"
#include "io/ledger.h"
#include "io/metadata/icc.h"
#include "io/reader_choice.h"
#include "io/salvage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PIXELS_FOR_BYTE 1000             /* of images after the first few; photos and scans need far fewer */
#define PAGES           16               /* of the largest size, which are allowed up to MANY_PIXELS */
#define MANY_PIXELS     INT64_C(1000000000)
#define PIECE_FRAMES    4096             /* of audio that is skipped */

struct input {
    struct gf_reader reader;
    struct gf_source source;
    struct gf_read_options options;
    struct gf_meta_limit metadata;
    const struct gf_file_format *format;
    int64_t signals;                     /* number of signals opened so far */
    int64_t pixels;                      /* of all images opened so far */
    int64_t upright;                     /* the meta_number for which `lies` is known */
    int lies;                            /* the orientation that the metadata had */
    unsigned char *profile;              /* which reader.icc converts, if further frames have the same metadata */
    size_t profile_bytes;
    struct gf_format converted;          /* the format for which reader.icc was opened */
    int file;                            /* number of files of options.joined opened so far */
    bool between;                        /* no file is open, and the next one follows */
    bool replaced;                       /* no file follows */
    int64_t joined_bytes;                /* of all files together; -1: unknown */
    int64_t read_bytes;                  /* of the files before the current one */
    double read_seconds;
    char *name;
};

static bool can_stream(const struct gf_file_format *f, unsigned bits)
{
    return (f->streams & bits) != 0;
}

static int refuse_whole(const struct gf_source *s, struct gf_error *err)
{
    char titles[300];

    gf_file_format_titles(can_stream, GF_STREAMS_IN, titles, sizeof titles);
    return gf_fail(err, GF_MISUSED,
                   "--latency: %s must be read to its end first because of its format; formats that stream are %s",
                   s->name, titles);
}

static struct gf_meta_limit limit_metadata(const char *name, const struct gf_read_options *o)
{
    const int64_t share = gf_memory_share(GF_MEMORY_METADATA, o->memory_bytes);

    if (share > 0 && (o->max_bytes <= 0 || share < o->max_bytes))
        return (struct gf_meta_limit) { .name = name, .bytes = share, .option = "--memory" };
    return (struct gf_meta_limit) { .name = name, .bytes = o->max_bytes, .option = "--max-memory" };
}

static void close_state(struct gf_reader *r)
{
    if (r->state != NULL && r->ops->close != NULL)
        r->ops->close(r);
    free(r->state);
    r->state = NULL;
}

/* Opens the reader of another format if its image follows, as PGM after PPM. Returns 1, 0 or -1. */
static int change_format(struct gf_reader *r, struct gf_error *err)
{
    struct input *in = (struct input *)(void *)r;
    const int match = gf_reader_choose_joined(&in->source, &in->format, err);

    if (match <= 0)
        return match;
    close_state(r);
    if (r->same_meta)
        gf_reader_drop_meta(r);
    r->title = in->format->title;
    return in->format->open(r, &in->source, &in->options, err) == 0 ? r->ops->next(r, err) : -1;
}

/* Padding at the end of a file is of zeros. */
static bool is_padding(const unsigned char *bytes, size_t count)
{
    while (count > 0 && bytes[count - 1] == 0)
        count--;
    return count == 0;
}

/*
 * Gets the first bytes after the last image. Readers that use offsets keep them, if there are any; the others
 * leave the position of the source there. Returns their number.
 */
static size_t find_rest(struct input *in, const unsigned char **bytes)
{
    struct gf_rest *rest = &in->reader.rest;
    struct gf_error ignored = { 0 };

    *bytes = rest->first;
    if (rest->count == 0 && in->source.position > 0) {
        const int64_t there = gf_source_peek(&in->source, sizeof rest->first, bytes, &ignored);

        return there < 0 ? 0 : there < (int64_t)sizeof rest->first ? (size_t)there : sizeof rest->first;
    }
    return rest->count;
}

/* Warns about data after the last image that is not read. An image of another format cannot be. */
static void warn_rest(struct input *in)
{
    const unsigned char *bytes;
    const size_t count = find_rest(in, &bytes);
    const struct gf_file_format *other = count > 0 ? gf_reader_other_image(bytes, count) : NULL;

    if (other != NULL)
        gf_warn(in->reader.notices, "other-image", in->reader.name,
                "the data after image %lld is ignored; it begins like %s, and only PNG and JPEG can be mixed in one "
                "input",
                (long long)in->signals, other->title);
    else if (!in->format->appendix && !is_padding(bytes, count))
        gf_warn(in->reader.notices, "rest", in->reader.name,
                "the data after image %lld is ignored, because it is not another image", (long long)in->signals);
}

/* Makes an equivalent profile from the gamma and primaries of a PNG. */
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
        return gf_fail(err, GF_FAILED,
                       "%s: its gamma and primaries (chunks gAMA, cHRM) cannot be converted: %s;; --icc keep reads the "
                       "samples as they are",
                       r->name, gf_icc_is_there() ? "the values are invalid" : "gpufilter was built without lcms2");
    result = gf_meta_set_icc(m, profile, size, err);
    free(profile);
    return result;
}

static void forget_profile(struct input *in)
{
    free(in->profile);
    in->profile = NULL;
    in->profile_bytes = 0;
}

/* Opens the conversion of in->profile. Frames that share a profile share the conversion, too. */
static int open_conversion(struct input *in, struct gf_error *err)
{
    struct gf_reader *r = &in->reader;

    if (r->icc != NULL && gf_same_format(&in->converted, &r->format))
        return 0;
    gf_icc_close(r->icc);
    in->converted = r->format;
    r->icc = gf_icc_open(in->profile, in->profile_bytes, GF_ICC_PIXELS, &r->format, r->name, err);
    if (!r->same_meta)
        forget_profile(in);
    return r->icc != NULL ? 0 : -1;
}

/* Starts the conversion to sRGB, and removes the profile: images without one are sRGB. */
static int convert_profile(struct input *in, struct gf_error *err)
{
    struct gf_reader *r = &in->reader;

    if (!in->options.srgb || r->format.kind != GF_IMAGE)
        return 0;
    if (r->meta.icc == NULL && in->profile == NULL && describe_colours(r, err) != 0)
        return -1;
    if (r->meta.icc == NULL && in->profile == NULL && r->meta.has_chunk[GF_CHUNK_CICP])
        gf_warn(r->notices, "cicp-kept", r->name,
                "its color space (chunk cICP) is not converted; --icc convert only supports profiles, gamma and "
                "primaries");
    if (r->meta.icc != NULL) {
        in->profile = r->meta.icc;
        in->profile_bytes = r->meta.icc_bytes;
        r->meta.icc = NULL;
        r->meta.icc_bytes = 0;
    }
    if (in->profile == NULL)
        return 0;
    if (open_conversion(in, err) != 0)
        return -1;
    if (r->format.type == GF_U8)
        r->format.bits = 8;                      /* converted levels of 1, 2 and 4 bits need 8 */
    memset(r->meta.has_chunk, 0, sizeof r->meta.has_chunk);
    return 0;
}

/* Empty pages need few bytes, so a low limit of an image allows several images of that size. */
static int64_t most_together(int64_t most)
{
    return most >= MANY_PIXELS ? most : most > MANY_PIXELS / PAGES ? MANY_PIXELS : most * PAGES;
}

/*
 * Limits the images of an input together: a few bytes can describe any number of large frames. Long inputs
 * are allowed in proportion to their size.
 */
static int count_pixels(struct input *in, struct gf_error *err)
{
    const struct gf_format *f = &in->reader.format;
    const int64_t most = most_together(in->options.max_pixels);
    const int64_t bytes = in->source.random ? in->source.size : in->source.position;
    int64_t pixels;

    if (f->kind != GF_IMAGE || f->units < 0 || most <= 0)
        return 0;
    if (__builtin_mul_overflow(f->width, f->units, &pixels) || __builtin_add_overflow(in->pixels, pixels, &in->pixels))
        in->pixels = INT64_MAX;
    if (in->pixels <= most || in->signals == 0 || in->pixels - most <= bytes * PIXELS_FOR_BYTE)
        return 0;
    return gf_fail(err, GF_FAILED, "%s: its first %lld images have more than %lld pixels together, the limit for %lld "
                   "bytes;; raise --max-pixels to read them", in->reader.name, (long long)in->signals + 1,
                   (long long)(most + bytes * PIXELS_FOR_BYTE), (long long)bytes);
}

/* True if --images leaves out the rest of the input. Each field of a frame is an image. */
static bool has_enough(const struct input *in)
{
    const int images = in->options.interlaced == GF_INTERLACED_FIELDS && in->format->fields ? 2 : 1;

    return in->options.images > 0 && in->format->kinds != 1u << GF_AUDIO
        && in->signals >= (int64_t)in->options.images * images;
}

void gf_reader_drop_meta(struct gf_reader *r)
{
    struct input *in = (struct input *)(void *)r;

    gf_meta_release(&r->meta);
    r->meta.limit = &in->metadata;
    r->same_meta = false;
    r->meta_number++;
    gf_icc_close(r->icc);
    r->icc = NULL;
    forget_profile(in);
}

/* Completes the format of an image by its metadata. Frames of an animation share metadata that is upright already. */
static int apply_metadata(struct input *in, struct gf_error *err)
{
    struct gf_reader *r = &in->reader;

    if (in->upright != r->meta_number) {
        gf_meta_take_exif_resolution(&r->meta);
        in->lies = gf_meta_stand_upright(&r->meta);
    }
    in->upright = r->meta_number;
    r->format.orientation = in->lies >= 2 ? in->lies : 0;
    if (r->format.kind == GF_IMAGE && !r->format.yuv.used)
        gf_meta_pixel_shape(&r->meta, r->format.yuv.aspect);
    return convert_profile(in, err);
}

/* Opens the next signal of the current file. Returns 1, 0 or -1. */
static int next_in_file(struct input *in, struct gf_error *err)
{
    struct gf_reader *r = &in->reader;
    int more;

    if (!r->same_meta)
        gf_reader_drop_meta(r);
    gf_salvage_release(r);
    if (has_enough(in))
        return 0;
    r->shown = (struct gf_shown) { 0 };
    more = r->ops->next(r, err);
    if (more == 0 && in->format->joined)         /* other formats may stop before the end of an image */
        more = change_format(r, err);
    if (more == 0 && in->format->kinds == 1u << GF_IMAGE)
        warn_rest(in);
    if (more == 1 && count_pixels(in, err) != 0)
        return -1;
    if (more == 1 && r->salvage && gf_salvage_hold(r, in->options.max_bytes, err) != 0)
        more = -1;
    if (more < 0 && gf_salvage_drops(r, &in->source, in->signals, err))
        return 0;
    in->signals += more == 1;
    return more == 1 && apply_metadata(in, err) != 0 ? -1 : more;
}

struct gf_shown gf_reader_shown(const struct gf_reader *r)
{
    const int *rate = r->format.yuv.rate;

    return r->shown.per_second > 0 || rate[0] <= 0 ? r->shown : (struct gf_shown) { rate[1], rate[0], 0 };
}

const char *gf_reader_format_name(const struct gf_reader *r)
{
    const struct input *in = (const struct input *)(const void *)r;

    return in->format->name;
}

int gf_reader_count_images(struct gf_reader *r, int64_t *images, struct gf_error *err)
{
    const struct input *in = (const struct input *)(const void *)r;
    int more = 1;

    *images = r->format.kind == GF_AUDIO ? 0 : r->images != 0 ? r->images : in->format->counted ? GF_UNKNOWN : 1;
    if (*images != GF_UNKNOWN || !in->format->counted || !in->source.random)
        return 0;
    while (more == 1)
        more = gf_reader_next(r, err);
    *images = in->signals;
    return more;
}

/* Opens a file and its first signal. */
static int open_file(struct input *in, const char *path, struct gf_error *err)
{
    const struct gf_read_options *options = &in->options;
    struct gf_reader *r = &in->reader;
    int got;

    if (gf_source_open(&in->source, path, err) != 0) {
        r->name = in->source.name;
        return -1;
    }
    if (options->join == GF_JOIN_OFF && (in->name = strdup(in->source.name)) == NULL)
        return gf_fail_memory(err, NULL);
    if (in->name != NULL)
        in->source.name = in->name;
    r->name = in->source.name;
    in->source.refuse_whole = options->live ? refuse_whole : NULL;
    in->metadata = limit_metadata(r->name, options);
    if (gf_ledger_add_input(options->ledger, r->name, err) != 0
        || gf_reader_choose(&in->source, options, &in->format, err) != 0
        || in->format->open(r, &in->source, options, err) != 0)
        return -1;
    got = next_in_file(in, err);
    if (got == 0)
        return gf_fail(err, GF_FAILED, "%s: contains no image or audio", r->name);
    if (got < 0)
        return -1;
    if (in->file > 0 && r->format.kind == GF_AUDIO)
        return gf_fail(err, GF_FAILED, "%s: is audio, but the inputs before are images; only inputs of one kind can be "
                                       "joined", r->name);
    if (r->format.kind == GF_AUDIO)
        in->options.joined_count = 0;        /* the reader of audio opens the other files */
    if (options->interlaced == GF_INTERLACED_FIELDS && !in->format->fields)
        gf_warn(options->notices, "fields-ignored", r->name, "--interlaced fields has no effect; only Y4M has fields");
    r->title = in->format->title;
    r->file_seconds = in->source.slurp_seconds;
    r->file_bytes = in->source.slurp_seconds > 0 || r->ops->reading == GF_LABOUR_CODE ? in->source.position : 0;
    return 0;
}

/* Closes the current file, and opens the next one of a joined input. */
static int open_next_file(struct input *in, struct gf_error *err)
{
    struct gf_reader *r = &in->reader;

    close_state(r);
    gf_reader_drop_meta(r);
    gf_salvage_release(r);
    in->read_bytes += in->source.position;
    in->read_seconds += in->source.read_seconds;
    gf_source_close(&in->source);
    in->source = (struct gf_source) { .fd = -1 };
    in->signals = in->pixels = r->images = 0;
    r->random = r->passing = false;
    r->rest.count = 0;
    return open_file(in, in->options.joined[in->file++], err);
}

/* Returns the bytes of all files of a joined input; -1 if one is a pipe. */
static int64_t count_bytes(const char *path, const struct gf_read_options *options)
{
    int64_t bytes = 0;
    struct stat st;

    for (int i = -1; i < options->joined_count; i++) {
        if (stat(i < 0 ? path : options->joined[i], &st) != 0 || !S_ISREG(st.st_mode))
            return -1;
        bytes += st.st_size;
    }
    return bytes;
}

struct gf_reader *gf_reader_open(const char *path, const struct gf_read_options *options, struct gf_error *err)
{
    struct input *in = calloc(1, sizeof *in);

    if (in == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    in->source.fd = -1;
    in->options = *options;
    in->reader.notices = options->notices;
    in->reader.salvage = options->salvage;
    if (options->joined_count > 0)
        in->joined_bytes = count_bytes(path, options);
    if (open_file(in, path, err) == 0)
        return &in->reader;
    gf_reader_close(&in->reader);
    return NULL;
}

int gf_reader_next(struct gf_reader *r, struct gf_error *err)
{
    struct input *in = (struct input *)(void *)r;
    const int more = in->replaced ? r->ops->next(r, err) : in->between ? 0 : next_in_file(in, err);

    if (in->replaced || more != 0 || in->file >= in->options.joined_count)
        return more;
    in->between = false;
    return open_next_file(in, err) == 0 ? 1 : -1;
}

int64_t gf_reader_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    const int64_t got = gf_reader_fetch(r, units, count, err);

    gf_reader_settle(r, units, got);
    return got;
}

int gf_reader_skip_rest(struct gf_reader *r, struct gf_error *err)
{
    unsigned char *const piece = malloc(PIECE_FRAMES * gf_unit_bytes(&r->format));
    int64_t got = 1;

    if (piece == NULL)
        return gf_fail_memory(err, r->name);
    while (got > 0)
        got = gf_reader_read(r, piece, PIECE_FRAMES, err);
    free(piece);
    return got < 0 ? -1 : 0;
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

    if (r->around != NULL) {
        gf_reader_cost(r->around, seconds, bytes);
        return;
    }
    *seconds = in->read_seconds + in->source.read_seconds;
    *bytes = in->read_bytes + in->source.position;
}

int64_t gf_reader_position(const struct gf_reader *r, int64_t *size)
{
    const struct input *in = (const struct input *)(const void *)r;

    if (r->around != NULL)
        return gf_reader_position(r->around, size);
    *size = in->options.joined_count > 0 ? in->joined_bytes : in->source.random ? in->source.size : -1;
    return in->read_bytes + in->source.position;
}

bool gf_reader_is_joined(const struct gf_reader *r)
{
    return r->options != NULL && r->options->joined_count > 0;
}

void gf_reader_name_error(const char *name, struct gf_error *err)
{
    if (err->status != 0 && err->code == 0 && !gf_error_is_about(err, name))
        gf_error_place(err, name, NULL);
}

struct gf_reader *gf_reader_leave(struct gf_reader *r)
{
    struct input *in = (struct input *)(void *)r, *next;

    if (!gf_reader_is_joined(r) || in->signals != 1 || r->salvage || r->ops->reading != GF_LABOUR_CODE
        || !in->source.random || in->format->single == NULL || !in->format->single(&in->source))
        return NULL;
    next = calloc(1, sizeof *next);
    if (next == NULL)
        return NULL;
    next->reader = (struct gf_reader) { .ops = r->ops, .options = &next->options, .format = r->format,
                                        .meta_number = r->meta_number, .name = r->name, .title = r->title,
                                        .notices = r->notices, .lossy = r->lossy, .watch = r->watch };
    next->source.fd = -1;
    next->options = in->options;
    next->format = in->format;
    next->between = true;
    next->file = in->file;
    next->joined_bytes = in->joined_bytes;
    next->read_bytes = in->read_bytes + in->source.size;
    in->options.joined_count = 0;
    return &next->reader;
}

void gf_reader_replace(struct gf_reader *r, const struct gf_reader_ops *ops, void *state, const struct gf_format *f,
                       const char *name)
{
    struct input *in = (struct input *)(void *)r;

    close_state(r);
    gf_reader_drop_meta(r);
    gf_salvage_release(r);
    gf_source_close(&in->source);
    in->source = (struct gf_source) { .fd = -1 };
    in->replaced = true;
    r->ops = ops;
    r->state = state;
    r->source = NULL;
    r->format = *f;
    r->shown = (struct gf_shown) { 0 };
    r->images = 0;
    r->salvage = r->passing = false;
    r->rest.count = 0;
    r->name = name;
    r->title = name;
}

struct gf_reader *gf_reader_new(const struct gf_reader *like, const struct gf_reader_ops *ops, void *state,
                                const struct gf_format *f, struct gf_error *err)
{
    struct input *const in = calloc(1, sizeof *in);

    if (in == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    in->reader = (struct gf_reader) { .ops = ops, .state = state, .format = *f, .name = like->name,
                                      .title = like->title, .notices = like->notices, .images = like->images,
                                      .watch = like->watch, .assembled = like->assembled };
    in->source.fd = -1;
    in->replaced = true;
    return &in->reader;
}

struct gf_reader *gf_reader_wrap(struct gf_reader *r, const struct gf_reader_ops *ops, void *state,
                                 const struct gf_format *f, struct gf_error *err)
{
    struct gf_reader *const wrap = gf_reader_new(r, ops, state, f, err);

    if (wrap != NULL)
        wrap->around = r;
    return wrap;
}

void gf_reader_unwrap(struct gf_reader *r)
{
    r->around = NULL;
    gf_reader_close(r);
}

bool gf_reader_view(const struct gf_reader *r, struct gf_view *v)
{
    /* the next file of a joined input takes the place of this one */
    if (gf_reader_is_joined(r) || !r->random || r->passing || r->icc != NULL || r->ops->view_bytes == 0
        || r->ops->view_bytes > sizeof v->state)
        return false;
    v->reader = *r;
    v->reader.meta = (struct gf_meta) { 0 };     /* the original reader keeps it */
    memcpy(v->state, r->state, r->ops->view_bytes);
    v->reader.state = v->state;
    return true;
}

void gf_reader_close(struct gf_reader *r)
{
    struct input *in = (struct input *)(void *)r;

    if (r == NULL)
        return;
    close_state(r);
    gf_reader_close(r->around);
    gf_meta_release(&r->meta);
    gf_icc_close(r->icc);
    forget_profile(in);
    gf_salvage_release(r);
    gf_source_close(&in->source);
    free(in->name);
    free(in);
}
