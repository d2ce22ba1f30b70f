/* invert: the negative of an image, or the opposite polarity of audio. */
#include "chain/stage.h"
#include "filters/plane_curves.h"

static int bind_image(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_point_step step = { .kind = GF_POINT_AFFINE, .channels = gf_colours(in), .a = -1, .b = 1 };

    (void)config;
    return gf_build_point(build, &step, NULL, err);
}

static int bind_audio(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_point_step step = { .kind = GF_POINT_AFFINE, .channels = in->channels, .a = -1, .b = 0 };

    (void)config;
    return gf_build_point(build, &step, NULL, err);
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    (void)config;
    (void)in;
    return gf_plane_affine(plane, -1, 1, build, err);
}

static const char *const image_examples[] = { "gpufilter -i photo.ppm invert -o negative.png", NULL };
static const char *const audio_examples[] = { "gpufilter -i sound.wav invert -o inverted.wav", NULL };

const struct gf_stage gf_stage_invert = {
    .name = "invert",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "make a negative: 1 - v",
    .text = "Alpha is copied.",
    .examples = image_examples,
    .picture = "scene.ppm invert",
    .bind = bind_image,
    .planes = gf_planes_equal,
    .bind_plane = bind_plane,
};

const struct gf_stage gf_stage_invert_audio = {
    .name = "invert",
    .kind = GF_AUDIO,
    .group = GF_GROUP_LEVEL,
    .summary = "invert the polarity: -v",
    .examples = audio_examples,
    .picture = "voice.wav invert | waveform:600",
    .bind = bind_audio,
};
