/* Binds a chain to the planes of a frame, one chain for luma and one for both planes of chroma. */
#include "chain/binding_planes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gf_outputs_release(struct gf_outputs *o)
{
    for (int k = 0; k < 2; k++) {
        if (o->plane[k] != NULL)
            gf_binding_release(o->plane[k]);
        free(o->plane[k]);
        o->plane[k] = NULL;
    }
    o->planes_note[0] = '\0';
    o->planes_stage = NULL;
}

/* Describes a plane of frames that are stored as `stored`, before a stage that gets `frame`. */
static struct gf_plane describe_plane(const struct gf_format *stored, const struct gf_format *frame, bool chroma)
{
    const struct gf_yuv *y = &stored->yuv;
    const double most = (double)(1 << y->bits) - 1, step = (double)(1 << (y->bits - 8));

    return (struct gf_plane) {
        .chroma = chroma, .sub_x = chroma ? y->sub_x : 0, .sub_y = chroma ? y->sub_y : 0, .frame = frame,
        .zero = (chroma ? 128 : y->full ? 0 : 16) * step / most,
        .range = y->full ? 1 : (chroma ? 224 : 219) * step / most,
    };
}

/* Converts the range and the depth of the input to those of the output. */
static int fit_range(const struct gf_format *from, const struct gf_format *to, bool chroma, struct gf_build *build,
                     struct gf_error *err)
{
    const struct gf_plane in = describe_plane(from, from, chroma), out = describe_plane(to, to, chroma);
    const double a = out.range / in.range, b = out.zero - in.zero * a;
    const struct gf_point_step step = { .kind = GF_POINT_AFFINE, .channels = 1, .a = (float)a, .b = (float)b };

    return in.zero == out.zero && in.range == out.range ? 0 : gf_build_point(build, &step, NULL, err);
}

/* Binds the stages of a frame's binding to one of its planes. */
static int bind_plane(struct gf_binding *plane_binding, const struct gf_binding *frame, const struct gf_format *stored,
                      bool chroma, struct gf_error *err)
{
    struct gf_build build = { .binding = plane_binding, .arena = &plane_binding->arena,
                              .format = gf_planes_format(&frame->in, chroma) };

    plane_binding->in = build.format;
    plane_binding->options.memory_bytes = frame->options.memory_bytes;
    for (build.word = 0; build.word < frame->words; build.word++) {
        const struct gf_chain_word *word = &frame->chain->word[build.word];
        const struct gf_stage *stage = word->stage[GF_IMAGE];
        const struct gf_plane plane = describe_plane(&frame->in, &frame->before[build.word], chroma);
        const struct gf_format in = build.format;

        build.stage = word->text;
        build.frames = gf_stage_frames(stage, word->config[GF_IMAGE]);
        if ((stage->bind_plane != NULL ? stage->bind_plane(word->config[GF_IMAGE], &plane, &in, &build, err)
                                       : stage->bind(word->config[GF_IMAGE], &in, &build, err)) != 0)
            return -1;
    }
    build.stage = "store";
    build.word = -1;
    if (fit_range(&frame->in, stored, chroma, &build, err) != 0)
        return -1;
    plane_binding->out = build.format;
    return build.failed ? gf_fail_memory(err, NULL) : 0;
}

static enum gf_planes ask_stage(const struct gf_chain_word *word, const struct gf_format *frame)
{
    const struct gf_stage *s = word->stage[GF_IMAGE];

    return s->planes != NULL ? s->planes(word->config[GF_IMAGE], frame) : GF_PLANES_NONE;
}

/* Returns how the planes can be used, and why not: the stage in the way, or NULL. */
static enum gf_planes find_way(const struct gf_binding *binding, const struct gf_format *stored,
                               const struct gf_chain_word **obstacle)
{
    const struct gf_yuv *in = &binding->in.yuv, *out = &stored->yuv;
    enum gf_planes way = GF_PLANES_EQUAL;

    *obstacle = NULL;
    for (int i = 0; i < binding->words; i++) {
        const enum gf_planes can = ask_stage(&binding->chain->word[i], &binding->before[i]);

        if (can < way) {
            way = can;
            *obstacle = &binding->chain->word[i];
        }
    }
    if (!in->used || !out->used
        || (!out->mono && (in->mono || in->sub_x != out->sub_x || in->sub_y != out->sub_y
                           || gf_planes_are_centered(&binding->in) != gf_planes_are_centered(stored))))
        return GF_PLANES_NONE;
    return way == GF_PLANES_EQUAL && !out->mono && in->matrix != out->matrix ? GF_PLANES_OTHER : way;
}

