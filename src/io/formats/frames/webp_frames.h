/* Frames of an animated WebP, through libwebpdemux. */
#ifndef GF_FORMATS_WEBP_FRAMES_H
#define GF_FORMATS_WEBP_FRAMES_H

#include "io/io.h"

/* Bytes per pixel in memory: an RGBA canvas, a frame before it is blended, and a copy without alpha. */
#define GF_WEBP_FRAME_BYTES 12

struct gf_webp_frames;

/*
 * Opens an animation. `bytes` is the whole file and must stay valid. Returns NULL after an error,
 * and in builds without libwebpdemux.
 */
struct gf_webp_frames *gf_webp_frames_open(const unsigned char *bytes, size_t size, const char *name,
                                           const struct gf_read_options *o, struct gf_error *err) GF_MUST_CHECK;
/*
 * Moves to the next frame. Its samples stay valid until the next call. Returns 1, 0 after the last
 * frame, or -1.
 */
int gf_webp_frames_next(struct gf_webp_frames *w, unsigned char **samples, struct gf_format *f,
                        struct gf_shown *shown, struct gf_error *err) GF_MUST_CHECK;
int64_t gf_webp_frames_count(const struct gf_webp_frames *w);
/* Frees an animation; `w` may be NULL. */
void gf_webp_frames_close(struct gf_webp_frames *w);

#endif
