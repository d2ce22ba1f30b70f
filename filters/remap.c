/* remap: take each pixel from the position that a second image has for it. */
#include "chain/stage.h"
#include "filters/sampling.h"

struct remap {
    char *file;
    struct gf_sampling sampling;
};

static const struct gf_option options[] = {
    { .name = "file", .type = GF_OPTION_INPUT, .offset = offsetof(struct remap, file), .required = true,
      .text = "image of positions; its first channel has columns of the input, its second channel rows" },
    GF_SAMPLING_OPTIONS(struct remap, "black"),
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct remap *r = config;
    struct gf_warp op = { .kind = GF_WARP_MAP };
    const struct gf_format *map;
    struct gf_format out = *in;
    const int side = gf_build_side(build, r->file, &map, err);

    if (side < 0)
        return -1;
    if (gf_colours(map) < 2)
        return gf_fail(err, GF_FAILED, "remap: %s has one channel of values; must have two or more, for columns "
                                       "and rows",
                       gf_build_side_name(build, side));
    if (map->yuv.bits > 0)
        return gf_fail(err, GF_FAILED, "remap: %s is video, whose colors are no positions; use an image of floats, as "
                       "in PFM or TIFF", gf_build_side_name(build, side));
    out.width = map->width;
    out.units = map->units;
    return gf_sampling_add_warp("remap", &r->sampling, &op, side, &out, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm remap:waves.pfm -o waves.png",
    "gpufilter -i photo.ppm remap:waves.pfm,filter=cubic,edge=mirror -o waves.png",
    NULL
};

const struct gf_stage gf_stage_remap = {
    .name = "remap",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "move pixels by a map of positions",
    .text = "FILE is an image of the size of the result. Its first channel has the column of the input that each pixel "
            "is taken from, its second channel the row. Other channels do not count. Positions count from the center "
            "of the first pixel, which is 0, as in cv2.remap() and in mapim of vips. "
            "Floats have fractions of a pixel, in PFM or TIFF; integers are whole positions. "
            "With edge=bg, NaN is background; with another edge, it is a position far outside.\n\n"
            "If FILE has several images, the n-th is the map of the n-th image of the input.",
    .examples = examples,
    .picture = "scene.ppm remap:waves.pfm,edge=reflect",
    .options = options,
    .config_bytes = sizeof(struct remap),
    .bind = bind,
};
