/* pad: something around the picture. */
#include "pad.h"
#include "stage.h"

enum { EDGE_BACKGROUND = 5 };

struct pad {
    int64_t left, top, right, bottom;
    struct gf_colour background;
    int edge;
};

static const char *const edges[] = { "clamp", "reflect", "mirror", "wrap", "zero", "bg", NULL };

#define SIDE(word, what) { .name = #word, .type = GF_OPTION_INT, .offset = offsetof(struct pad, word), .least = 0, .most = 1000000, \
                           .unit = "pixels", .required = true, .text = what }

static const struct gf_option options[] = {
    SIDE(left, "columns more on the left"),
    SIDE(top, "rows more above"),
    SIDE(right, "columns more on the right"),
    SIDE(bottom, "rows more below"),
    { .name = "bg", .type = GF_OPTION_COLOUR, .offset = offsetof(struct pad, background),
      .text = "their colour; without it transparent if there is alpha, else black" },
    { .name = "edge", .type = GF_OPTION_CHOICE, .offset = offsetof(struct pad, edge), .by_default = EDGE_BACKGROUND,
      .choices = edges, .key_only = true, .text = "what stands there instead of a colour; bg: the colour" },
    { .name = NULL }
};

/* The colour as the picture has its channels. */
static void fill_background(const struct gf_colour *colour, const struct gf_format *in, float *background)
{
    const double *rgba = colour->rgba;
    const int colours = gf_colours(in);

    for (int c = 0; c < colours; c++)
        background[c] = (float)(colours == 3 ? rgba[c] : .299 * rgba[0] + .587 * rgba[1] + .114 * rgba[2]);
    if (in->alpha)
        background[colours] = (float)rgba[3];
}

/* How far a row of the result looks: fixed borders repeat a row that may be as far away as the padding is deep. */
static struct gf_need need_of(const struct pad *p, const struct gf_format *in)
{
    const int64_t deep = p->edge == GF_REFLECT || p->edge == GF_MIRROR ? 2 : p->edge == GF_CLAMP ? 1 : 0;
    struct gf_need need = { .shift = -p->top, .before = deep * p->bottom, .after = deep * p->top };

    need.whole = p->edge == GF_WRAP || need.before + need.after >= in->units;
    return need;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct pad *p = config;
    struct gf_pad pad = { .left = p->left, .top = p->top, .border = (enum gf_border)p->edge };
    struct gf_format out = *in;

    if (p->background.given && p->edge != EDGE_BACKGROUND)
        return gf_fail(err, GF_MISUSED, "pad: bg and edge both say what stands around the picture; give one of them");
    pad.use_background = p->edge == EDGE_BACKGROUND;
    if (pad.use_background)
        pad.border = GF_ZERO;
    if (p->background.given)
        fill_background(&p->background, in, pad.background);
    out.width += p->left + p->right;
    out.units += p->top + p->bottom;
    return gf_build_op(build, GF_OP_PAD, &pad, sizeof pad, need_of(p, in), &out, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm pad:20,20,20,20,white -o framed.png",
    "gpufilter -i photo.ppm pad:0,60,0,60,#336699 -o letterbox.png",
    "gpufilter -i photo.ppm pad:16,16,16,16,edge=mirror -o wider.png",
    NULL
};

const struct gf_stage gf_stage_pad = {
    .name = "pad",
    .kind = GF_IMAGE,
    .summary = "columns and rows added around the picture",
    .text = "Left, top, right and bottom, as many pixels as are given, in a colour or as edge= says: clamp repeats the last pixel, reflect "
            "(dcba|abcd|dcba) and mirror (dcb|abcd|cba) turn back, wrap starts again at the other side, zero is black, and transparent with alpha. The samples of the picture are moved as they "
            "are stored. A gray picture takes the gray of a colour.",
    .examples = examples,
    .picture = "scene.ppm pad:16,16,16,16,#336699",
    .options = options,
    .config_bytes = sizeof(struct pad),
    .bind = bind,
};
