/* Writers of samples as numbers, in TSV and CSV. */
#ifndef GF_FORMATS_VALUES_WRITE_H
#define GF_FORMATS_VALUES_WRITE_H

#include "io/format.h"

extern const struct gf_writer_ops gf_write_tsv_image, gf_write_csv_image, gf_write_tsv_audio, gf_write_csv_audio;

#endif
