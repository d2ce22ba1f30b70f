/* Prints the plan for people: the input, the passes, why each pass ends, and the memory needed. */
#include "plan/explain.h"

#include "base/spool.h"
#include "base/words.h"
#include "chain/binding.h"

#include <stdio.h>
#include <string.h>

static const char *yuv_word(const struct gf_yuv *y)
{
    if (y->mono)
        return "luma";
    return y->sub_y ? "4:2:0" : y->sub_x == 2 ? "4:1:1" : y->sub_x == 1 ? "4:2:2" : "4:4:4";
}

void gf_explain_format(const struct gf_format *f, char *text)
{
    static const char *const colours[] = { "gray", "gray+alpha", "rgb", "rgba" };
    char length[40] = "unknown length", many[24];

    snprintf(many, sizeof many, "%d channels", f->channels);
    if (f->kind == GF_IMAGE) {
        const int n = snprintf(text, 100, "%lldx%lld %s %s", (long long)f->width, (long long)f->units,
                               f->channels >= 1 && f->channels <= 4 ? colours[f->channels - 1] : many,
                               gf_type_word(f));

        if (f->yuv.used)
            snprintf(text + n, 100 - (size_t)n, ", stored as %s, %d bits, %s range%s", yuv_word(&f->yuv), f->yuv.bits,
                     f->yuv.full ? "full" : "limited", f->yuv.fields ? ", each field" : "");
        return;
    }
    if (f->units != GF_UNKNOWN)
        snprintf(length, sizeof length, "%lld frames", (long long)f->units);
    snprintf(text, 100, "%d Hz, %d channel%s %s, %s", f->rate, f->channels, f->channels == 1 ? "" : "s",
             gf_type_word(f), length);
}

static const char *end_word(const struct gf_pass_end *store, bool source)
{
    switch (store->end) {
    case GF_END_FILE: return source ? "input" : "output";
    case GF_END_RESIDENT:
        if (store->spooled)
            return store->planar ? "disk (floats)" : "disk (as stored)";
        return store->planar ? "memory (floats)" : "memory (as stored)";
    default: return "nothing (measures only)";
    }
}

static void explain_need(const struct gf_need *need, const char *word, FILE *to)
{
    if (need->whole)
        fprintf(to, ", needs its whole input");
    else if (need->before != 0 || need->after != 0)
        fprintf(to, ", needs %lld %s before and %lld after", (long long)need->before, word, (long long)need->after);
    if (need->carry_bytes > 0)
        fprintf(to, ", one segment after another");
}

static void explain_step(const struct gf_step *s, const struct gf_binding *binding, bool cuda, FILE *to)
{
    const struct gf_operation *op = gf_step_op(s);
    const int in = gf_point_count(gf_step_load(s)), out = gf_point_count(gf_step_store(s));
    char text[100] = "";

    if (op->describe != NULL)
        op->describe(gf_step_params(s), cuda, text, sizeof text);
    fprintf(to, "    %-9s %s%s", op->word, gf_step_stage(s), text);
    if (s->frames.used)
        fprintf(to, ", window of %d frames", gf_step_window(s));
    if (s->side.used)
        fprintf(to, ", second image %s", binding->options.side[s->side.number].file);
    explain_need(&s->need, gf_units_word(s->in.kind), to);
    if (s->history_units > 0)
        fprintf(to, "; keeps %lld %s for the next segment", (long long)s->history_units, gf_units_word(s->in.kind));
    if (s->lead_units > 0)
        fprintf(to, ", discards the first %lld %s (warm-up)", (long long)s->lead_units, gf_units_word(s->in.kind));
    if (in > 0 && !op->only_programs)
        fprintf(to, ", %d point step%s on the way in", in, in == 1 ? "" : "s");
    if (out > 0)
        fprintf(to, ", %d point step%s on the way out", out, out == 1 ? "" : "s");
    if (op->only_programs)
        fprintf(to, " (%d point step%s)", in, in == 1 ? "" : "s");
    fputc('\n', to);
}

