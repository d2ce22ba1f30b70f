/* Reads WebP through libwebp: still images as a whole, animations frame by frame.
 * Built if HAVE_WEBP. */
#include "io/formats/frames/webp.h"

#include "io/bytes.h"
#include "io/formats/frames/joined_images.h"
#include "io/formats/frames/webp_frames.h"
#include "io/formats/whole.h"
#include "io/limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

struct webp {
    struct gf_whole whole;
    struct gf_joined_images all;
    const unsigned char *bytes;          /* of the current file */
    size_t size;
    unsigned char *still;                /* samples of a still image */
    struct gf_webp_frames *frames;       /* NULL: a still image */
};

#define HEAD_BYTES 12            /* RIFF, its length, WEBP */

static bool is_webp(const unsigned char *b, size_t size)
{
    return size >= HEAD_BYTES && memcmp(b, "RIFF", 4) == 0 && memcmp(b + 8, "WEBP", 4) == 0;
}

/* Returns the bytes of the image at `b`, as its header states them. */
static size_t image_bytes(const unsigned char *b, size_t size)
{
    const size_t stated = size >= HEAD_BYTES ? 8 + ((size_t)gf_get32(b + 4, false) + 1) / 2 * 2 : size;

    return stated < size ? stated : size;
}

static const struct gf_joined_kinds webp_kinds = { .begins = is_webp, .length = image_bytes };

/* Reads the metadata chunks. */
static int read_meta(const unsigned char *b, size_t size, struct gf_meta *m, struct gf_error *err)
{
    for (size_t at = HEAD_BYTES; size - at >= 8;) {
        const size_t length = gf_get32(b + at + 4, false), there = size - at - 8;
        const unsigned char *body = b + at + 8;

        if (length > there)
            break;
        if (memcmp(b + at, "ICCP", 4) == 0 && gf_meta_set_icc(m, body, length, err) != 0)
            return -1;
        if (memcmp(b + at, "EXIF", 4) == 0 && gf_meta_set_exif(m, body, length, err) != 0)
            return -1;
        if (memcmp(b + at, "XMP ", 4) == 0 && gf_meta_set_xmp(m, body, length, err) != 0)
            return -1;
        if (length + (length & 1) > there)
            break;
        at += 8 + length + (length & 1);
    }
    return 0;
}

static int fail_status(const char *name, VP8StatusCode status, struct gf_error *err)
{
    switch (status) {
    case VP8_STATUS_OUT_OF_MEMORY:
        return gf_fail_memory(err, name);
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED:
        return gf_fail_cut(err, "%s: is cut short", name);
    case VP8_STATUS_UNSUPPORTED_FEATURE:
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: it uses a feature that libwebp does not support", name);
    default:
        return gf_fail_damaged(err, "%s: can't be decoded: it is damaged", name);
    }
}

static int decode_still(struct gf_reader *r, WebPDecoderConfig *config, struct gf_error *err)
{
    struct webp *p = r->state;
    const int channels = config->input.has_alpha ? 4 : 3;
    VP8StatusCode status;

    /* twice, because libwebp has a buffer of its own */
    if (gf_limits_check_size(r->name, config->input.width, config->input.height, 2 * channels, r->options, err) != 0)
        return -1;
    r->format = (struct gf_format) { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = channels,
                                     .alpha = channels == 4, .width = config->input.width,
                                     .units = config->input.height };
    if (r->options->headers)
        return 0;
    p->whole.samples = p->still = malloc((size_t)r->format.units * gf_unit_bytes(&r->format));
    if (p->still == NULL)
        return gf_fail_memory(err, r->name);
    config->options.use_threads = 1;
    config->output.colorspace = channels == 4 ? MODE_RGBA : MODE_RGB;
    config->output.is_external_memory = 1;
    config->output.u.RGBA.rgba = p->still;
    config->output.u.RGBA.stride = (int)gf_unit_bytes(&r->format);
    config->output.u.RGBA.size = (size_t)r->format.units * gf_unit_bytes(&r->format);
    errno = 0;
    status = WebPDecode(p->bytes, p->size, config);
    if (status != VP8_STATUS_OK && errno == ENOMEM)          /* libwebp may say something else */
        status = VP8_STATUS_OUT_OF_MEMORY;
    WebPFreeDecBuffer(&config->output);
    return status == VP8_STATUS_OK ? 0 : fail_status(r->name, status, err);
}

/*
 * Truncates an incomplete animation after its last complete chunk and corrects its size, because
 * libwebpdemux accepts only complete files. An animation without a complete frame is left alone and
 * fails.
 */
