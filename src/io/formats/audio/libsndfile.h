/*
 * The functions of libsndfile. The library is opened when the first recording is read or written,
 * because loading it and the libraries that it needs takes longer than a small image.
 */
#ifndef GF_FORMATS_LIBSNDFILE_H
#define GF_FORMATS_LIBSNDFILE_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "base/error.h"

#include <sndfile.h>

/* Without its name, which configure finds, the library is linked. */
#ifdef GF_LATE_SNDFILE

#define GF_LIBSNDFILE_CALLS(CALL) \
    CALL(sf_close) CALL(sf_command) CALL(sf_error) CALL(sf_error_number) CALL(sf_format_check) \
    CALL(sf_get_string) CALL(sf_open_virtual) CALL(sf_readf_double) CALL(sf_readf_float) \
    CALL(sf_readf_int) CALL(sf_readf_short) CALL(sf_seek) CALL(sf_set_string) CALL(sf_strerror) \
    CALL(sf_version_string) CALL(sf_writef_double) CALL(sf_writef_float) CALL(sf_writef_int) \
    CALL(sf_writef_short)

#define GF_LIBSNDFILE_MEMBER(name) __typeof__(name) *name;

extern struct gf_libsndfile {
    GF_LIBSNDFILE_CALLS(GF_LIBSNDFILE_MEMBER)
} gf_libsndfile;

#define sf_close gf_libsndfile.sf_close
#define sf_command gf_libsndfile.sf_command
#define sf_error gf_libsndfile.sf_error
#define sf_error_number gf_libsndfile.sf_error_number
#define sf_format_check gf_libsndfile.sf_format_check
#define sf_get_string gf_libsndfile.sf_get_string
#define sf_open_virtual gf_libsndfile.sf_open_virtual
#define sf_readf_double gf_libsndfile.sf_readf_double
#define sf_readf_float gf_libsndfile.sf_readf_float
#define sf_readf_int gf_libsndfile.sf_readf_int
#define sf_readf_short gf_libsndfile.sf_readf_short
#define sf_seek gf_libsndfile.sf_seek
#define sf_set_string gf_libsndfile.sf_set_string
#define sf_strerror gf_libsndfile.sf_strerror
#define sf_version_string gf_libsndfile.sf_version_string
#define sf_writef_double gf_libsndfile.sf_writef_double
#define sf_writef_float gf_libsndfile.sf_writef_float
#define sf_writef_int gf_libsndfile.sf_writef_int
#define sf_writef_short gf_libsndfile.sf_writef_short
#endif

/* Opens the library once. Call it before any of its functions. */
int gf_libsndfile_open(struct gf_error *err) GF_MUST_CHECK;

#endif
