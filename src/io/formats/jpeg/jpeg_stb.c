/* JPEG through stb, for builds without libjpeg. Built if not HAVE_JPEG. */
#include "io/formats/stb.h"

const struct gf_file_format gf_file_format_jpeg = {
    .name = "jpeg", .title = "JPEG", .endings = { "jpg", "jpe" }, .kinds = 1 << GF_IMAGE,
    .signature = { "\xff\xd8\xff" }, .open = gf_stb_open, .image = &gf_stb_write_jpeg,
    .notes = { "JPEG", "8 bits, gray, YCbCr, CMYK; no metadata", NULL, "12 bits" },
};
