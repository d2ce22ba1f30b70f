/* Definitions for the reader and the writer of WAV. */
#ifndef GF_FORMATS_WAV_H
#define GF_FORMATS_WAV_H

#include "io/format.h"

extern const struct gf_writer_ops gf_write_wav, gf_write_rf64;

/* An extensible WAV: the GUID of its encoding, after the number. */
extern const unsigned char gf_wav_guid[14];

#endif
