/* What becomes of embedded profiles: one that gets lost, or stands beside another, is told. */
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

bool gf_profile_is_lost(const struct gf_reader *r, const struct gf_writer *w, const struct gf_format *out)
{
    return !w->ops->profile && w->ops->kind == GF_IMAGE && !w->options.strip && !gf_term_is_meant(w->options.to)
        && gf_meta_has_icc_for(&r->meta, gf_colours(out)) && !is_srgb(&r->meta);
}

bool gf_profile_same(const struct gf_meta *a, const struct gf_meta *b)
{
    if (a->icc_bytes == b->icc_bytes && (a->icc_bytes == 0 || memcmp(a->icc, b->icc, a->icc_bytes) == 0))
        return true;
    return is_srgb(a) && is_srgb(b);
}

void gf_profile_warn_lost(const struct gf_reader *r, const struct gf_writer *w)
{
    gf_warn(r->notices, "profile-lost", r->name, "its colour profile is lost, %s cannot store one%s", w->ops->name,
            gf_icc_is_there() ? "; --icc convert converts the colours to sRGB" : "");
}

void gf_profile_warn_other(const struct gf_reader *r, const char *beside)
{
    gf_warn(r->notices, "other-profile", beside, "its colour profile differs from that of %s%s", r->name,
            gf_icc_is_there() ? "; --icc convert converts both to sRGB" : "");
}
