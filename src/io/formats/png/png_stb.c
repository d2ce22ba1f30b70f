/* Reads PNG through stb_image, for builds without ISA-L and zlib. Built if not HAVE_INFLATE. */
#include "io/formats/png/png.h"
#include "io/formats/stb.h"

const struct gf_file_format gf_file_format_png = {
    .name = "png", .title = "PNG", .kinds = 1 << GF_IMAGE, .streams = GF_STREAMS_OUT, .signature = { GF_PNG_SIGNATURE },
    .open = gf_stb_open, .image = &gf_write_png, .table = &gf_draw_png, .usual = GF_USUAL_FILE | GF_USUAL_DRAWING,
    .notes = { "PNG", "all types, interlaced; no metadata", "frames of APNG",
               "damaged files; files that are cut short" },
};
