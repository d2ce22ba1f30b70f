/* deflicker: give each frame of a video the mean brightness of the frames around it. */
#include "chain/stage.h"
#include "kernels/pixel/flicker.h"

struct deflicker {
    int64_t frames;
};

static const struct gf_option options[] = {
    { .name = "frames", .type = GF_OPTION_INT, .offset = offsetof(struct deflicker, frames), .least = 1,
      .most = GF_MOST_FRAMES, .by_default = 5,
      .text = "number of frames, odd: half of the others before the frame, and half after it" },
    { .name = NULL }
};

static void frames(const void *config, struct gf_frames *need)
{
    const struct deflicker *d = config;

    need->before = need->after = (int)(d->frames / 2);
    need->luma = true;
}

static int bind_flicker(const struct deflicker *d, struct gf_flicker flicker, const struct gf_format *in,
                        struct gf_build *build, struct gf_error *err)
{
    if (d->frames % 2 == 0)
        return gf_fail(err, GF_MISUSED, "deflicker: frames=%d: must be odd, because the frame is in the middle",
                       (int)d->frames);
    if (gf_build_op(build, &gf_op_flicker, &flicker, (struct gf_need) { 0 }, in, err) != 0)
        return -1;
    gf_build_use_frames(build);
    return 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return bind_flicker(config, (struct gf_flicker) { .channels = gf_colours(in) }, in, build, err);
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    return bind_flicker(config, (struct gf_flicker) { .channels = 1, .zero = (float)plane->zero }, in, build, err);
}

static const char *const examples[] = {
    "gpufilter --join -i photo.ppm -i photo.ppm -i photo.ppm noise:0.1 --rate 25 -o film.y4m && "
    "gpufilter -i film.y4m deflicker -o steady.y4m",
    "gpufilter --join -i photo.ppm -i photo.ppm -i photo.ppm noise:0.1 --rate 25 -o film.y4m && "
    "gpufilter -i film.y4m deflicker:9 -o steady.gif",
    NULL
};

const struct gf_stage gf_stage_deflicker = {
    .name = "deflicker",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "remove flicker of video: even out the brightness of frames",
    .text = "Colors are multiplied by\n\n"
            "    mean brightness of N frames / brightness of the frame\n\n"
            "These are the frame itself, and as many before it as after it; at the ends, those that exist. The "
            "brightness of a frame is the mean of its luma, 0.299 red + 0.587 green + 0.114 blue, or of gray. A black "
            "frame does not change. Alpha is copied. Frames are those of tmean.\n\n"
            "N is 5 by default, which leaves a fifth of a flicker between every other frame: for a time lapse, 15 to "
            "31 are better.",
    .examples = examples,
    .picture = "night.y4m deflicker:7 | montage:4,gap=4,bg=white",
    .options = options,
    .config_bytes = sizeof(struct deflicker),
    .frames = frames,
    .bind = bind,
    .planes = gf_planes_equal,
    .bind_plane = bind_plane,
};
