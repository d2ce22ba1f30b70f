/* tmean, tmedian: the mean or the median of each sample over a few consecutive frames. */
#include "chain/stage.h"
#include "kernels/neighbourhood/across.h"

struct across {
    int64_t frames;
};

#define FRAMES_OPTION(what)                                                                              \
    { .name = "frames", .type = GF_OPTION_INT, .offset = offsetof(struct across, frames), .least = 1,    \
      .most = GF_MOST_FRAMES, .by_default = 3, .text = "number of frames, odd: " what }

static const struct gf_option mean_options[] = {
    FRAMES_OPTION("half of the others before the frame, and half after it; 5 takes as many as "
                  "nlmeans:frames=2"),
    { .name = NULL }
};

static const struct gf_option median_options[] = {
    FRAMES_OPTION("half of the others before the frame, and half after it; ffmpeg's radius=2 is 5"),
    { .name = NULL }
};

static void frames(const void *config, struct gf_frames *need)
{
    const struct across *a = config;

    need->before = need->after = (int)(a->frames / 2);
}

static int bind_across(const struct across *a, enum gf_across_kind kind, const struct gf_format *in,
                       struct gf_build *build, struct gf_error *err)
{
    const struct gf_across across = { .kind = kind, .weighted = kind == GF_ACROSS_MEAN && in->alpha,
                                      .images = (int)a->frames };

    if (a->frames % 2 == 0)
        return gf_fail(err, GF_MISUSED, "%s: frames=%d: must be odd, because the frame is in the middle",
                       kind == GF_ACROSS_MEAN ? "tmean" : "tmedian", (int)a->frames);
    if (gf_build_op(build, &gf_op_across, &across, (struct gf_need) { 0 }, in, err) != 0)
        return -1;
    gf_build_use_frames(build);
    return 0;
}

static int bind_mean(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return bind_across(config, GF_ACROSS_MEAN, in, build, err);
}

static int bind_median(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return bind_across(config, GF_ACROSS_MEDIAN, in, build, err);
}

/* Medians of luma and chroma are not those of red, green and blue. */
static enum gf_planes median_planes(const void *config, const struct gf_format *frame)
{
    (void)config;
    (void)frame;
    return GF_PLANES_OTHER;
}

static const char *const mean_examples[] = {
    "gpufilter --join -i photo.ppm -i photo.ppm -i photo.ppm noise:0.1 --rate 25 -o film.y4m && "
    "gpufilter -i film.y4m tmean:5 -o calm.y4m",
    "gpufilter --join -i photo.ppm -i photo.ppm tmean -o 'calm-{n}.png'",
    NULL
};

static const char *const median_examples[] = {
    "gpufilter --join -i photo.ppm -i photo.ppm -i photo.ppm noise:0.1 --rate 25 -o film.y4m && "
    "gpufilter -i film.y4m --video planes tmedian:5 -o clean.y4m",
    "gpufilter --join -i photo.ppm -i photo.ppm -i photo.ppm noise:0.1 --rate 25 -o film.y4m && "
    "gpufilter -i film.y4m blur:1 tmedian -o clean.gif",
    NULL
};

const struct gf_stage gf_stage_tmean = {
    .name = "tmean",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .keeps_values = true,
    .summary = "less noise in video: the mean of frames",
    .text = "Each sample becomes the mean of the samples at its place in N frames: the frame itself, and as many "
            "before it as after it. Noise decreases to 1/√N. What moves is blurred.\n\n"
            "At the ends of the input, the mean is that of the frames that exist. Frames are those of a video, of an "
            "animation, of a TIFF with several images, or of files that --join makes one input. A single image does "
            "not change. Colors are weighted by alpha.",
    .examples = mean_examples,
    .picture = "night.y4m tmean:5 | montage:4,gap=4,bg=white",
    .options = mean_options,
    .config_bytes = sizeof(struct across),
    .frames = frames,
    .bind = bind_mean,
    .planes = gf_planes_equal,
};

const struct gf_stage gf_stage_tmedian = {
    .name = "tmedian",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .keeps_values = true,
    .summary = "remove specks and rain of video: the median of frames",
    .text = "Each sample becomes the median of the samples at its place in N frames: the frame itself, and as many "
            "before it as after it. What is at a place for less than half of the frames disappears: specks, rain, "
            "noise, persons who pass. All channels are treated alike.\n\n"
            "At the ends of the input, the median is that of the frames that exist: of an even number of samples, it "
            "is the mean of the two in the middle. Frames are those of tmean. A single image does not change. With "
            "--video planes, luma and chroma have medians of their own.",
    .examples = median_examples,
    .picture = "night.y4m tmedian:5 | montage:4,gap=4,bg=white",
    .options = median_options,
    .config_bytes = sizeof(struct across),
    .frames = frames,
    .bind = bind_median,
    .planes = median_planes,
};
