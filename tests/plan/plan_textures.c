/* The plans that read through textures. */
#include <stdlib.h>

#include "kernels/geometry/sample.h"
#include "kernels/operations.h"
#include "plan_common.h"

/* Returns whether the last sampling of a plan uses textures. `what` names the case. */
static bool uses_textures(const struct gf_format *in, const char *const *words, const char *what)
{
    const struct gf_pass *last;
    const struct gf_sample *s;
    struct gf_fixture f;
    bool textures;

    gf_plan_begin(&f, in, GF_CUDA, &gf_some_gpu, &gf_free_limits, words);
    last = f.plan->pass[f.plan->passes - 1];
    gf_ok(f.result == 0 && last->steps > 0 && gf_step_op(&last->step[0]) == &gf_op_sample, "a sampling for %s", what);
    s = gf_step_params(&last->step[0]);
    gf_ok(s->coarse == (in->type == GF_U8 && s->interpolation == GF_LINEAR),
          "fractions are rounded for bytes alone, for %s", what);
    textures = s->textures;
    gf_plan_end(&f);
    return textures;
}

static void has(const struct gf_format *in, const char *const *words, bool textures, const char *what)
{
    gf_ok(uses_textures(in, words, what) == textures, "%s for %s", textures ? "a texture" : "no texture", what);
}

void gf_test_textures(void)
{
    struct gf_format wide = gf_picture, floats = gf_picture, deep = gf_picture, gray = gf_picture;

    wide.width = 600000, wide.units = 4;
    floats.type = GF_F32;
    deep.type = GF_U16, deep.maxval = 1023;
    gray.channels = 1;
    has(&gf_picture, WORDS("gray", "blur:2", "rotate:30"), true, "gray, blurred");
    has(&gf_picture, WORDS("gray", "sharpen", "rotate:30"), true, "values beyond 0 to 1");
    has(&gf_picture, WORDS("gray", "blur:2,edge=zero", "rotate:30,edge=clamp"), true, "an edge that repeats pixels");
    has(&gf_picture, WORDS("blur:2", "rotate:30"), false, "several planes");
    has(&gf_picture, WORDS("rotate:30"), false, "pixels of three bytes");
    has(&gray, WORDS("rotate:30"), false, "pixels of a byte");
    has(&floats, WORDS("gray", "rotate:30"), false, "results in floats");
    has(&deep, WORDS("gray", "rotate:30"), false, "results in 16 bits");
    has(&wide, WORDS("gray", "blur:2", "rotate:1,fit=keep"), false, "rows beyond the limit of textures");
    has(&gf_picture, WORDS("gray", "blur:2", "rotate:30,filter=cubic"), false, "cubic interpolation");
    has(&gf_picture, WORDS("gray", "blur:2", "rotate:30,edge=wrap"), false, "an edge that repeats the image");
}
