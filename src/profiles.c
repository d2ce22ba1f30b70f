/* What becomes of embedded profiles: warnings about one that is lost, or that differs from another. */
#include "profiles.h"

#include <string.h>

#include "io/icc.h"

/* Whether its samples are sRGB, as those of a picture are that tells of no profile. */
static bool is_srgb(const struct gf_meta *m)
{
    return m->icc == NULL || (gf_meta_has_icc_for(m, 1) && gf_icc_is_srgb(m->icc, m->icc_bytes, 1))
        || (gf_meta_has_icc_for(m, 3) && gf_icc_is_srgb(m->icc, m->icc_bytes, 3));
}

const char *gf_profile_words(const struct gf_reader *r)
{
    if (r->icc != NULL)
        return ", with a colour profile, converted to sRGB";
    if (r->meta.icc == NULL)
        return "";
    return is_srgb(&r->meta) ? ", with a colour profile, sRGB" : ", with a colour profile";
}

bool gf_profile_same(const struct gf_meta *a, const struct gf_meta *b)
{
    if (a->icc_bytes == b->icc_bytes && (a->icc_bytes == 0 || memcmp(a->icc, b->icc, a->icc_bytes) == 0))
        return true;
    return is_srgb(a) && is_srgb(b);
}

/* Whether gray made of these colours is gray of sRGB: that is so if the profile's curve is that of sRGB, as in Display P3. */
static bool has_srgb_curve(const struct gf_meta *m)
{
    return gf_meta_has_icc_for(m, 3) && gf_icc_is_srgb(m->icc, m->icc_bytes, 1);
}

static void warn_profile(const struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w, const struct gf_format *out)
{
    const int colours = w->ops->no_gray ? 3 : gf_colours(out);
    const char *convert = gf_icc_is_there() ? "; --icc convert converts the colours to sRGB" : "";

    if (m->icc_bytes == 0 || (w->ops->profile && gf_meta_has_icc_for(m, colours)) || is_srgb(m) || (gf_colours(out) == 1 && has_srgb_curve(m)))
        return;
    if (!w->ops->profile)
        gf_warn(r->notices, "profile-lost", r->name, "its colour profile is lost, %s cannot store one%s", w->ops->name, convert);
    else
        gf_warn(r->notices, "profile-lost", r->name, "its colour profile is lost, it is for %s and the result is %s%s",
                gf_meta_has_icc_for(m, 1) ? "gray" : gf_meta_has_icc_for(m, 3) ? "RGB" : "other colours", colours == 1 ? "gray" : "RGB", convert);
}

void gf_profile_warn(const struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w, const struct gf_format *out)
{
    const bool *has = m->has_chunk;

    warn_profile(m, r, w, out);
    if (w->ops->colour_chunks)
        return;
    if (has[GF_CHUNK_CICP])
        gf_warn(r->notices, "cicp-lost", r->name, "its colour space (chunk cICP) is lost, %s cannot store it; the samples are taken as sRGB",
                w->ops->name);
    else if (has[GF_CHUNK_GAMA] || (has[GF_CHUNK_CHRM] && gf_colours(out) == 3))
        gf_warn(r->notices, "gamma-lost", r->name, "its gamma and primaries (chunks gAMA, cHRM) are lost, %s cannot store them%s", w->ops->name,
                gf_icc_is_there() ? "; --icc convert converts the colours to sRGB" : "; the samples are taken as sRGB");
}

void gf_profile_warn_other(const struct gf_reader *r, const char *beside)
{
    gf_warn(r->notices, "other-profile", beside, "its colour profile differs from that of %s%s", r->name,
            gf_icc_is_there() ? "; --icc convert converts both to sRGB" : "");
}