/* Describes how the layout of chroma is in the way; writes nothing if the stage cannot work on 4:4:4 either. */
static void describe_layout(const struct gf_binding *binding, const struct gf_chain_word *word, char *text, size_t room)
{
    const int i = (int)(word - binding->chain->word);
    const struct gf_format *in = &binding->before[i], *out = i + 1 < binding->words ? &binding->before[i + 1]
        : &binding->out;
    const struct gf_yuv *y = &in->yuv;
    const char *layout = y->sub_x == 2 ? "4:1:1" : y->sub_y == 0 ? "4:2:2" : "4:2:0";
    struct gf_format other = *in;
    int columns, rows;

    text[0] = '\0';
    other.yuv.sub_x = other.yuv.sub_y = 0;
    if (ask_stage(word, &other) == GF_PLANES_NONE)
        return;
    gf_planes_grid(in, &columns, &rows);
    other.yuv.sub_x = other.yuv.sub_y = y->sub_x > y->sub_y ? y->sub_x : y->sub_y;
    if (ask_stage(word, &other) != GF_PLANES_NONE)
        snprintf(text, room, " of %s, which have fewer columns but not fewer rows", layout);
    else
        snprintf(text, room, " (%lldx%lld to %lldx%lld); in %s, sizes and positions must be multiples of %d columns%s",
                 (long long)in->width, (long long)in->units, (long long)out->width, (long long)out->units,
                 layout, columns, rows == 4 ? " and 4 rows" : rows == 2 ? " and 2 rows" : "");
}

static void note_conversion(struct gf_outputs *o, const struct gf_binding *binding, const struct gf_chain_word *word)
{
    char why[160];

    if (!binding->in.yuv.used) {
        snprintf(o->planes_note, sizeof o->planes_note,
                 "--video planes has no effect: only Y4M has planes, and only until a stage or the output needs red, "
                 "green and blue");
    } else if (word != NULL) {
        describe_layout(binding, word, why, sizeof why);
        snprintf(o->planes_note, sizeof o->planes_note,
                 "--video planes has no effect: %.60s cannot work on these planes%s; frames are converted to red, "
                 "green and blue", word->text, why);
    } else {
        snprintf(o->planes_note, sizeof o->planes_note,
                 "--video planes has no effect: the output does not have the planes of the input");
    }
}

/* Makes the binding of luma or of chroma. */
static int add_plane(struct gf_outputs *o, const struct gf_binding *binding, bool chroma, struct gf_error *err)
{
    const struct gf_format wanted = gf_planes_format(&o->stored[0], chroma);
    struct gf_binding *plane = calloc(1, sizeof *plane);

    o->plane[chroma] = plane;
    if (plane == NULL)
        return gf_fail_memory(err, NULL);
    if (bind_plane(plane, binding, &o->stored[0], chroma, err) != 0)
        return -1;
    if (plane->out.width != wanted.width || plane->out.units != wanted.units)
        return gf_fail(err, GF_FAILED, "internal error: a plane of %lldx%lld should be %lldx%lld",
                       (long long)plane->out.width, (long long)plane->out.units, (long long)wanted.width,
                       (long long)wanted.units);
    return 0;
}

int gf_outputs_bind_planes(struct gf_outputs *o, const struct gf_binding *binding, enum gf_video_choice choice,
                           struct gf_error *err)
{
    const struct gf_format *stored = &o->stored[0];
    const struct gf_chain_word *obstacle;
    enum gf_planes way;

    gf_outputs_release(o);
    if (choice == GF_VIDEO_RGB || binding->in.kind != GF_IMAGE || o->table
        || (!binding->in.yuv.used && choice == GF_VIDEO_AUTO))
        return 0;
    way = find_way(binding, stored, &obstacle);
    if (choice == GF_VIDEO_PLANES && way == GF_PLANES_NONE)
        note_conversion(o, binding, obstacle);
    if (way < (choice == GF_VIDEO_PLANES ? GF_PLANES_OTHER : GF_PLANES_EQUAL)) {
        o->planes_stage = obstacle != NULL ? obstacle->text : NULL;
        return 0;
    }
    if (binding->in.yuv.matrix != stored->yuv.matrix && !stored->yuv.mono)
        snprintf(o->planes_note, sizeof o->planes_note,
                 "--video planes keeps colors of BT.%d, but players expect BT.%d in frames of this height; leave out "
                 "--video planes to convert them", binding->in.yuv.matrix, stored->yuv.matrix);
    return add_plane(o, binding, false, err) != 0 || (!stored->yuv.mono && add_plane(o, binding, true, err) != 0)
        ? -1 : 0;
}