static void drop_cut_frame(struct gf_reader *r)
{
    struct webp *p = r->state;
    unsigned char *b = p->all.bytes + (p->all.at - p->size);     /* p->bytes, writable */
    size_t at = HEAD_BYTES;
    int64_t frames = 0;
    bool within = false;

    while (p->size - at >= 8) {
        const size_t length = gf_get32(b + at + 4, false), there = p->size - at - 8;

        within = memcmp(b + at, "ANMF", 4) == 0;
        if (length > there || length + (length & 1) > there)
            break;
        frames += within;
        within = false;
        at += 8 + length + (length & 1);
    }
    if (frames == 0)
        return;
    p->size = at;
    gf_put_number(b + 4, at - 8, 4, false);
    if (within)
        gf_warn_loss(r->notices, "salvaged", r->name,
                     "ends within image %lld, which is dropped; %lld complete image%s kept", (long long)frames + 1,
                     (long long)frames, frames == 1 ? " is" : "s are");
    else
        gf_warn_loss(r->notices, "salvaged", r->name,
                     "ends too early; %lld complete image%s kept, and others may be missing", (long long)frames,
                     frames == 1 ? " is" : "s are");
}

/* Starts with the current file: decodes a still image, or moves to the first frame. */
static int begin_file(struct gf_reader *r, struct gf_error *err)
{
    struct webp *p = r->state;
    WebPDecoderConfig config;
    VP8StatusCode status;

    if (!WebPInitDecoderConfig(&config))
        return gf_fail(err, GF_FAILED, "%s: the installed libwebp is not compatible with this program; rebuild "
                       "gpufilter", r->name);
    status = WebPGetFeatures(p->bytes, p->size, &config.input);
    if (status != VP8_STATUS_OK)
        return fail_status(r->name, status, err);
    if (!config.input.has_animation)
        return decode_still(r, &config, err);
    if (gf_limits_check_size(r->name, config.input.width, config.input.height, GF_WEBP_FRAME_BYTES,
                             r->options, err) != 0)
        return -1;
    if (r->salvage && (size_t)gf_get32(p->bytes + 4, false) > p->size - 8)
        drop_cut_frame(r);
    p->frames = gf_webp_frames_open(p->bytes, p->size, r->name, r->options, err);
    if (p->frames != NULL)
        r->images = gf_webp_frames_count(p->frames);
    return p->frames != NULL
        && gf_webp_frames_next(p->frames, &p->whole.samples, &r->format, &r->shown, err) == 1 ? 0 : -1;
}

static void end_file(struct webp *p)
{
    free(p->still);
    p->still = p->whole.samples = NULL;
    gf_webp_frames_close(p->frames);
    p->frames = NULL;
}

static int webp_next(struct gf_reader *r, struct gf_error *err)
{
    struct webp *p = r->state;
    int more = 0;

    r->random = false;
    p->whole.row = 0;
    if (p->frames != NULL)
        more = gf_webp_frames_next(p->frames, &p->whole.samples, &r->format, &r->shown, err);
    if (more == 0) {
        end_file(p);
        if (r->same_meta)
            gf_reader_drop_meta(r);
        more = gf_joined_images_next(&p->all, r, &webp_kinds, &p->bytes, &p->size, err);
        if (more == 1 && (begin_file(r, err) != 0 || read_meta(p->bytes, p->size, &r->meta, err) != 0))
            return -1;
    }
    if (more != 1)
        return more;
    r->same_meta = p->frames != NULL;
    r->random = true;
    return 1;
}

static void webp_close(struct gf_reader *r)
{
    struct webp *p = r->state;

    end_file(p);
    free(p->all.bytes);
}

static const struct gf_reader_ops webp_ops = {
    .next = webp_next, .read = gf_whole_read, .read_at = gf_whole_read_at, .close = webp_close,
    .opening = GF_LABOUR_CODE, .reading = GF_LABOUR_COPY,
};

static int webp_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    return gf_reader_begin(r, s, o, &webp_ops, sizeof(struct webp), err);
}

const struct gf_file_format gf_file_format_webp = {
    .name = "webp", .title = "WebP", .kinds = 1 << GF_IMAGE, .signature = { "RIFF****WEBP" }, .open = webp_open,
    .hardened = true, .image = &gf_write_webp, .sequence = true,
    .notes = { "WebP", "still and animated", "texts, IPTC, gray profiles", "files that are cut short" },
};