static void explain_pass(const struct gf_plan *plan, const struct gf_binding *binding, int p, int number, FILE *to)
{
    const struct gf_pass *pass = plan->pass[p];
    const char *word = gf_units_word(plan->in.kind);
    static const char *const planes[] = { "", " (luma)", " (chroma Cb)", " (chroma Cr)" };
    char resident[40];

    if (gf_pass_is_idle(pass)) {
        fprintf(to, "pass %d: nothing to do, the input is read again\n", number);
        return;
    }
    fprintf(to, "pass %d%s: %s to %s\n", number, planes[pass->plane], end_word(&pass->from, true),
            pass->exit > 0 ? binding->exit[pass->exit].file : end_word(&pass->to, false));
    for (int k = 0; k < pass->steps; k++)
        explain_step(&pass->step[k], binding, plan->cuda, to);
    if (pass->measure.used)
        fprintf(to, "    %-9s %s, needs the whole signal first\n", gf_step_op(&pass->step[pass->steps])->word,
                gf_step_stage(&pass->step[pass->steps]));
    fprintf(to, "    segments of %lld %s", (long long)pass->segment_units, word);
    if (!plan->cuda && pass->steps > 0)
        fprintf(to, ", %lld at a time", (long long)pass->strip_units);
    fprintf(to, ", %d lane%s", pass->lanes, pass->lanes == 1 ? "" : "s");
    if (pass->resident_bytes > 0) {
        gf_bytes_text((int64_t)pass->resident_bytes, resident);
        fprintf(to, ", %s kept%s%s", resident, pass->to.spooled ? " in " : "",
                pass->to.spooled ? gf_spool_folder() : "");
    }
    fputc('\n', to);
}

/* Prints the longest wait of a frame: its segment, what the steps look ahead, and the encoder's block. */
static void explain_latency(const struct gf_plan *plan, double gathered, FILE *to)
{
    double segment = 0, ahead = 0;

    for (int p = 0; p < plan->passes; p++) {
        const struct gf_pass *pass = plan->pass[p];

        if (pass->steps > 0 && pass->to.format.rate > 0)
            segment += (double)pass->segment_units / pass->to.format.rate;
        for (int k = 0; k < pass->steps; k++) {
            const struct gf_step *s = &pass->step[k];

            ahead += (double)s->need.after / s->in.rate
                     + (s->need.grain > 1 ? (double)(s->need.grain - 1) / s->out.rate : 0);
        }
    }
    if (gathered < 0)
        fprintf(to,
                "latency: no limit: %.4g s a segment, %.4g s that steps look ahead, and the blocks of the output's "
                "format\n", segment, ahead);
    else if (gathered > 0)
        fprintf(to,
                "latency: %.4g s at most: %.4g s a segment, %.4g s that steps look ahead, %.4g s in a "
                "block of the output's format\n",
                segment + ahead + gathered, segment, ahead, gathered);
    else
        fprintf(to, "latency: %.4g s at most: %.4g s a segment, %.4g s that steps look ahead\n", segment + ahead,
                segment, ahead);
}

/* Prints for how many frames of a video each one waits. */
static void explain_frames_ahead(const struct gf_plan *plan, FILE *to)
{
    const int *const rate = plan->in.yuv.rate;
    int ahead = 0;

    for (int p = 0; p < plan->passes; p++)
        for (int k = 0; k < plan->pass[p]->steps; k++)
            if (plan->pass[p]->step[k].frames.after > ahead)
                ahead = plan->pass[p]->step[k].frames.after;
    if (ahead == 0)
        return;
    fprintf(to, "latency: a frame waits for %d after it", ahead);
    if (rate[0] > 0)
        fprintf(to, ", %.4g s", (double)ahead * rate[1] / rate[0]);
    fputc('\n', to);
}

static const char *rates_word(bool measured)
{
    return measured ? "measured" : "assumed";
}

/* Writes "0.012 s by measured rates". */
static void estimate_text(double seconds, bool measured, char *text, size_t room)
{
    if (seconds < 0.001)
        snprintf(text, room, "under 1 ms by %s rates", rates_word(measured));
    else
        snprintf(text, room, "%.3f s by %s rates", seconds, rates_word(measured));
}

static void explain_estimates(const struct gf_plan *plan, const struct gf_explain_batch *batch, FILE *to)
{
    const bool known = plan->in.units != GF_UNKNOWN, both = plan->cuda_seconds > 0 && plan->cpu_seconds > 0;
    char cpu[60], cuda[60], share[60] = "";

    if (!both && !(plan->cpu_seconds > 0 && known))
        return;
    if (batch->files > 1)
        snprintf(share, sizeof share, " for one of %d files", batch->files);
    estimate_text(plan->cpu_seconds, plan->cpu_measured, cpu, sizeof cpu);
    estimate_text(plan->cuda_seconds, plan->cuda_measured, cuda, sizeof cuda);
    if (both)
        fprintf(to, "        estimates%s%s: cpu %s, cuda %s\n", share, known ? "" : ", assuming a very long input",
                cpu, cuda);
    else
        fprintf(to, "        estimate%s: %s\n", share, cpu);
    if (both && plan->start_seconds > plan->cuda_seconds / 2
        && plan->cuda_seconds - plan->start_seconds < plan->cpu_seconds)
        fprintf(to, "        the start of the GPU is %.3f s of that; --stay 60 keeps it ready for the next runs\n",
                plan->start_seconds);
}

