/* exposure: make lighter or darker by stops, as more or less light would. */
#include "chain/stage.h"

#include "base/elementary.h"

struct exposure {
    double stops;
    int light;
};

static const char *const lights[] = { "encoded", "linear", NULL };

static const struct gf_option options[] = {
    { .name = "stops", .type = GF_OPTION_NUMBER, .offset = offsetof(struct exposure, stops), .least = -16, .most = 16,
      .required = true, .unit = "EV",
      .text = "1 doubles the light, -1 halves it" },
    { .name = "light", .type = GF_OPTION_CHOICE, .offset = offsetof(struct exposure, light),
      .by_default = GF_LIGHT_LINEAR, .choices = lights, .key_only = true,
      .text = "linear: undo the sRGB curve before, and apply it after; encoded: multiply the values as they are" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct exposure *e = config;
    const struct gf_point_step step = {
        .kind = GF_POINT_AFFINE, .channels = gf_colours(in), .a = (float)gf_exp2(e->stops)
    };

    if (e->stops == 0)
        return 0;
    if (e->stops > 8 && !gf_type_is_float(in->type))
        gf_build_note(build, "exposure:%g multiplies light by %.0f, which leaves hardly more than white; 1 is a stop",
                      e->stops, gf_exp2(e->stops));
    return gf_build_to_linear(build, (enum gf_light)e->light, err) != 0
        || gf_build_point(build, &step, NULL, err) != 0
        || gf_build_from_linear(build, (enum gf_light)e->light, err) != 0 ? -1 : 0;
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm exposure:0.7 -o lighter.png",
    "gpufilter -i photo.ppm exposure:-1 -o darker.png",
    "gpufilter -i photo.ppm linear blur:3 exposure:0.5,light=encoded srgb -o glow.png",
    NULL
};

const struct gf_stage gf_stage_exposure = {
    .name = "exposure",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "make lighter or darker by stops, in linear light",
    .text = "    v = v·2^STOPS, in linear light\n\n"
            "A camera that exposes twice as long gives this result for STOPS = 1. Between the stages linear and srgb, "
            "values are linear already; use light=encoded there.\n\n"
            "Values beyond 1 are kept until the end of the chain, so a later exposure:-1 brings them back. An output "
            "of integers clips them. Alpha is copied.",
    .examples = examples,
    .picture = "scene.ppm exposure:0.8",
    .options = options,
    .config_bytes = sizeof(struct exposure),
    .bind = bind,
};
