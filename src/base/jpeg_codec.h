/*
 * A JPEG decoder, and most of an encoder, that work in the memory of a device. A device provides
 * them, and the JPEG reader and writer use them: the samples between them never leave the device.
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
     * image, or -1. If it has no memory for it, it returns 0 with the message in *err.
     */
    int (*decode)(struct gf_jpeg_codec *c, const unsigned char *jpeg, size_t bytes, const struct gf_format *f,
                  void **samples, struct gf_error *err);
    /* Provides memory for the packed samples of an image to be encoded. Returns 0 or -1. */
    int (*prepare)(struct gf_jpeg_codec *c, const struct gf_format *f, void **samples, struct gf_error *err);
    /*
     * Transforms these samples to quantized coefficients, in blocks of 64, row by row, one component
     * after the other: gray, or Y, Cb and Cr. `subsampling` is 444, 422 or 420; `quantizers` are
     * those of luma and of chroma. The coefficients are those of libjpeg, which encodes them. They
     * stay until the next call. Returns 0 or -1.
     */
    int (*transform)(struct gf_jpeg_codec *c, const struct gf_format *f, int subsampling,
                     const uint16_t quantizers[2][64], const int16_t **coefficients, struct gf_error *err);
};

#ifdef __cplusplus
}
#endif
#endif
