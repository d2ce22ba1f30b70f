/* pad: add a border to an image, or silence to audio. */
#include "chain/stage.h"
#include "chain/video.h"
#include "filters/anchor.h"
#include "kernels/geometry/pad.h"
#include "kernels/geometry/shift.h"

#include <math.h>

#define MOST_SIDE 16777216               /* largest side that size= accepts, as for resize */

enum { EDGE_BACKGROUND = 5 };

struct pad {
    int64_t left, top, right, bottom;
    struct gf_colour background;
    int edge;
    struct gf_size size;
    int at;
};

static const char *const edges[] = { "clamp", "reflect", "mirror", "wrap", "zero", "bg", NULL };

#define SIDE(word, what)                                                                           \
    { .name = #word, .type = GF_OPTION_INT, .offset = offsetof(struct pad, word), .least = 0,      \
      .most = 1000000, .unit = "pixels", .by_default = NAN, .text = what }

static const struct gf_option options[] = {
    SIDE(left, "columns to add on the left; 0 by default"),
    SIDE(top, "rows to add above; by default as many as left"),
    SIDE(right, "columns to add on the right; by default as many as left"),
    SIDE(bottom, "rows to add below; by default as many as top"),
    { .name = "bg", .type = GF_OPTION_COLOUR, .offset = offsetof(struct pad, background),
      .text = "color of the border; by default transparent if there is alpha, otherwise black" },
    { .name = "edge", .type = GF_OPTION_CHOICE, .offset = offsetof(struct pad, edge),
      .by_default = EDGE_BACKGROUND, .choices = edges, .key_only = true,
      .text = "content of the border; bg: the color" },
    { .name = "size", .type = GF_OPTION_SIZE, .offset = offsetof(struct pad, size), .unit = "pixels",
      .key_only = true,
      .text = "size of the result, instead of the pixels to add; if only one side is given, the other "
              "does not change" },
    GF_ANCHOR_OPTION(struct pad, "with size=, where to place the image; by default in the top left corner"),
    { .name = NULL }
};

/* Converts the color to the channels of the image. */
static void fill_background(const struct gf_colour *colour, const struct gf_format *in, float *background)
{
    const int colours = gf_colours(in);

    for (int c = 0; c < colours; c++)
        background[c] = (float)gf_colour_sample(colour, colours, c);
    if (in->alpha)
        background[colours] = (float)colour->rgba[3];
}

/*
 * Returns the input rows that a row of the result needs. A mirrored border repeats a row that
 * can be as far away as the border is wide.
 */
static struct gf_need need_of(const struct pad *p, const struct gf_format *in)
{
    const int64_t deep = p->edge == GF_REFLECT || p->edge == GF_MIRROR ? 2 : p->edge == GF_CLAMP ? 1 : 0;
    struct gf_need need = { .shift = -p->top, .before = deep * p->bottom, .after = deep * p->top };

    need.whole = p->edge == GF_WRAP || need.before + need.after >= in->units;
    return need;
}

/*
 * Fills in the sides that are not given: pad:20 is the same on all sides, pad:20,10 on opposite
 * sides.
 */
static struct pad fill_in_sides(const struct pad *given)
{
    const bool alone = given->left < 0;               /* pad:bottom=9 adds rows only below */
    struct pad p = *given;

    p.left = alone ? 0 : p.left;
    p.top = p.top >= 0 ? p.top : p.left;
    p.right = p.right >= 0 ? p.right : p.left;
    p.bottom = p.bottom >= 0 ? p.bottom : alone ? 0 : p.top;
    return p;
}

/* Computes the sides for size=. */
static int make_size(struct pad *p, const struct gf_format *in, struct gf_error *err)
{
    const struct gf_size *s = &p->size;
    const double asked_width = s->width > 0 ? (double)s->width : (double)in->width;
    const double asked_height = s->height > 0 ? (double)s->height : (double)in->units;
    const double wide = s->share > 0 ? (double)in->width * s->share : asked_width;
    const double high = s->share > 0 ? (double)in->units * s->share : asked_height;
    int64_t width, height;

    if (wide > fmax(MOST_SIDE, (double)in->width) || high > fmax(MOST_SIDE, (double)in->units))
        return gf_fail(err, GF_FAILED, "pad: %lldx%lld to %.10gx%.10g is too large; sides must be 1 to %d pixels",
                       (long long)in->width, (long long)in->units, wide, high, MOST_SIDE);
    width = llrint(wide);
    height = llrint(high);
    if (width < in->width || height < in->units)
        return gf_fail(err, GF_FAILED,
                       "pad: the image is %lldx%lld here, larger than %lldx%lld; put resize:%lldx%lld,fit=inside "
                       "before pad",
                       (long long)in->width, (long long)in->units, (long long)width, (long long)height,
                       (long long)width, (long long)height);
    p->left = gf_anchor_column(p->at, width, in->width, 0);
    p->top = gf_anchor_row(p->at, height, in->units, 0);
    p->right = width - in->width - p->left;
    p->bottom = height - in->units - p->top;
    return 0;
}

