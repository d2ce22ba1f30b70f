/* Reads the frames of an animated WebP, composed as viewers show them. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "io/formats/frames/webp_frames.h"

#ifdef HAVE_WEBPDEMUX

#include "io/bytes.h"
#include "io/formats/frames/frame_times.h"

#include <stdlib.h>
#include <string.h>
#include <webp/demux.h>

#define PIXEL_BYTES 4                    /* RGBA, the format of libwebpdemux */
#define PER_SECOND 1000

struct gf_webp_frames {
    WebPAnimDecoder *decoder;
    const char *name;
    struct gf_format format;
    unsigned char *opaque;       /* a copy of the frame without alpha; NULL: frames have alpha */
    int64_t frames;
};

static int fail_parse(const unsigned char *bytes, size_t size, const char *name, struct gf_error *err)
{
    if (size < 8 || (size_t)gf_get32(bytes + 4, false) > size - 8)
        return gf_fail_cut(err, "%s: is cut short", name);
    return gf_fail_damaged(err, "%s: can't be decoded: it is damaged", name);
}

/* Sums the durations of all frames. Returns true if any pixel of any frame may be transparent. */
static bool scan_frames(const WebPDemuxer *d, int width, int height, struct gf_frame_times *times)
{
    bool clear = false;
    WebPIterator at = { 0 };

    for (int more = WebPDemuxGetFrame(d, 1, &at); more != 0; more = WebPDemuxNextFrame(&at)) {
        const bool whole = at.x_offset == 0 && at.y_offset == 0 && at.width == width && at.height == height;

        gf_frame_times_add(times, at.duration, PER_SECOND);
        clear = clear || at.has_alpha != 0 || at.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND
             || (at.frame_num == 1 && !whole);
    }
    WebPDemuxReleaseIterator(&at);
    return clear;
}

static int open_decoder(struct gf_webp_frames *w, const unsigned char *bytes, size_t size, struct gf_error *err)
{
    const WebPData data = { bytes, size };
    struct gf_frame_times times = { 0 };
    WebPAnimDecoderOptions options;
    WebPAnimInfo info;
    bool clear;

    if (!WebPAnimDecoderOptionsInit(&options))
        return gf_fail(err, GF_FAILED, "%s: the installed libwebpdemux is not compatible with this program; rebuild "
                       "gpufilter", w->name);
    options.color_mode = MODE_RGBA;
    options.use_threads = 1;
    w->decoder = WebPAnimDecoderNew(&data, &options);
    if (w->decoder == NULL || !WebPAnimDecoderGetInfo(w->decoder, &info) || info.frame_count == 0)
        return fail_parse(bytes, size, w->name, err);
    clear = scan_frames(WebPAnimDecoderGetDemuxer(w->decoder), (int)info.canvas_width, (int)info.canvas_height,
                        &times);
    w->format = (struct gf_format) { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255,
                                     .channels = clear ? 4 : 3, .alpha = clear, .width = info.canvas_width,
                                     .units = info.canvas_height };
    gf_frame_times_rate(&times, &w->format.yuv);
    if (clear)
        return 0;
    w->opaque = malloc(gf_unit_bytes(&w->format) * (size_t)w->format.units);
    return w->opaque != NULL ? 0 : gf_fail_memory(err, w->name);
}

struct gf_webp_frames *gf_webp_frames_open(const unsigned char *bytes, size_t size, const char *name,
                                           struct gf_error *err)
{
    struct gf_webp_frames *w = calloc(1, sizeof *w);

    if (w == NULL) {
        gf_fail_memory(err, name);
        return NULL;
    }
    w->name = name;
    if (open_decoder(w, bytes, size, err) == 0)
        return w;
    gf_webp_frames_close(w);
    return NULL;
}

int gf_webp_frames_next(struct gf_webp_frames *w, unsigned char **samples, struct gf_format *f, struct gf_error *err)
{
    const size_t pixels = (size_t)w->format.width * (size_t)w->format.units;
    uint8_t *canvas;
    int time;

    if (!WebPAnimDecoderHasMoreFrames(w->decoder))
        return 0;
    if (!WebPAnimDecoderGetNext(w->decoder, &canvas, &time))
        return gf_fail_damaged(err, "%s: frame %lld is damaged", w->name, (long long)w->frames + 1);
    w->frames++;
    for (size_t i = 0; w->opaque != NULL && i < pixels; i++)
        memcpy(w->opaque + 3 * i, canvas + PIXEL_BYTES * i, 3);
    *samples = w->opaque != NULL ? w->opaque : canvas;
    *f = w->format;
    return 1;
}

void gf_webp_frames_close(struct gf_webp_frames *w)
{
    if (w == NULL)
        return;
    WebPAnimDecoderDelete(w->decoder);
    free(w->opaque);
    free(w);
}

#else

struct gf_webp_frames *gf_webp_frames_open(const unsigned char *bytes, size_t size, const char *name,
                                           struct gf_error *err)
{
    (void)bytes;
    (void)size;
    gf_fail(err, GF_FAILED, "%s: is an animation, which needs libwebpdemux, but this program was built without it; "
            "save a frame as an image first", name);
    return NULL;
}

int gf_webp_frames_next(struct gf_webp_frames *w, unsigned char **samples, struct gf_format *f, struct gf_error *err)
{
    (void)w;
    (void)samples;
    (void)f;
    (void)err;
    return 0;
}

void gf_webp_frames_close(struct gf_webp_frames *w)
{
    (void)w;
}

#endif
