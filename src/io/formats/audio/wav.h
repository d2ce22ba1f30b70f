/* Shared by the WAV reader and writer. */
#ifndef GF_FORMATS_WAV_H
#define GF_FORMATS_WAV_H

#include "io/format.h"

extern const struct gf_writer_ops gf_write_wav, gf_write_rf64;

/* GUID of the encoding in an extensible WAV, without the leading number. */
extern const unsigned char gf_wav_guid[14];

#endif
