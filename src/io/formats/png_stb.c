/* PNG for builds without ISA-L and zlib: read by stb_image. */
#include "io/formats/png.h"
#include "io/formats/stb.h"

const struct gf_file_format gf_file_format_png = {
    .name = "png", .title = "PNG", .kinds = 1 << GF_IMAGE, .streams = GF_STREAMS_OUT, .signature = { GF_PNG_SIGNATURE },
    .open = gf_stb_open, .image = &gf_write_png, .table = &gf_draw_png, .usual = GF_USUAL_FILE | GF_USUAL_DRAWING,
    .notes = { "PNG", "all kinds, interlaced; no metadata", "frames of APNG", "damaged or cut files" },
};
