/*
 * A JPEG decoder and encoder that works in the memory of a device. A device provides it, and the
 * JPEG reader and writer use it: the samples between them never leave the device.
 */
#ifndef GF_BASE_JPEG_CODEC_H
#define GF_BASE_JPEG_CODEC_H

#include "base/error.h"
#include "base/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_jpeg_codec {
    const struct gf_jpeg_codec_ops *ops;
};

/* One thread at a time uses a codec. Calls that return 0 leave the work to libjpeg. */
struct gf_jpeg_codec_ops {
    /*
     * Decodes one whole image: baseline, one scan, gray or YCbCr. `f` describes the packed
     * samples; they stay at *samples until the next call. Returns 1, 0 if it cannot decode this
     * image, or -1.
     */
    int (*decode)(struct gf_jpeg_codec *c, const unsigned char *jpeg, size_t bytes, const struct gf_format *f,
                  void **samples, struct gf_error *err);
    /* Provides memory for the packed samples of an image to be encoded. Returns 1, 0 or -1. */
    int (*prepare)(struct gf_jpeg_codec *c, const struct gf_format *f, void **samples, struct gf_error *err);
    /*
     * Encodes these samples: baseline, with the tables of the Independent JPEG Group for `quality`;
     * `subsampling` is 444, 422 or 420. The result stays until the next call. Returns 1, 0 or -1.
     */
    int (*encode)(struct gf_jpeg_codec *c, const struct gf_format *f, int quality, int subsampling,
                  const unsigned char **jpeg, size_t *bytes, struct gf_error *err);
    /* Copies the samples to be encoded to the host. */
    int (*download)(struct gf_jpeg_codec *c, const struct gf_format *f, void *samples, struct gf_error *err);
};

#ifdef __cplusplus
}
#endif
#endif
