/* The functions of libFLAC. The library is opened when the first FLAC is written. */
#ifndef GF_FORMATS_LIBFLAC_H
#define GF_FORMATS_LIBFLAC_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "base/error.h"

#include <FLAC/stream_encoder.h>

#ifdef HAVE_FLAC__STREAM_ENCODER_SET_DO_MD5
/* The library exports it for the program flac, but no header declares it. */
extern FLAC__bool FLAC__stream_encoder_set_do_md5(FLAC__StreamEncoder *encoder, FLAC__bool value);
#define GF_LIBFLAC_MD5(CALL) CALL(FLAC__stream_encoder_set_do_md5)
#else
#define GF_LIBFLAC_MD5(CALL)
#endif

/* Without its name, which configure finds, the library is linked. */
#ifdef GF_LATE_FLAC

#define GF_LIBFLAC_CALLS(CALL) \
    GF_LIBFLAC_MD5(CALL) CALL(FLAC__VERSION_STRING) \
    CALL(FLAC__stream_encoder_delete) CALL(FLAC__stream_encoder_finish) \
    CALL(FLAC__stream_encoder_get_blocksize) CALL(FLAC__stream_encoder_init_stream) \
    CALL(FLAC__stream_encoder_new) CALL(FLAC__stream_encoder_process) \
    CALL(FLAC__stream_encoder_set_bits_per_sample) CALL(FLAC__stream_encoder_set_channels) \
    CALL(FLAC__stream_encoder_set_compression_level) CALL(FLAC__stream_encoder_set_sample_rate)

#define GF_LIBFLAC_MEMBER(name) __typeof__(name) *name;

extern struct gf_libflac {
    GF_LIBFLAC_CALLS(GF_LIBFLAC_MEMBER)
} gf_libflac;

#define FLAC__VERSION_STRING (*gf_libflac.FLAC__VERSION_STRING)
#define FLAC__stream_encoder_delete gf_libflac.FLAC__stream_encoder_delete
#define FLAC__stream_encoder_finish gf_libflac.FLAC__stream_encoder_finish
#define FLAC__stream_encoder_get_blocksize gf_libflac.FLAC__stream_encoder_get_blocksize
#define FLAC__stream_encoder_init_stream gf_libflac.FLAC__stream_encoder_init_stream
#define FLAC__stream_encoder_new gf_libflac.FLAC__stream_encoder_new
#define FLAC__stream_encoder_process gf_libflac.FLAC__stream_encoder_process
#define FLAC__stream_encoder_set_bits_per_sample gf_libflac.FLAC__stream_encoder_set_bits_per_sample
#define FLAC__stream_encoder_set_channels gf_libflac.FLAC__stream_encoder_set_channels
#define FLAC__stream_encoder_set_compression_level gf_libflac.FLAC__stream_encoder_set_compression_level
#define FLAC__stream_encoder_set_sample_rate gf_libflac.FLAC__stream_encoder_set_sample_rate
#ifdef HAVE_FLAC__STREAM_ENCODER_SET_DO_MD5
#define FLAC__stream_encoder_set_do_md5 gf_libflac.FLAC__stream_encoder_set_do_md5
#endif
#endif

#ifndef HAVE_FLAC__STREAM_ENCODER_SET_DO_MD5
#define FLAC__stream_encoder_set_do_md5(encoder, value) true     /* each run has a checksum that nobody needs */
#endif

/* Opens the library once. Call it before any of its functions. */
int gf_libflac_open(struct gf_error *err) GF_MUST_CHECK;

#endif
