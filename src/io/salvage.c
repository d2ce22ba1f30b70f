/*
 * --salvage for inputs that end too early: images are read
 * in advance, so that a truncated one can be dropped.
 */
#include "io/salvage.h"

#include <stdlib.h>
#include <string.h>

int gf_salvage_hold(struct gf_reader *r, int64_t max_bytes, struct gf_error *err)
{
    const struct gf_format f = gf_stored_format(&r->format);
    const size_t unit = gf_unit_bytes(&f);

    if (r->random || r->format.kind != GF_IMAGE)
        return 0;
    if (max_bytes > 0 && f.units > max_bytes / (int64_t)unit)
        return gf_fail(err, GF_FAILED, "%s: --salvage needs more than %lld bytes for one image; raise --max-memory",
                       r->name, (long long)max_bytes);
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

bool gf_salvage_drops(const struct gf_reader *r, const struct gf_source *s, int64_t images, const struct gf_error *err)
{
    const bool over = err->cut || (s->random ? s->position >= s->size : s->ended && s->ahead_start == s->ahead_end);

    if (!r->salvage || r->format.kind != GF_IMAGE || images == 0 || !over || err->damaged)
        return false;
    gf_warn(r->notices, "salvaged", r->name,
            "ends within image %lld, which is dropped; %lld complete image%s kept", (long long)images + 1,
            (long long)images, images == 1 ? " is" : "s are");
    return true;
}

int gf_salvage_fail_frames(const struct gf_reader *r, int64_t frames, int64_t stated, struct gf_error *err)
{
    if (frames == 0)
        return gf_fail(err, GF_FAILED, "%s: ends before its first frame; there is nothing to salvage", r->name);
    if (stated <= 0)
        return gf_fail(err, GF_FAILED,
                       "%s: ends after frame %lld, in the middle of its stream; --salvage reads what is there", r->name,
                       (long long)frames);
    return gf_fail(err, GF_FAILED, "%s: ends after frame %lld of %lld; --salvage reads what is there", r->name,
                   (long long)frames, (long long)stated);
}

int gf_salvage_frames(const struct gf_reader *r, int64_t frames, int64_t stated, struct gf_error *err)
{
    const double rate = r->format.rate;

    if (frames == 0)
        return gf_salvage_fail_frames(r, frames, stated, err);
    if (stated > 0)
        gf_warn(r->notices, "salvaged", r->name, "ends after %.3f s of %.3f s; the rest is missing",
                (double)frames / rate, (double)stated / rate);
    else
        gf_warn(r->notices, "salvaged", r->name, "ends after %.3f s, in the middle of its stream; the rest is missing",
                (double)frames / rate);
    return 0;
}
