/* Reads the frames of an animated WebP, composed as viewers show them. Built if HAVE_WEBP. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "io/formats/frames/webp_frames.h"

#ifdef HAVE_WEBPDEMUX

#include "io/bytes.h"
#include "io/formats/frames/canvas.h"
#include "io/formats/frames/frame_times.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>

#define PIXEL_BYTES 4                    /* RGBA */
#define PER_SECOND 1000
#define HEAD_BYTES 12                    /* RIFF, its length, WEBP */
#define FRAME_HEAD_BYTES 16              /* of an ANMF chunk: place, duration and flags */
#define FLAG_CLEAR 1
#define FLAG_REPLACE 2

/* A frame as its ANMF chunk describes it. */
struct frame {
    const unsigned char *data;           /* the chunks of its image */
    size_t size;
    struct gf_canvas_place place;
    int milliseconds;
    bool alpha;
    bool over;                           /* blended with the canvas; if false, it replaces the pixels there */
    bool cleared;                        /* its pixels become transparent before the next frame */
};

struct gf_webp_frames {
    const char *name;
    const unsigned char *bytes;
    size_t size, at;                     /* of the file; the next chunk */
    struct gf_format format;
    struct gf_canvas canvas;
    unsigned char *apart;                /* a frame that is blended with the canvas */
    unsigned char *opaque;               /* a copy of the frame without alpha; NULL: frames have alpha */
    int64_t announced, frames;           /* frames in the file; frames read */
    bool headers;                        /* nothing is drawn */
    int plays;                           /* times that it plays; 0: without end */
    struct frame last;
    bool last_alone;                     /* the last frame was drawn on an empty canvas */
};

static int fail_parse(const unsigned char *bytes, size_t size, const char *name, struct gf_error *err)
{
    if (size < 8 || (size_t)gf_get32(bytes + 4, false) > size - 8)
        return gf_fail_cut(err, "%s: is cut short", name);
    return gf_fail_damaged(err, "%s: can't be decoded: it is damaged", name);
}

/* ---- frames of the file, in one walk over its chunks ---- */

static int64_t get24(const unsigned char *b)
{
    return b[0] | b[1] << 8 | (int64_t)b[2] << 16;
}

/*
 * Parses the content of an ANMF chunk. Returns false if it does not begin with an image. The size is that of the
 * image: libwebpdemux does not check the one that the chunk states.
 */
static bool parse_frame(const unsigned char *b, size_t size, struct frame *f)
{
    WebPBitstreamFeatures features;

    if (size < FRAME_HEAD_BYTES + 4)
        return false;
    *f = (struct frame) { .data = b + FRAME_HEAD_BYTES, .size = size - FRAME_HEAD_BYTES,
                          .place = { .x = 2 * get24(b), .y = 2 * get24(b + 3) },
                          .milliseconds = (int)get24(b + 12), .over = (b[15] & FLAG_REPLACE) == 0,
                          .cleared = (b[15] & FLAG_CLEAR) != 0 };
    if ((memcmp(f->data, "ALPH", 4) != 0 && memcmp(f->data, "VP8", 3) != 0)
        || WebPGetFeatures(f->data, f->size, &features) != VP8_STATUS_OK)
        return false;
    f->alpha = features.has_alpha != 0;
    f->place.width = features.width;
    f->place.height = features.height;
    return true;
}

static bool is_within(const struct gf_canvas *c, struct gf_canvas_place place)
{
    return place.x + place.width <= c->width && place.y + place.height <= c->height;
}

/* Moves w->at after the next frame. Returns false if there is none. */
static bool find_frame(struct gf_webp_frames *w, struct frame *f)
{
    while (w->size - w->at >= 8) {
        const unsigned char *chunk = w->bytes + w->at;
        const size_t length = gf_get32(chunk + 4, false), there = w->size - w->at - 8;

        if (length > there)
            return false;
        w->at += 8 + length + (length < there && (length & 1) != 0);
        if (memcmp(chunk, "ANMF", 4) == 0 && parse_frame(chunk + 8, length, f) && is_within(&w->canvas, f->place))
            return true;
    }
    return false;
}

/* Sums the durations of all frames, and finds out if any pixel of any frame may be transparent. */
static int64_t scan_frames(struct gf_webp_frames *w, struct gf_frame_times *times, bool *clear)
{
    int64_t frames = 0;
    struct frame f;

    for (; frames < w->announced && find_frame(w, &f); frames++) {
        const bool whole = f.place.width == w->canvas.width && f.place.height == w->canvas.height;

        gf_frame_times_add(times, f.milliseconds, PER_SECOND);
        *clear = *clear || f.cleared || (frames == 0 && !whole)
            || (f.alpha && (frames == 0 || !f.over));        /* what is blended with opaque pixels stays opaque */
    }
    w->at = HEAD_BYTES;
    return frames;
}

