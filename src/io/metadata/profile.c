/* Warns about embedded profiles that are lost, or that differ between two images. */
#include "io/metadata/profile.h"

#include "io/metadata/icc.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * Properties of a profile. Finding them takes milliseconds, and most
 * images of a run have the same profile, so the last result is cached.
 */
struct facts {
    bool srgb;                               /* the profile equals sRGB */
    bool curve;                              /* its gray has the curve of sRGB, as in Display P3 */
};

static struct {
    pthread_mutex_t lock;
    unsigned char *icc;
    size_t bytes;
    struct facts facts;
} last = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct facts find_facts(const struct gf_meta *m)
{
    const bool rgb = gf_meta_has_icc_for(m, 3), gray = gf_meta_has_icc_for(m, 1);
    const bool srgb = (gray && gf_icc_is_srgb(m->icc, m->icc_bytes, 1))
                   || (rgb && gf_icc_is_srgb(m->icc, m->icc_bytes, 3));

    return (struct facts) { .srgb = srgb, .curve = srgb || (rgb && gf_icc_is_srgb(m->icc, m->icc_bytes, 1)) };
}

static struct facts facts_of(const struct gf_meta *m)
{
    struct facts facts = { .srgb = true, .curve = true };

    if (m->icc == NULL)
        return facts;
    pthread_mutex_lock(&last.lock);
    if (last.icc == NULL || last.bytes != m->icc_bytes || memcmp(last.icc, m->icc, m->icc_bytes) != 0) {
        free(last.icc);
        last.facts = find_facts(m);
        last.bytes = m->icc_bytes;
        last.icc = malloc(m->icc_bytes);
        if (last.icc != NULL)
            memcpy(last.icc, m->icc, m->icc_bytes);
    }
    facts = last.facts;
    pthread_mutex_unlock(&last.lock);
    return facts;
}

/* Returns true if the samples are sRGB. Images without a profile are assumed to be. */
static bool is_srgb(const struct gf_meta *m)
{
    return facts_of(m).srgb;
}

const char *gf_profile_description(const struct gf_reader *r)
{
    if (r->icc != NULL)
        return ", with a color profile, converted to sRGB";
    if (r->meta.icc == NULL)
        return "";
    return is_srgb(&r->meta) ? ", with a color profile, sRGB" : ", with a color profile";
}

bool gf_profile_same(const struct gf_meta *a, const struct gf_meta *b)
{
    if (a->icc_bytes == b->icc_bytes && (a->icc_bytes == 0 || memcmp(a->icc, b->icc, a->icc_bytes) == 0))
        return true;
    return is_srgb(a) && is_srgb(b);
}

static void warn_profile(const struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w,
                         const struct gf_format *out)
{
    const int colours = gf_colours(out);
    const bool gray = gf_meta_has_icc_for(m, 1), rgb = gf_meta_has_icc_for(m, 3), inks = gf_meta_has_icc_for(m, 4);
    const bool convertible = gf_icc_is_there() && (gray || rgb || r->ops->converts_inks);
    const char *convert = convertible ? "; --icc convert converts the colors to sRGB" : "";

    if (m->icc_bytes == 0 || (w->ops->profile && gf_meta_has_icc_for(m, colours)) || is_srgb(m)
        || (gf_colours(out) == 1 && facts_of(m).curve))
        return;
    if (inks && r->ops->warns_of_inks)       /* its reader has warned */
        return;
    if (!gray && !rgb && !inks)
        gf_warn(r->notices, "damaged-profile", r->name, "its color profile is damaged and is dropped; the samples "
                "are taken as sRGB");
    else if (inks)
        gf_warn(r->notices, NULL, r->name, "its color profile is not used, because it is for CMYK and the samples "
                "are read as %s%s",
                gf_colours(&r->format) == 1 ? "gray" : "RGB", convert);
    else if (!w->ops->profile)
        gf_warn(r->notices, NULL, r->name, "its color profile is lost, because %s cannot store one%s",
                w->ops->name, convert);
    else
        gf_warn(r->notices, NULL, r->name, "its color profile is lost, because it is for %s and the result is "
                "%s%s", gray ? "gray" : "RGB",
                colours == 1 ? "gray" : "RGB", convert);
}

void gf_profile_warn(const struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w,
                     const struct gf_format *out)
{
    const bool *has = m->has_chunk;

    warn_profile(m, r, w, out);
    if (w->ops->colour_chunks)
        return;
    if (has[GF_CHUNK_CICP])
        gf_warn(r->notices, "cicp-lost", r->name, "its color space (chunk cICP) is lost, because %s cannot store "
                "it; the samples are taken as sRGB", w->ops->name);
    else if (has[GF_CHUNK_GAMA] || (has[GF_CHUNK_CHRM] && gf_colours(out) == 3))
        gf_warn(r->notices, "gamma-lost", r->name, "its gamma and primaries (chunks gAMA, cHRM) are lost, because "
                "%s cannot store them%s", w->ops->name,
                gf_icc_is_there() ? "; --icc convert converts the colors to sRGB" : "; the samples are taken as sRGB");
}

void gf_profile_warn_other(struct gf_notices *n, const char *name, const char *beside)
{
    gf_warn(n, "other-profile", beside, "its color profile differs from that of %s%s", name,
            gf_icc_is_there() ? "; --icc convert converts both to sRGB" : "");
}
