/* brightness: add a constant to every color channel. */
#include "chain/stage.h"
#include "filters/plane_curves.h"

struct brightness {
    double shift;
};

static const struct gf_option options[] = {
    { .name = "shift", .type = GF_OPTION_NUMBER, .offset = offsetof(struct brightness, shift), .least = -100,
      .most = 100, .required = true, .levels = 1,
      .text = "value to add; 1 is white, -1 is black" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct brightness *b = config;
    const struct gf_point_step step = {
        .kind = GF_POINT_AFFINE, .channels = gf_colours(in), .a = 1, .b = (float)b->shift
    };

    if (b->shift == 1 && !gf_type_is_float(in->type))
        gf_build_note(build, "brightness:1 makes all of an image white; exposure:1 makes it a stop lighter");
    return gf_build_point(build, &step, NULL, err);
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    const struct brightness *b = config;

    (void)in;
    return gf_plane_affine(plane, 1, b->shift, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm brightness:0.1 -o light.png",
    "gpufilter -i photo.ppm brightness:-10% -o dark.png",
    NULL
};

const struct gf_stage gf_stage_brightness = {
    .name = "brightness",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "make lighter or darker by adding a value: v + B",
    .text = "The value is added to the stored values of red, green and blue, or gray. Alpha is copied. "
            "Values beyond 0 and 1 are kept until the end of the chain, so brightness:0.2 brightness:-0.2 "
            "changes nothing.",
    .examples = examples,
    .picture = "scene.ppm brightness:0.2",
    .options = options,
    .config_bytes = sizeof(struct brightness),
    .bind = bind,
    .planes = gf_planes_equal,
    .bind_plane = bind_plane,
};
