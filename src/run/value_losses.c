/* Finds values that an output cannot store, and warns about them. */
#include "run/value_losses.h"

#include <math.h>
#include <stdio.h>

#define LOSSY_PEAK 2.0                       /* 6 dB above full scale */
#define LOSSY_SHARE 0.02                     /* of the samples, as in music that was clipped before it was encoded */

/* Returns what an output stored as `stored` loses of the signal at an exit. */
static unsigned lost_in(const struct gf_binding *binding, const struct gf_exit *exit, const struct gf_format *stored)
{
    unsigned lost = 0;

    if (gf_type_is_float(binding->in.type) && !gf_type_is_float(stored->type))
        lost |= exit->ranged ? GF_WATCH_NUMBERS : GF_WATCH_NUMBERS | GF_WATCH_RANGE;
    if (binding->in.alpha && exit->format.alpha && !stored->alpha)
        lost |= GF_WATCH_ALPHA;
    return lost;
}

unsigned gf_value_losses_choose(const struct gf_binding *binding, const struct gf_outputs *outputs)
{
    unsigned watched = 0;

    if (binding->in.yuv.used)
        return 0;
    if (binding->binned != NULL && gf_type_is_float(binding->in.type))
        watched |= GF_WATCH_NUMBERS | GF_WATCH_RANGE;
    for (int k = outputs->table || outputs->shown; k < binding->exits; k++)
        watched |= lost_in(binding, &binding->exit[k], &outputs->stored[k]);
    return watched;
}

/* Returns what an output loses of a second image that stage `from` reads. */
static unsigned side_lost_in(const struct gf_binding *binding, int from, const struct gf_exit *exit,
                             const struct gf_format *stored)
{
    if (exit->words <= from || gf_type_is_float(stored->type))
        return 0;
    for (int i = from; i < exit->words; i++)
        if (binding->chain->word[i].stage[GF_IMAGE]->range != GF_RANGE_KEPT)
            return GF_WATCH_NUMBERS;
    return GF_WATCH_NUMBERS | GF_WATCH_RANGE;
}

unsigned gf_value_losses_choose_side(const struct gf_binding *binding, const struct gf_outputs *outputs,
                                     const struct gf_side *side)
{
    unsigned lost = 0;

    for (int k = outputs->table || outputs->shown; k < binding->exits; k++)
        lost |= side_lost_in(binding, side->word, &binding->exit[k], &outputs->stored[k]);
    return lost;
}

/* Writes a share of the samples with two digits: "12%", "0.03%". */
static void share_text(const struct gf_watch *w, char *text, size_t bytes)
{
    const double share = (double)w->outside / (double)w->samples;

    snprintf(text, bytes, share >= 0.995 ? "%.3g%%" : "%.2g%%", 100 * share);
}

static void warn_image(const struct gf_watch *w, struct gf_notices *n, const struct gf_binding *binding,
                       const char *name)
{
    const double least = (double)w->least, most = (double)w->most;
    char share[32];

    share_text(w, share, sizeof share);
    if (binding->binned != NULL)
        gf_warn(n, "outside", name, "%s of the samples lie outside 0 to 1 (%.4g to %.4g), and %s counts them in its "
                "outermost bins; to include them, put normalize before it or give it range=%.4g,%.4g",
                share, least, most, binding->binned, least, most);
    else
        gf_warn(n, "outside", name,
                "%s of the samples lie outside 0 to 1 (%.4g to %.4g) and are clipped; to keep them, "
                "begin with normalize or levels:%.4g,%.4g; to clip them without a warning, add clamp",
                share, least, most, least, most);
}

/* A lossy decoder slightly exceeds full scale for loud music; that is no fault of the file. */
static bool is_overshoot(const struct gf_watch *w)
{
    return w->lossy && (double)w->most <= LOSSY_PEAK && (double)w->least >= -LOSSY_PEAK
        && (double)w->outside <= LOSSY_SHARE * (double)w->samples;
}

/* The kind is that of gf_clipping_warn(), so that clipped samples are named once. */
static void warn_audio(const struct gf_watch *w, struct gf_notices *n, const struct gf_binding *binding,
                       const char *name)
{
    const double above_db = 20 * log10(fmax((double)w->most, -(double)w->least)), lower_db = ceil(10 * above_db) / 10;
    char share[32];

    if (is_overshoot(w))
        return;
    share_text(w, share, sizeof share);
    if (binding->binned != NULL)
        gf_warn(n, "clipped", name,
                "%s of the samples lie outside -1 to 1 (up to %.1f dB above full scale), and %s counts "
                "them in its outermost bins; to include them, put gain:-%.1f or normalize before it",
                share, above_db, binding->binned, lower_db);
    else
        gf_warn(n, "clipped", name,
                "%s of the samples lie outside -1 to 1 (up to %.1f dB above full scale) and are clipped; "
                "to keep them, begin with gain:-%.1f, limit:-1 or normalize:-1; to clip them without a warning, add "
                "clamp:-1,1",
                share, above_db, lower_db);
}

#define OVER_BLACK "transparent pixels become black; to make them white, end the chain with alpha:off,bg=white"

void gf_value_losses_warn_clears(struct gf_notices *n, const char *name, const char *stage, const char *format)
{
    gf_warn(n, "alpha-lost", name, "%s makes transparent pixels, and %s has no alpha: " OVER_BLACK, stage, format);
}

void gf_value_losses_warn(struct gf_watch *w, struct gf_notices *n, const struct gf_binding *binding, const char *name,
                          const char *format)
{
    pthread_mutex_lock(&w->lock);
    if (w->outside > 0)
        (w->audio ? warn_audio : warn_image)(w, n, binding, name);
    if (w->not_numbers > 0)
        gf_warn(n, "not-numbers", name, "%lld sample%s not finite; NaN %s as 0, infinity as the end of the range",
                (long long)w->not_numbers, w->not_numbers == 1 ? " is" : "s are",
                    binding->binned != NULL ? "is counted" : "is stored");
    if (w->clear)
        gf_warn(n, "alpha-lost", name, "%s has no alpha: " OVER_BLACK, format != NULL ? format : "an output");
    pthread_mutex_unlock(&w->lock);
}

void gf_value_losses_warn_side(struct gf_watch *w, struct gf_notices *n, const struct gf_binding *binding,
                               unsigned lost, const struct gf_side *side, const char *name)
{
    char share[32], kind[300];
    double least, most;

    pthread_mutex_lock(&w->lock);
    least = (double)w->least;
    most = (double)w->most;
    if (w->outside > 0 && (lost & GF_WATCH_RANGE) != 0) {
        share_text(w, share, sizeof share);
        snprintf(kind, sizeof kind, "outside %s", side->file);
        gf_warn(n, kind, name,
                "%s of the samples of %s lie outside 0 to 1 (%.4g to %.4g), so the result of %s is "
                "clipped; to keep its values, convert that file with normalize or levels:%.4g,%.4g first; "
                "to clip without a warning, add clamp after the stage",
                share, side->name, least, most, binding->chain->word[side->word].text, least, most);
    }
    if (w->not_numbers > 0 && (lost & GF_WATCH_NUMBERS) != 0) {
        snprintf(kind, sizeof kind, "not-numbers %s", side->file);
        gf_warn(n, kind, name,
                "%lld sample%s of %s %s not finite; NaN is stored as 0, infinity as the end of the range",
                (long long)w->not_numbers, w->not_numbers == 1 ? "" : "s", side->name,
                w->not_numbers == 1 ? "is" : "are");
    }
    pthread_mutex_unlock(&w->lock);
}