/* libwebpdemux only checks the file here: its iterator takes a time that is quadratic in the number of frames. */
static bool check_file(struct gf_webp_frames *w)
{
    const WebPData data = { w->bytes, w->size };
    WebPDemuxer *d = WebPDemux(&data);

    if (d == NULL)
        return false;
    w->announced = WebPDemuxGetI(d, WEBP_FF_FRAME_COUNT);
    w->plays = (int)WebPDemuxGetI(d, WEBP_FF_LOOP_COUNT);
    w->canvas = (struct gf_canvas) { .width = WebPDemuxGetI(d, WEBP_FF_CANVAS_WIDTH),
                                     .height = WebPDemuxGetI(d, WEBP_FF_CANVAS_HEIGHT), .pixel_bytes = PIXEL_BYTES };
    WebPDemuxDelete(d);
    return w->announced > 0;
}

static int open_frames(struct gf_webp_frames *w, const struct gf_read_options *o, struct gf_error *err)
{
    const size_t stated = 8 + (size_t)gf_get32(w->bytes + 4, false);
    struct gf_frame_times times = { 0 };
    bool clear = false;

    if (!check_file(w))
        return fail_parse(w->bytes, w->size, w->name, err);
    if (w->size > stated)
        w->size = stated;                                /* other data may follow */
    if (scan_frames(w, &times, &clear) != w->announced)
        return fail_parse(w->bytes, w->size, w->name, err);
    if (gf_canvas_open(&w->canvas, w->name, o, err) != 0)
        return -1;
    w->format = (struct gf_format) { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255,
                                     .channels = clear ? 4 : 3, .alpha = clear, .width = w->canvas.width,
                                     .units = w->canvas.height };
    gf_frame_times_rate(&times, &w->format.yuv);
    w->headers = o->headers;
    if (clear || o->headers)
        return 0;
    w->opaque = malloc(gf_unit_bytes(&w->format) * (size_t)w->format.units);
    return w->opaque != NULL ? 0 : gf_fail_memory(err, w->name);
}

struct gf_webp_frames *gf_webp_frames_open(const unsigned char *bytes, size_t size, const char *name,
                                           const struct gf_read_options *o, struct gf_error *err)
{
    struct gf_webp_frames *w = calloc(1, sizeof *w);

    if (w == NULL) {
        gf_fail_memory(err, name);
        return NULL;
    }
    *w = (struct gf_webp_frames) { .name = name, .bytes = bytes, .size = size, .at = HEAD_BYTES };
    if (open_frames(w, o, err) == 0)
        return w;
    gf_webp_frames_close(w);
    return NULL;
}

/* ---- composition ---- */

/* Blends pixels with those of the canvas, in the integers of libwebpdemux. */
static void blend_pixels(unsigned char *to, const unsigned char *from, int64_t count)
{
    for (; count > 0; count--, to += PIXEL_BYTES, from += PIXEL_BYTES) {
        const unsigned alpha = from[3], under = to[3] * (256 - alpha) >> 8, sum = alpha + under;
        const uint32_t scale = sum > 0 ? (1u << 24) / sum : 0;

        if (alpha == 255)
            memcpy(to, from, PIXEL_BYTES);
        if (alpha == 0 || alpha == 255)
            continue;
        for (int i = 0; i < 3; i++)
            to[i] = (unsigned char)((from[i] * alpha + to[i] * under) * scale >> 24);
        to[3] = (unsigned char)sum;
    }
}

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* Blends row y of the frame in w->apart. Where the last frame was cleared, its pixels replace those of the canvas. */
static void blend_row(struct gf_webp_frames *w, const struct gf_canvas_place *place, int64_t y)
{
    const struct gf_canvas_place *hole = &w->last.place;
    const bool cut = w->last.cleared && y >= hole->y && y < hole->y + hole->height;
    const int64_t end = place->x + place->width, left = cut ? clamp(hole->x, place->x, end) : end,
                  right = cut ? clamp(hole->x + hole->width, place->x, end) : end;
    const unsigned char *from = w->apart + (size_t)((y - place->y) * place->width) * PIXEL_BYTES;
    unsigned char *to = gf_canvas_at(&w->canvas, place->x, y);
    const size_t hole_at = (size_t)(left - place->x) * PIXEL_BYTES, rest_at = (size_t)(right - place->x) * PIXEL_BYTES;

    blend_pixels(to, from, left - place->x);
    memcpy(to + hole_at, from + hole_at, rest_at - hole_at);
    blend_pixels(to + rest_at, from + rest_at, end - right);
}

