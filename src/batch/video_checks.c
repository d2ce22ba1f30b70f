/* Checks and warnings for video: fields of interlaced frames, and pixels that are not square. */
#include "batch/video_checks.h"

#include "chain/video.h"
#include "io/interlaced_fields.h"

#include <string.h>

int gf_video_checks_fields(const struct gf_format *f, const struct gf_writer *w, bool numbered, struct gf_error *err)
{
    if (!f->yuv.fields)
        return 0;
    if (!w->ops->yuv)
        return gf_fail(err, GF_MISUSED,
                       "%s: --interlaced fields needs a Y4M output, which joins two fields into a frame, but this "
                       "is %s; use -t y4m or leave out this option",
                       w->name, w->ops->table != NULL ? "a table" : w->ops->name);
    if (numbered)
        return gf_fail(err, GF_MISUSED,
                       "%s: --interlaced fields needs one Y4M output for all frames; leave {n} out of the name",
                       w->name);
    return 0;
}

/* Returns the length of the name of a stage, in an argument such as blur:2. */
static int name_length(const char *word)
{
    return (int)strcspn(word, ":");
}

/*
 * Returns the first stage that computes a row from several
 * rows, and so mixes both fields; NULL if there is none.
 */
static const char *find_mixing_stage(const struct gf_binding *binding)
{
    const char *last = binding->table ? binding->chain->word[binding->words - 1].text : NULL;

    for (int i = 0; i < binding->links; i++) {
        const struct gf_link *link = &binding->link[i];
        const struct gf_need *need = &link->need;
        const bool looks = need->whole || need->before != 0 || need->after != 0 || need->times != need->per
            || need->carry_bytes > 0;

        if (link->kind != GF_LINK_OP || link->stage == last)     /* counting or comparing does not mix fields */
            continue;
        if (link->op->moves ? !gf_video_is_interlaced(&link->out.yuv) : looks)
            return link->stage;
        if (!gf_video_is_interlaced(&link->out.yuv))
            return link->stage;
    }
    return NULL;
}

/*
 * Returns true if a stage turns rows to columns, which
 * destroys fields: they disappear without scaling.
 */
static bool turns_rows(const struct gf_binding *binding)
{
    for (int i = 0; i < binding->links; i++) {
        const struct gf_link *link = &binding->link[i];

        if (gf_video_is_interlaced(&link->in.yuv) && !gf_video_is_interlaced(&link->out.yuv)
            && link->need.times == link->need.per)
            return true;
    }
    return false;
}

/* Returns true if --interlaced fields would accept this video, these stages and this output. */
static bool could_split(const struct gf_worker *w)
{
    const struct gf_binding *binding = &w->task.binding;

    return !binding->table && w->task.outputs.stored[0].yuv.used && binding->in.yuv.interlace != 'm'
        && !turns_rows(binding)
        && gf_interlaced_fields_problem(&binding->in) == NULL;
}

/*
 * Returns true if 4:2:0 chroma is interpolated over the
 * rows of a frame, which belong to alternating fields.
 */
static bool mixes_chroma(const struct gf_worker *w)
{
    const struct gf_yuv *in = &w->task.binding.in.yuv;

    return !in->mono && in->sub_y > 0 && w->task.outputs.plane[0] == NULL && !w->task.binding.table
        && (w->task.binding.links > 0 || !gf_same_yuv(in, &w->task.outputs.stored[0].yuv));
}

static void warn_interlaced(const struct gf_worker *w, const char *name, struct gf_notices *n)
{
    const char *stage = find_mixing_stage(&w->task.binding);
    const char *advice = could_split(w)
        ? "use --interlaced fields to process each field, or --interlaced off if it is progressive"
        : "deinterlace first, or use --interlaced off if it is progressive";

    if (stage != NULL)
        gf_warn(n, "interlaced", name, "is interlaced, and %.*s mixes rows of both fields; %s", name_length(stage),
                stage, advice);
    else if (mixes_chroma(w))
        gf_warn(n, "interlaced", name, "is interlaced 4:2:0, and the chroma of both fields is mixed; %s", advice);
}

void gf_video_checks_warn(const struct gf_worker *w, const char *name, const char *format, struct gf_notices *n)
{
    const struct gf_format *out = &w->task.binding.out;
    int64_t width, height;

    if (w->task.outputs.planes_note[0] != '\0')
        gf_warn(n, "planes", name, "%s", w->task.outputs.planes_note);
    if (gf_video_is_interlaced(&w->task.binding.in.yuv) && !w->task.binding.in.yuv.fields)
        warn_interlaced(w, name, n);
    if (w->task.binding.table || w->task.outputs.stored[0].yuv.used || !gf_video_is_anamorphic(&w->task.binding.in.yuv)
        || !gf_video_is_anamorphic(&out->yuv))
        return;                          /* a stage that stretches square pixels does so on purpose */
    gf_video_square_size(out, &width, &height);
    if (width == out->width && height == out->units)
        return;                          /* as close to square as integer sizes allow */
    gf_warn(n, "aspect", name,
            "its pixels are not square (%d:%d), which %s cannot store; use resize:%lldx%lld for square pixels",
            out->yuv.aspect[0], out->yuv.aspect[1], format, (long long)width, (long long)height);
}