/* Finds the number of pixels to add at each side. */
static int find_sides(const struct pad *given, const struct gf_format *in, struct pad *p, struct gf_error *err)
{
    const bool sides = given->left >= 0 || given->top >= 0 || given->right >= 0
                       || given->bottom >= 0;
    const bool sized = given->size.width > 0 || given->size.height > 0 || given->size.share > 0;

    *p = fill_in_sides(given);
    if (!sides && !sized)
        return gf_fail(err, GF_MISUSED,
                       "pad: missing number of pixels; write pad:20 for all sides, pad:L,T,R,B for each, or "
                       "pad:size=WxH for a size");
    if (sides && sized)
        return gf_fail(err, GF_MISUSED, "pad: sides and size= exclude each other; give one of them");
    if (given->at > 0 && !sized)
        return gf_fail(err, GF_MISUSED, "pad: at= needs size=WxH");
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
        return gf_fail(err, GF_MISUSED, "pad: bg= and edge= exclude each other; give one of them");
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

/*
 * A gray border has the same chroma in both planes. Borders that repeat or mirror the image do so by
 * samples of chroma, which is another result next to the image.
 */
static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const double *rgba = ((const struct pad *)config)->background.rgba;
    struct gf_error none = { 0 };
    struct pad p;

    if (find_sides(config, frame, &p, &none) != 0 || rgba[0] != rgba[1] || rgba[1] != rgba[2]
        || !gf_planes_column_fits(frame, frame->width) || !gf_planes_row_fits(frame, frame->units)
        || !gf_planes_column_fits(frame, p.left) || !gf_planes_column_fits(frame, p.right)
        || !gf_planes_row_fits(frame, p.top) || !gf_planes_row_fits(frame, p.bottom))
        return GF_PLANES_NONE;
    if (p.edge != EDGE_BACKGROUND && p.edge != GF_ZERO)
        return GF_PLANES_OTHER;
    return gf_planes_are_centered(frame) ? GF_PLANES_EQUAL : GF_PLANES_OTHER;
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    struct gf_format out = *in;
    struct gf_pad pad;
    struct pad p;

    if (find_sides(config, plane->frame, &p, err) != 0)
        return -1;
    p.left >>= plane->sub_x;
    p.right >>= plane->sub_x;
    p.top >>= plane->sub_y;
    p.bottom >>= plane->sub_y;
    out.width += p.left + p.right;
    out.units += p.top + p.bottom;
    pad = (struct gf_pad) { .left = p.left, .top = p.top, .border = (enum gf_border)p.edge };
    pad.use_background = p.edge == EDGE_BACKGROUND || p.edge == GF_ZERO;     /* black is not 0 in a plane */
    if (pad.use_background)
        pad.border = GF_ZERO;
    pad.background[0] = (float)(plane->zero + (plane->chroma ? 0 : plane->range * p.background.rgba[0]));
    return gf_build_op(build, &gf_op_pad, &pad, need_of(&p, in), &out, err);
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
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "add a border, or enlarge to a given size",
    .text = "The values are the pixels to add at each side. Samples of the image are copied without "
            "change.\n\n"
            "    pad:20           20 on all sides\n"
            "    pad:20,10        20 at the left and right, 10 above and below\n"
            "    pad:L,T,R,B      left, top, right and bottom\n"
            "    pad:bottom=9     9 rows below\n"
            "    pad:size=WxH     up to this size; also W, xH or a share like 120%\n\n"
            "The border has one color, or the content that edge= chooses. In a gray image it gets the "
            "gray of the color.\n\n"
            "    clamp    repeats the last pixel\n"
            "    reflect  mirrors the image: dcba|abcd|dcba\n"
            "    mirror   mirrors the image: dcb|abcd|cba\n"
            "    wrap     continues at the opposite side\n"
            "    zero     is black, or transparent if there is alpha\n\n"
            "With size=, at= chooses the place of the image in the result. An image that is larger than "
            "the size is an error.",
    .examples = examples,
    .picture = "scene.ppm pad:16,bg=#336699",
    .options = options,
    .config_bytes = sizeof(struct pad),
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};

/* ---- audio ---- */

struct silence {
    struct gf_time start, end;
};

static const struct gf_option audio_options[] = {
    { .name = "start", .type = GF_OPTION_TIME, .offset = offsetof(struct silence, start), .most = 1e7,
      .text = "silence to add before the first frame; none by default" },
    { .name = "end", .type = GF_OPTION_TIME, .offset = offsetof(struct silence, end), .most = 1e7,
      .text = "silence to add after the last frame; none by default" },
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
    .group = GF_GROUP_TIME,
    .summary = "add silence at the start and at the end",
    .text = "Samples are copied without change. Times are seconds (0.5, 500ms), m:s, h:m:s, or a number "
            "of frames: 1000f.",
    .examples = audio_examples,
    .picture = "voice.wav pad:0.5,1 | waveform:600",
    .options = audio_options,
    .config_bytes = sizeof(struct silence),
    .bind = bind_audio,
};
