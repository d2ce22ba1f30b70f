/* --untrusted: only readers that are hardened against hostile input. */
#include "io/hardened.h"

#include "io/format.h"

static bool required;

void gf_hardened_require(void)
{
    required = true;
}

bool gf_hardened_is_required(void)
{
    return required;
}

static bool is_hardened(const struct gf_file_format *f, unsigned unused)
{
    (void)unused;
    return f->hardened;
}

int gf_hardened_check(const struct gf_source *s, const char *what, bool hardened, struct gf_error *err)
{
    char titles[300];

    if (!required || hardened)
        return 0;
    gf_file_format_titles(is_hardened, 0, titles, sizeof titles);
    return gf_fail(err, GF_FAILED, "%s: is %s, which --untrusted does not read; it reads %s", s->name, what, titles);
}
