/* pad: something around the picture, or silence around the sound. */
#include "chain/stage.h"
#include "chain/video.h"
#include "filters/anchor.h"
#include "kernels/geometry/pad.h"
#include "kernels/geometry/shift.h"

#include <math.h>

#define MOST_SIDE 16777216               /* that size= can ask for, as resize */

enum { EDGE_BACKGROUND = 5 };

struct pad {
    int64_t left, top, right, bottom;
    struct gf_colour background;
    int edge;
    struct gf_size size;
    int at;
};

static const char *const edges[] = { "clamp", "reflect", "mirror", "wrap", "zero", "bg", NULL };

#define SIDE(word, what) { .name = #word, .type = GF_OPTION_INT, .offset = offsetof(struct pad, word), .least = 0, .most = 1000000, \
                           .unit = "pixels", .by_default = NAN, .text = what }

static const struct gf_option options[] = {
    SIDE(left, "columns more on the left; none by default"),
    SIDE(top, "rows more above; as many as left by default"),
    SIDE(right, "columns more on the right; as many as left by default"),
    SIDE(bottom, "rows more below; as many as above by default"),
    { .name = "bg", .type = GF_OPTION_COLOUR, .offset = offsetof(struct pad, background),
      .text = "their colour; without it transparent if there is alpha, else black" },
    { .name = "edge", .type = GF_OPTION_CHOICE, .offset = offsetof(struct pad, edge), .by_default = EDGE_BACKGROUND,
      .choices = edges, .key_only = true, .text = "what stands there instead of a colour; bg: the colour" },
    { .name = "size", .type = GF_OPTION_SIZE, .offset = offsetof(struct pad, size), .unit = "pixels", .key_only = true,
      .text = "how large it becomes, instead of how much is added; of one side alone, the other one stays" },
    GF_ANCHOR_OPTION(struct pad, "with size, where the picture lies in it; the top left corner if nothing is said"),
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

/* What is not told follows from what is: pad:20 is the same on all sides, pad:20,10 on opposite ones. */
static struct pad with_all_sides(const struct pad *told)
{
    const bool alone = told->left < 0;               /* pad:bottom=9 is below alone */
    struct pad p = *told;

    p.left = alone ? 0 : p.left;
    p.top = p.top >= 0 ? p.top : p.left;
    p.right = p.right >= 0 ? p.right : p.left;
    p.bottom = p.bottom >= 0 ? p.bottom : alone ? 0 : p.top;
    return p;
}

/* The sides that make a picture as large as it is to be. */
static int make_size(struct pad *p, const struct gf_format *in, struct gf_error *err)
{
    const struct gf_size *s = &p->size;
    const double wide = s->share > 0 ? (double)in->width * s->share : s->width > 0 ? (double)s->width : (double)in->width;
    const double high = s->share > 0 ? (double)in->units * s->share : s->height > 0 ? (double)s->height : (double)in->units;
    int64_t width, height;

    if (wide > fmax(MOST_SIDE, (double)in->width) || high > fmax(MOST_SIDE, (double)in->units))
        return gf_fail(err, GF_FAILED, "pad: %lldx%lld to %.10gx%.10g: pictures may have up to %d pixels a side", (long long)in->width,
                       (long long)in->units, wide, high, MOST_SIDE);
    width = llrint(wide);
    height = llrint(high);
    if (width < in->width || height < in->units)
        return gf_fail(err, GF_FAILED, "pad: the picture is %lldx%lld here, which does not fit into %lldx%lld; resize:%lldx%lld,fit=inside before it "
                       "makes it fit", (long long)in->width, (long long)in->units, (long long)width, (long long)height, (long long)width,
                       (long long)height);
    p->left = gf_anchor_column(p->at, width, in->width, 0);
    p->top = gf_anchor_row(p->at, height, in->units, 0);
    p->right = width - in->width - p->left;
    p->bottom = height - in->units - p->top;
    return 0;
}

/* How many pixels come to each side. */
static int find_sides(const struct pad *told, const struct gf_format *in, struct pad *p, struct gf_error *err)
{
    const bool sides = told->left >= 0 || told->top >= 0 || told->right >= 0 || told->bottom >= 0;
    const bool sized = told->size.width > 0 || told->size.height > 0 || told->size.share > 0;

    *p = with_all_sides(told);
    if (!sides && !sized)
        return gf_fail(err, GF_MISUSED, "pad: by how many pixels? pad:20 is on all sides, pad:L,T,R,B on each its own, pad:size=WxH up to a size");
    if (sides && sized)
        return gf_fail(err, GF_MISUSED, "pad: how much is added, or how large it becomes with size=? give one of them");
    if (told->at > 0 && !sized)
        return gf_fail(err, GF_MISUSED, "pad: at says where the picture lies in a size; give size=WxH, too");
    return sized ? make_size(p, in, err) : 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    struct pad all, *p = &all;
    struct gf_pad pad;
    struct gf_format out = *in;

    if (find_sides(config, in, p, err) != 0)
        return -1;
    pad = (struct gf_pad) { .left = p->left, .top = p->top, .border = (enum gf_border)p->edge };
    if (p->background.given && p->edge != EDGE_BACKGROUND)
        return gf_fail(err, GF_MISUSED, "pad: bg and edge both say what stands around the picture; give one of them");
    pad.use_background = p->edge == EDGE_BACKGROUND;
    if (pad.use_background)
        pad.border = GF_ZERO;
    if (p->background.given)
        fill_background(&p->background, in, pad.background);
    out.width += p->left + p->right;
    out.units += p->top + p->bottom;
    if (in->alpha && pad.border == GF_ZERO && !(p->background.given && p->background.rgba[3] == 1)
        && (out.width > in->width || out.units > in->units))
        gf_build_mark_transparent(build);
    gf_video_shift(&out, -p->top);
    return gf_build_op(build, &gf_op_pad, &pad, need_of(p, in), &out, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm pad:20,20,20,20,white -o framed.png",
    "gpufilter -i photo.ppm pad:20,bg=white -o framed.png",
    "gpufilter -i photo.ppm pad:0,60,0,60,#336699 -o letterbox.png",
    "gpufilter -i photo.ppm pad:16,edge=mirror -o wider.png",
    "gpufilter -i photo.ppm resize:200x200,fit=inside pad:size=200x200,at=center,bg=white -o square.jpg",
    NULL
};

const struct gf_stage gf_stage_pad = {
    .name = "pad",
    .kind = GF_IMAGE,
    .summary = "columns and rows added around the picture",
    .text = "Left, top, right and bottom, as many pixels as are given: pad:20 is 20 on all sides, pad:20,10 is 20 on the left and on "
            "the right, 10 above and below, pad:bottom=9 is below alone. They are in a colour or as edge= says: clamp "
            "repeats the last pixel, reflect (dcba|abcd|dcba) and mirror (dcb|abcd|cba) turn back, wrap starts again "
            "at the other side, zero is black, and transparent with alpha. The samples of the picture are moved as "
            "they are stored. A gray picture takes the gray of a colour.\n\n"
            "size= tells how large the picture becomes instead, WxH, W or xH alone, or a share like 120%, and at= where it lies in that; one that "
            "is larger is refused.",
    .examples = examples,
    .picture = "scene.ppm pad:16,bg=#336699",
    .options = options,
    .config_bytes = sizeof(struct pad),
    .bind = bind,
};

/* ---- of sound ---- */

struct silence {
    struct gf_time start, end;
};

static const struct gf_option audio_options[] = {
    { .name = "start", .type = GF_OPTION_TIME, .offset = offsetof(struct silence, start), .most = 1e7,
      .text = "how long it lasts before the first frame; none by default" },
    { .name = "end", .type = GF_OPTION_TIME, .offset = offsetof(struct silence, end), .most = 1e7,
      .text = "and behind the last one; none by default" },
    { .name = NULL }
};

static int bind_audio(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct silence *s = config;
    const int64_t start = gf_time_frames(&s->start, in->rate), end = gf_time_frames(&s->end, in->rate);
    const struct gf_shift place = { .first = start };
    struct gf_format out = *in;

    if (in->units != GF_UNKNOWN)
        out.units += start + end;
    return start + end == 0 ? 0 : gf_build_op(build, &gf_op_shift, &place,
                                              (struct gf_need) { .shift = -start, .longer = start + end }, &out, err);
}

static const char *const audio_examples[] = {
    "gpufilter -i sound.wav pad:0.5,0.5 -o apart.wav",
    "gpufilter -i sound.wav pad:0,1000f -o longer.wav",
    NULL
};

const struct gf_stage gf_stage_pad_audio = {
    .name = "pad",
    .kind = GF_AUDIO,
    .summary = "silence before and behind",
    .text = "Samples are moved as they are stored. Times are seconds (0.5, 500ms), m:s, h:m:s, or a count of frames: 1000f.",
    .examples = audio_examples,
    .picture = "voice.wav pad:0.5,1 | waveform:600",
    .options = audio_options,
    .config_bytes = sizeof(struct silence),
    .bind = bind_audio,
};