/* Prints the second image of a step and where its samples are kept. */
static void explain_side(const struct gf_side *side, FILE *to)
{
    char text[100], bytes[40];

    gf_explain_format(&side->format, text);
    gf_bytes_text(side->format.units * (int64_t)gf_unit_bytes(&side->format), bytes);
    fprintf(to, "second image: %s, %s, %s in %s\n", side->file, text, bytes,
            side->on_disk ? gf_spool_folder() : "memory");
}

static void explain_original(const struct gf_format *f, FILE *to)
{
    const struct gf_original *o = &f->original;

    if (o->shrunk > 1)
        fprintf(to, "        decoded at 1/%d of %lldx%lld\n", o->shrunk, (long long)o->width, (long long)o->units);
    else if (o->width > 0)
        fprintf(to, "        the part at +%lld+%lld of %lldx%lld; the rest is not decoded\n", (long long)o->x,
                (long long)o->y, (long long)o->width, (long long)o->units);
}

/* Says whether video is filtered in its planes, and otherwise why not. */
static void explain_video(const struct gf_plan *plan, const struct gf_binding *binding,
                          const struct gf_outputs *outputs,
                          FILE *to)
{
    const struct gf_yuv *in = &plan->in.yuv, *out = &plan->out.yuv;

    if (!in->used || binding->links == 0)
        return;
    fprintf(to, "video:  %s", outputs->plane[0] != NULL ? "filtered in its planes"
            : "converted to red, green and blue");
    if (outputs->planes_stage != NULL)
        fprintf(to, " for %s", outputs->planes_stage);
    if (outputs->plane[0] == NULL && out->used && !out->mono && in->matrix != out->matrix)
        fprintf(to, ", from BT.%d to BT.%d because of the new height", in->matrix, out->matrix);
    fputc('\n', to);
}

static void explain_tiles(const struct gf_binding *binding, FILE *to)
{
    const struct gf_tiling *t = &binding->tiling;

    if (t->width > 0)
        fprintf(to, "tiles:  %lld columns and %lld rows of %lldx%lld, overlap %lld\n",
                (long long)gf_tiling_columns(t, binding->out.width), (long long)gf_tiling_rows(t, binding->out.units),
                (long long)t->width, (long long)t->height, (long long)t->overlap);
}

void gf_explain(const struct gf_plan *plan, const struct gf_binding *binding, const struct gf_outputs *outputs,
                const char *file, double gathered, const struct gf_explain_batch *batch, FILE *to)
{
    char text[100], bytes[40];

    gf_explain_format(&plan->in, text);
    fprintf(to, "input:  %s%s\n", text, file);
    explain_original(&plan->in, to);
    for (int i = 0; i < binding->options.sides; i++)
        explain_side(&binding->options.side[i], to);
    gf_explain_format(&plan->out, text);
    fprintf(to, "output: %s\n", plan->pass[plan->passes - 1]->to.end == GF_END_NOWHERE ? "a table" : text);
    explain_tiles(binding, to);
    explain_video(plan, binding, outputs, to);
    fprintf(to, "device: %s, %s\n", plan->cuda ? "cuda" : "cpu", plan->why);
    explain_estimates(plan, batch, to);
    for (int p = 0; p < plan->passes; p++)
        explain_pass(plan, binding, p, batch->passes + p + 1, to);
    if (plan->latency_ms > 0 && plan->in.kind == GF_AUDIO)
        explain_latency(plan, gathered, to);
    else if (plan->latency_ms > 0)
        explain_frames_ahead(plan, to);
    gf_bytes_text(plan->host_bytes, bytes);
    fprintf(to, "memory: %s on the host", bytes);
    if (batch->frames > 0) {
        gf_bytes_text(batch->frame_bytes, bytes);
        fprintf(to, ", %s for a window of %d frame%s", bytes, batch->frames,
                batch->frames == 1 ? "" : "s");
    }
    if (plan->cuda) {
        gf_bytes_text(plan->device_bytes, bytes);
        fprintf(to, ", %s on the device", bytes);
    }
    if (batch->at_once > 1)
        fprintf(to, ", for each of %d files at a time", batch->at_once);
    fputc('\n', to);
}
