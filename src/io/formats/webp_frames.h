/* Frames of an animated WebP, through libwebpdemux. */
#ifndef GF_FORMATS_WEBP_FRAMES_H
#define GF_FORMATS_WEBP_FRAMES_H

#include "io/io.h"

/* A pixel in memory: libwebpdemux keeps two canvases of RGBA, and a third holds one without alpha. */
#define GF_WEBP_FRAME_BYTES 12

struct gf_webp_frames;

/* `bytes` are a whole file, and stay until the end. NULL on failure, and in a program without libwebpdemux. */
struct gf_webp_frames *gf_webp_frames_open(const unsigned char *bytes, size_t size, const char *name,
                                           struct gf_error *err) GF_MUST_CHECK;
/* Goes to the next frame, whose samples are there until the call after it: 1, 0 after the last, -1. */
int gf_webp_frames_next(struct gf_webp_frames *w, unsigned char **samples, struct gf_format *f,
                        struct gf_error *err) GF_MUST_CHECK;
/* NULL is fine. */
void gf_webp_frames_close(struct gf_webp_frames *w);

#endif
