/*
 * --salvage for inputs that end too early: images are read
 * in advance, so that a truncated one can be dropped.
 */
#include "io/salvage.h"

#include "base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int gf_salvage_hold(struct gf_reader *r, int64_t max_bytes, struct gf_error *err)
{
    const struct gf_format f = gf_stored_format(&r->format);
    const size_t unit = gf_unit_bytes(&f);

    if (r->random || r->format.kind != GF_IMAGE)
        return 0;
    if (max_bytes > 0 && f.units > max_bytes / (int64_t)unit)
        return gf_fail_limit(err, r->name, "an image with --salvage ", f.units * (int64_t)unit, max_bytes,
                                    "--max-memory");
    r->salvaged = malloc((size_t)f.units * unit);
    if (r->salvaged == NULL)
        return gf_fail_memory(err, r->name);
    for (int64_t done = 0, got; done < f.units; done += got) {
        got = r->ops->read(r, r->salvaged + (size_t)done * unit, f.units - done, err);
        if (got <= 0) {
            gf_salvage_release(r);
            return got < 0 ? -1 : gf_fail_cut(err, "%s: ends too early", r->name);
        }
    }
    r->salvaged_unit = 0;
    r->random = r->passing = true;
    return 0;
}

void gf_salvage_read_at(const struct gf_reader *r, int64_t start, void *units, int64_t count)
{
    const struct gf_format f = gf_stored_format(&r->format);
    const size_t unit = gf_unit_bytes(&f);

    memcpy(units, r->salvaged + (size_t)start * unit, (size_t)count * unit);
}

int64_t gf_salvage_read(struct gf_reader *r, void *units, int64_t count)
{
    const int64_t left = gf_stored_format(&r->format).units - r->salvaged_unit;

    if (count > left)
        count = left;
    gf_salvage_read_at(r, r->salvaged_unit, units, count);
    r->salvaged_unit += count;
    return count;
}

void gf_salvage_release(struct gf_reader *r)
{
    if (r->salvaged == NULL)
        return;
    free(r->salvaged);
    r->salvaged = NULL;
    r->random = r->passing = false;
}

bool gf_salvage_drops(const struct gf_reader *r, const struct gf_source *s, int64_t images, struct gf_error *err)
{
    const bool over = err->cause == GF_CAUSE_CUT
        || (s->random ? s->position >= s->size : s->ended && s->ahead_start == s->ahead_end);

    if (!r->salvage || r->format.kind != GF_IMAGE || !over || err->cause == GF_CAUSE_DAMAGED)
        return false;
    if (images == 0) {
        gf_error_advise_shell(err, "--salvage keeps complete images, and there is none; convert FILE png:- | "
                                   "gpufilter ... fills in what is missing");
        return false;
    }
    gf_warn_loss(r->notices, "salvaged", r->name,
                 "ends within image %lld, which is dropped; %lld complete image%s kept", (long long)images + 1,
                 (long long)images, images == 1 ? " is" : "s are");
    return true;
}

/* Writes a place of audio: "frame 81920 of 144000 (1.707 s of 3.000 s)". `stated` is 0 if it is unknown. */
static void place_text(const struct gf_reader *r, int64_t frames, int64_t stated, char text[120])
{
    const double rate = r->format.rate;

    if (stated > 0)
        snprintf(text, 120, "frame %lld of %lld (%.3f s of %.3f s)", (long long)frames, (long long)stated,
                 (double)frames / rate, (double)stated / rate);
    else
        snprintf(text, 120, "frame %lld (%.3f s), in the middle of its stream", (long long)frames,
                 (double)frames / rate);
}

int gf_salvage_fail_frames(const struct gf_reader *r, int64_t frames, int64_t stated, struct gf_error *err)
{
    char place[120];

    if (frames == 0)
        return gf_fail(err, GF_FAILED, "%s: ends before its first frame; there is nothing to salvage", r->name);
    place_text(r, frames, stated, place);
    return gf_fail(err, GF_FAILED, "%s: ends after %s;; --salvage reads what is there", r->name, place);
}

int gf_salvage_frames(const struct gf_reader *r, int64_t frames, int64_t stated, struct gf_error *err)
{
    char place[120];

    if (frames == 0)
        return gf_salvage_fail_frames(r, frames, stated, err);
    place_text(r, frames, stated, place);
    gf_warn_loss(r->notices, "salvaged", r->name, "ends after %s; the rest is missing", place);
    return 0;
}

int gf_salvage_damaged(const struct gf_reader *r, int64_t frames, int64_t stated, struct gf_error *err)
{
    char place[120];

    if (frames == 0)
        return gf_fail(err, GF_FAILED, "%s: is damaged before its first frame; there is nothing to salvage", r->name);
    place_text(r, frames, stated, place);
    if (!r->salvage)
        return gf_fail(err, GF_FAILED, "%s: is damaged after %s;; --salvage reads what is before the damage", r->name,
                       place);
    gf_warn_loss(r->notices, "salvaged", r->name, "is damaged after %s; the rest is left out", place);
    return 0;
}

int gf_salvage_moved(const struct gf_reader *r, int64_t frames, int64_t stated, struct gf_error *err)
{
    const double rate = r->format.rate;
    char what[160];

    if (frames == 0)
        return gf_salvage_damaged(r, frames, stated, err);
    if (stated > 0)
        snprintf(what, sizeof what, "%lld of %lld frames are missing within it (%.3f s of %.3f s)",
                 (long long)(stated - frames), (long long)stated, (double)(stated - frames) / rate,
                 (double)stated / rate);
    else
        snprintf(what, sizeof what, "frames are missing at its beginning, and %lld are left (%.3f s)",
                 (long long)frames, (double)frames / rate);
    if (!r->salvage)
        return gf_fail(err, GF_FAILED, "%s: is damaged: %s;; --salvage reads the others", r->name, what);
    gf_warn_loss(r->notices, "salvaged", r->name, "is damaged: %s; later ones come too early", what);
    return 0;
}