/* Decodes a frame to rows of RGBA, `pitch` pixels apart. */
static int decode_frame(const struct gf_webp_frames *w, const struct frame *f, unsigned char *to, int64_t pitch,
                        struct gf_error *err)
{
    WebPDecoderConfig config;
    VP8StatusCode status;

    if (!WebPInitDecoderConfig(&config))
        return gf_fail(err, GF_FAILED, "%s: the installed libwebp is not compatible with this program; rebuild "
                       "gpufilter", w->name);
    config.options.use_threads = 1;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = to;
    config.output.u.RGBA.stride = (int)(pitch * PIXEL_BYTES);
    config.output.u.RGBA.size = (size_t)((f->place.height - 1) * pitch + f->place.width) * PIXEL_BYTES;
    errno = 0;
    status = WebPDecode(f->data, f->size, &config);
    WebPFreeDecBuffer(&config.output);
    if (status == VP8_STATUS_OUT_OF_MEMORY || (status != VP8_STATUS_OK && errno == ENOMEM))
        return gf_fail_memory(err, w->name);
    return status == VP8_STATUS_OK
        ? 0 : gf_fail_damaged(err, "%s: frame %lld is damaged", w->name, (long long)w->frames + 1);
}

static bool fills_canvas(const struct gf_webp_frames *w, const struct frame *f)
{
    return f->place.width == w->canvas.width && f->place.height == w->canvas.height;
}

static int draw_frame(struct gf_webp_frames *w, const struct frame *f, struct gf_error *err)
{
    /* these do not depend on earlier frames, and even their transparent pixels keep their colors */
    const bool alone = w->frames == 0 || ((!f->alpha || !f->over) && fills_canvas(w, f))
                    || (w->last.cleared && (fills_canvas(w, &w->last) || w->last_alone));

    w->last_alone = alone;
    if (w->last.cleared)
        gf_canvas_clear(&w->canvas, w->last.place);
    if (alone || !f->over)
        return decode_frame(w, f, gf_canvas_at(&w->canvas, f->place.x, f->place.y), w->canvas.width, err);
    if (w->apart == NULL)
        w->apart = malloc((size_t)w->canvas.width * (size_t)w->canvas.height * PIXEL_BYTES);
    if (w->apart == NULL)
        return gf_fail_memory(err, w->name);
    if (decode_frame(w, f, w->apart, f->place.width, err) != 0)
        return -1;
    for (int64_t y = f->place.y; y < f->place.y + f->place.height; y++)
        blend_row(w, &f->place, y);
    return 0;
}

int gf_webp_frames_next(struct gf_webp_frames *w, unsigned char **samples, struct gf_format *f, struct gf_shown *shown,
                        struct gf_error *err)
{
    const size_t pixels = (size_t)w->format.width * (size_t)w->format.units;
    struct frame frame;

    if (w->frames == w->announced || !find_frame(w, &frame))
        return 0;
    if (!w->headers && draw_frame(w, &frame, err) != 0)
        return -1;
    w->last = frame;
    w->frames++;
    for (size_t i = 0; w->opaque != NULL && i < pixels; i++)
        memcpy(w->opaque + 3 * i, w->canvas.pixels + PIXEL_BYTES * i, 3);
    *samples = w->opaque != NULL ? w->opaque : w->canvas.pixels;
    *f = w->format;
    *shown = (struct gf_shown) { frame.milliseconds, PER_SECOND, w->plays };
    return 1;
}

int64_t gf_webp_frames_count(const struct gf_webp_frames *w)
{
    return w->announced;
}

void gf_webp_frames_close(struct gf_webp_frames *w)
{
    if (w == NULL)
        return;
    gf_canvas_close(&w->canvas);
    free(w->apart);
    free(w->opaque);
    free(w);
}

#else

struct gf_webp_frames *gf_webp_frames_open(const unsigned char *bytes, size_t size, const char *name,
                                           const struct gf_read_options *o, struct gf_error *err)
{
    (void)bytes;
    (void)size;
    (void)o;
    gf_fail(err, GF_FAILED, "%s: is an animation, which needs libwebpdemux, but this program was built without it; "
            "save a frame as an image first", name);
    return NULL;
}

int gf_webp_frames_next(struct gf_webp_frames *w, unsigned char **samples, struct gf_format *f, struct gf_shown *shown,
                        struct gf_error *err)
{
    (void)w;
    (void)samples;
    (void)f;
    (void)shown;
    (void)err;
    return 0;
}

int64_t gf_webp_frames_count(const struct gf_webp_frames *w)
{
    (void)w;
    return 0;
}

void gf_webp_frames_close(struct gf_webp_frames *w)
{
    (void)w;
}

#endif
