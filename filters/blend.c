/* over and blend: a picture from a file on top of what passes, each at its own place or all over. */
#include "filters/anchor.h"
#include "filters/side_input.h"

struct over {
    char *file;
    int64_t x, y;
    int at;
    double opacity;
};

struct blend {
    char *file;
    int mode;
    double opacity;
};

#define MODE_NAME(NAME, name) #name,
static const char *const modes[] = { GF_BLEND_MODES(MODE_NAME) NULL };

#define OPACITY(config, ...) { .name = "opacity", .type = GF_OPTION_NUMBER, .offset = offsetof(config, opacity), .by_default = 1, \
                               .least = 0, .most = 1, .text = "FILE's alpha is multiplied by it; 50% is half", __VA_ARGS__ }
#define PLACE(word, what) { .name = #word, .type = GF_OPTION_INT, .offset = offsetof(struct over, word), .least = -1000000000, \
                            .most = 1000000000, .unit = "pixels", .text = what }

static const struct gf_option over_options[] = {
    GF_SIDE_INPUT_OPTION(struct over, "the picture that lies on top; its size may be another one"),
    PLACE(x, "columns between its left side and the picture's, or as at= has it; below 0 a part is beyond the border"),
    PLACE(y, "rows between its upper side and the picture's, likewise"),
    GF_ANCHOR_OPTION(struct over, "the corner or the side from which x and y count inward; of the center, to the right and down"),
    OPACITY(struct over, .key_only = true),
    { .name = NULL }
};

static const struct gf_option blend_options[] = {
    GF_SIDE_INPUT_OPTION(struct blend, "the picture that lies on top, of the same size"),
    { .name = "mode", .type = GF_OPTION_CHOICE, .offset = offsetof(struct blend, mode), .by_default = GF_BLEND_NORMAL, .choices = modes,
      .text = "what its colours make of those below" },
    OPACITY(struct blend, .key_only = false),
    { .name = NULL }
};

static int bind_over(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct over *o = config;
    struct gf_blend b = { .mode = GF_BLEND_NORMAL, .amount = (float)o->opacity };
    const struct gf_format *beside;
    const int side = gf_side_input_open("over", o->file, false, true, &b, build, err);

    if (side < 0 || gf_build_side(build, o->file, &beside, err) < 0)
        return -1;
    b.x = gf_anchor_column(o->at, in->width, beside->width, o->x);
    return gf_side_input_blend(&b, side, gf_anchor_row(o->at, in->units, beside->units, o->y), build, err);
}

static int bind_blend(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct blend *o = config;
    struct gf_blend b = { .mode = (enum gf_blend_mode)o->mode, .amount = (float)o->opacity };
    const int side = gf_side_input_open("blend", o->file, true, true, &b, build, err);

    (void)in;
    return side < 0 ? -1 : gf_side_input_blend(&b, side, 0, build, err);
}

static const char *const over_examples[] = {
    "gpufilter -i photo.ppm over:cutout.pam,20,10 -o pasted.png",
    "gpufilter -i photo.ppm over:cutout.pam,10,10,at=bottom-right -o signed.png",
    "gpufilter -i photo.ppm over:cutout.pam,-30,20,opacity=50% rotate:15 -o faint.png",
    "cat photo.ppm photo.ppm | gpufilter over:cutout.pam,10,10 -o 'marked-{n}.png'",
    NULL
};

const struct gf_stage gf_stage_over = {
    .name = "over",
    .kind = GF_IMAGE,
    .summary = "lays a picture from a file over the one that passes",
    .text = "FILE lies at column X, row Y. With at= these are distances from another corner or side: over:FILE,10,20,at=bottom-right leaves "
            "10 columns to its right and 20 rows below it, whatever both sizes are. At a side the other number moves it on from the middle, "
            "right or down; middles are half of each size, rounded down, as ImageMagick's gravity has it, whose words are taken too. What is "
            "beyond the border is not seen, and where FILE does not reach the picture stays as it is.\n\n"
            "With FILE's alpha as, times opacity, and the alpha ab of the picture below (1 where "
            "there is none), colours become (as s + (1 - as) ab b) / (as + (1 - as) ab) and alpha as + (1 - as) ab, on the "
            "stored values: Porter and Duff's over, as Pillow's alpha_composite and vips composite have it. A gray FILE is "
            "laid over colours as it is; over a gray picture a FILE of colours makes colours of it. The picture's alpha comes "
            "and goes with the picture: one without stays without.\n\n"
            "FILE is any picture that is read, turned upright as its EXIF says; {stem}, {ext}, {dir} and, of several inputs, {n} "
            "are filled in as for -o, so that each input can have its own. Of frames, in Y4M or as several pictures in a row, the n-th of FILE "
            "lies over the n-th of the input; a FILE of one picture lies over all of them, and one that ends before the input "
            "is an error. It is read once, and kept in memory or, where that is short, on disk.",
    .examples = over_examples,
    .picture = "scene.ppm over:cutout.pam,40,20",
    .options = over_options,
    .config_bytes = sizeof(struct over),
    .bind = bind_over,
};

static const char *const blend_examples[] = {
    "gpufilter -i photo.ppm blur:8 blend:photo.ppm,screen,60% -o glow.png",
    "gpufilter -i photo.ppm gray blur:3 invert blend:photo.ppm,dodge -o drawn.png",
    "gpufilter -i photo.ppm blend:photo.ppm,multiply -o dark.png",
    NULL
};

const struct gf_stage gf_stage_blend = {
    .name = "blend",
    .kind = GF_IMAGE,
    .summary = "mixes a picture of the same size, from a file, into this one",
    .text = "With s of FILE and b of the picture below, the stored values from 0 to 1, a colour becomes: normal s; "
            "multiply b s; screen b + s - b s; darken and lighten the smaller and the greater one; difference |b - s|; "
            "exclusion b + s - 2 b s; add b + s, at most 1; subtract b - s, at least 0; hardlight 2 b s where s is at most "
            "0.5, else the screen of b and 2 s - 1; overlay the same with b and s exchanged; softlight, as the W3C has it, b - "
            "(1 - 2 s) b (1 - b) where s is at most 0.5, else b + (2 s - 1) (d - b), where d is the root of b, or ((16 b - 12) "
            "b + 4) b up to 0.25; dodge b / (1 - s), at most 1; burn 1 - (1 - b) / s, at least 0. Alpha and opacity are heeded "
            "as in over, of which this is the case with a function: where the picture below is not opaque the function counts "
            "as far as it is, as in the W3C's compositing.\n\n"
            "FILE must be as large as the picture is at this place of the chain; what else holds for it is told under over.",
    .examples = blend_examples,
    .picture = "scene.ppm blur:6 blend:scene.ppm,screen,70%",
    .options = blend_options,
    .config_bytes = sizeof(struct blend),
    .bind = bind_blend,
};
