/* over and blend: put an image from a file over the image, at a position or in a blend mode. */
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

#define OPACITY(config, ...)                                                                       \
    { .name = "opacity", .type = GF_OPTION_NUMBER, .offset = offsetof(config, opacity),            \
      .by_default = 1, .least = 0, .most = 1,                                                      \
      .text = "factor for FILE's alpha; 50% is half transparent", __VA_ARGS__ }
#define PLACE(word, what)                                                                          \
    { .name = #word, .type = GF_OPTION_INT, .offset = offsetof(struct over, word),                 \
      .least = -1000000000, .most = 1000000000, .unit = "pixels", .text = what }

static const struct gf_option over_options[] = {
    GF_SIDE_INPUT_OPTION(struct over, "image to put on top; it may have another size"),
    PLACE(x, "columns from the left side of the image, or from the place that at= names; may be negative"),
    PLACE(y, "rows from the top of the image, or from the place that at= names; may be negative"),
    GF_ANCHOR_OPTION(struct over, "corner or side from which x and y count inward; from the center they count to "
                                  "the right and down"),
    OPACITY(struct over, .key_only = true),
    { .name = NULL }
};

static const struct gf_option blend_options[] = {
    GF_SIDE_INPUT_OPTION(struct blend, "image to put on top, of the same size"),
    { .name = "mode", .type = GF_OPTION_CHOICE, .offset = offsetof(struct blend, mode),
      .required = true, .choices = modes,
      .text = "how to combine the colors with those below; normal is over without its position" },
    OPACITY(struct blend, .key_only = false),
    { .name = NULL }
};

static int bind_over(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct over *o = config;
    struct gf_blend b = { .mode = GF_BLEND_NORMAL, .amount = (float)o->opacity };
    const struct gf_format *other;
    const int side = gf_side_input_open("over", o->file, false, true, &b, build, err);

    if (side < 0 || gf_build_side(build, o->file, &other, err) < 0)
        return -1;
    b.x = gf_anchor_column(o->at, in->width, other->width, o->x);
    return gf_side_input_blend(&b, side, gf_anchor_row(o->at, in->units, other->units, o->y), build, err);
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
    .group = GF_GROUP_COMBINE,
    .summary = "put an image from a file over the image",
    .text = "FILE is placed at column X, row Y. With at=, X and Y are distances from another corner or "
            "side. over:FILE,10,20,at=bottom-right leaves 10 columns to its right and 20 rows below it. "
            "At a side, such as top, the distance along that side is counted from its middle, to the "
            "right or down. The position of a center is rounded down, as with ImageMagick's gravity; its "
            "names (northwest, ...) are also accepted. Parts of FILE beyond the border are cut off. "
            "Outside FILE the image stays as it is.\n\n"
            "This is Porter and Duff's over on the stored values, as in Pillow's alpha_composite and vips "
            "composite. With FILE's color s and alpha A (times opacity), and the image's color b and "
            "alpha B (1 if it has none):\n\n"
            "    color = (A·s + (1 - A)·B·b) / (A + (1 - A)·B)\n"
            "    alpha = A + (1 - A)·B\n\n"
            "A gray FILE stays gray over a color image. A color FILE over a gray image gives a color "
            "image. The result has alpha only if the image has alpha.\n\n"
            "FILE can be any image that gpufilter reads. It is turned upright as its EXIF orientation "
            "says. The name can contain {stem}, {ext}, {dir} and, with several inputs, {n}, as in -o. "
            "This way, each input can have its own FILE. If FILE has several frames (Y4M, or several "
            "concatenated images), frame n is put over frame n of the input. A FILE of one image is put "
            "over all frames. A FILE with fewer frames than the input is an error. FILE is read once and "
            "kept in memory, or on disk if memory is short.",
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
    .group = GF_GROUP_COMBINE,
    .summary = "blend an image from a file with the image",
    .text = "With s for FILE's stored values and b for those of the image below, both from 0 to 1:\n\n"
            "    normal      s\n"
            "    multiply    b s\n"
            "    screen      b + s - b s\n"
            "    darken      min(b, s)\n"
            "    lighten     max(b, s)\n"
            "    difference  |b - s|\n"
            "    exclusion   b + s - 2 b s\n"
            "    add         min(b + s, 1)\n"
            "    subtract    b - s\n"
            "    divide      b / s, or 0 if s is 0\n"
            "    hardlight   2 b s                    if s <= 0.5\n"
            "                screen of b and 2 s - 1  otherwise\n"
            "    overlay     hardlight with b and s exchanged\n"
            "    softlight   b - (1 - 2 s) b (1 - b)  if s <= 0.5\n"
            "                b + (2 s - 1) (d - b)    otherwise, where\n"
            "                d = ((16 b - 12) b + 4) b if b <= 0.25, else √b\n"
            "    dodge       min(b / (1 - s), 1)\n"
            "    burn        max(1 - (1 - b) / s, 0)\n\n"
            "subtract may give values below 0, and divide values above 1, which the next stages get. divide also "
            "gives 0 if s is below 0, or so small that the quotient is not finite. ImageMagick's Divide gives 1 in "
            "place of 0. To calibrate photos of stars, subtract a dark frame first and divide by a flat field:\n\n"
            "    gpufilter -i lights/ blend:dark.tif,subtract divide:flat.tif,0.5 -o out/\n\n"
            "Here 0.5 is the mean of flat.tif, from stats.\n\n"
            "softlight is the W3C's. Alpha and opacity work as in over. If the image below is not opaque, "
            "the function applies in proportion to its alpha, as in the W3C's compositing.\n\n"
            "FILE must be as large as the image at this place in the chain. For its names and frames, see "
            "over.",
    .examples = blend_examples,
    .picture = "scene.ppm blur:6 blend:scene.ppm,screen,70%",
    .options = blend_options,
    .config_bytes = sizeof(struct blend),
    .bind = bind_blend,
};
