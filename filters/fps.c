/* fps: another frame rate, by dropping, repeating or mixing frames. */
#include "chain/stage.h"
#include "kernels/neighbourhood/across.h"

#include <math.h>

struct fps {
    double rate;
    int way;
};

enum { NEAREST, BLEND };
static const char *const ways[] = { "nearest", "blend", NULL };

static const struct gf_option options[] = {
    { .name = "rate", .type = GF_OPTION_NUMBER, .offset = offsetof(struct fps, rate), .least = 0.001, .most = 1000,
      .required = true, .text = "frames per second; 29.97 and the like stand for 30000/1001" },
    { .name = "frames", .type = GF_OPTION_CHOICE, .offset = offsetof(struct fps, way), .by_default = NEAREST,
      .choices = ways, .text = "nearest in time, or a blend of the two around that time" },
    { .name = NULL }
};

/* Makes a fraction of a decimal. Those of NTSC rates stand for multiples of 1000/1001. */
static void find_rate(double number, int rate[2])
{
    static const int thousands[] = { 24, 30, 48, 60, 120 };
    int64_t same;

    rate[0] = (int)llround(number * 1000);
    rate[1] = 1000;
    for (size_t i = 0; i < sizeof thousands / sizeof *thousands; i++)
        if (number != rint(number) && fabs(number - thousands[i] * 1000 / 1001.0) < 0.006) {
            rate[0] = thousands[i] * 1000;
            rate[1] = 1001;
        }
    same = gf_common_divisor(rate[0], rate[1]);
    rate[0] /= (int)same;
    rate[1] /= (int)same;
}

static void frames(const void *config, struct gf_frames *need)
{
    const struct fps *f = config;

    find_rate(f->rate, need->rate);
    need->between = f->way == BLEND;
    need->after = need->between;
}

/* Frames are chosen before the stage, which only mixes them. */
static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct fps *f = config;
    const struct gf_across across = { .kind = GF_ACROSS_BETWEEN, .weighted = in->alpha, .images = 2 };

    if (f->way != BLEND)
        return 0;
    if (gf_build_op(build, &gf_op_across, &across, (struct gf_need) { 0 }, in, err) != 0)
        return -1;
    gf_build_use_frames(build);
    return 0;
}

static const char *const examples[] = {
    "gpufilter --join -i photo.ppm -i photo.ppm -i photo.ppm noise:0.1 --rate 25 -o film.y4m && "
    "gpufilter -i film.y4m fps:10 -o film.gif",
    "gpufilter --join -i photo.ppm -i photo.ppm -i photo.ppm noise:0.1 --rate 25 -o film.y4m && "
    "gpufilter -i film.y4m fps:50,blend -o smooth.y4m",
    NULL
};

const struct gf_stage gf_stage_fps = {
    .name = "fps",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "change the frame rate of a video or an animation",
    .text = "The duration stays. Frames are dropped or repeated: each frame of the input moves to the nearest time of "
            "the result, k/RATE, and stays until the next one does; of several at one time, the last one is kept. The "
            "result ends at the time nearest to the end of the input. These are the frames that ffmpeg's filter fps "
            "chooses. A frame at least remains.\n\n"
            "With blend, the frame at a time k/RATE is a mixture of the two frames that begin before and after it, "
            "in proportion to the time between.\n\n"
            "The input must say when its frames are shown, as Y4M, GIF, APNG and WebP do; frames of an animation of "
            "10 ms or less are shown for 100 ms, as in browsers. --rate sets the frame rate of an output without "
            "changing its frames.",
    .examples = examples,
    .picture = "night.y4m fps:4 | montage:4,gap=4,bg=white",
    .options = options,
    .config_bytes = sizeof(struct fps),
    .frames = frames,
    .by_times = true,
    .bind = bind,
    .planes = gf_planes_equal,
};
