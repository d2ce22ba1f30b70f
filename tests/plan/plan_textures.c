/* The plans that read through textures. */
#include <stdlib.h>

#include "kernels/geometry/sample.h"
#include "kernels/operations.h"
#include "plan_common.h"

/* Returns whether the last sampling of a plan uses textures. */
static bool uses_textures(const struct gf_format *in, const char *const *words)
{
    const struct gf_pass *last;
    const struct gf_sample *s;
    struct gf_fixture f;
    bool textures;

    gf_plan_begin(&f, in, GF_CUDA, &gf_some_gpu, &gf_free_limits, words);
    last = f.plan->pass[f.plan->passes - 1];
    gf_ok(f.result == 0 && last->steps > 0 && gf_step_op(&last->step[0]) == &gf_op_sample, "%s",
          words[0]);
    s = gf_step_params(&last->step[0]);
    gf_ok(s->coarse == (in->type == GF_U8 && s->interpolation == GF_LINEAR),
          "fractions are rounded for bytes, for any values");
    textures = s->textures;
    gf_plan_end(&f);
    return textures;
}

#define TEXTURES(...) uses_textures(&gf_picture, WORDS(__VA_ARGS__))

void gf_test_textures(void)
{
    struct gf_format wide = gf_picture, floats = gf_picture, deep = gf_picture;

    wide.width = 600000, wide.units = 4;
    floats.type = GF_F32;
    deep.type = GF_U16, deep.maxval = 1023;
    gf_ok(TEXTURES("gray", "blur:2", "rotate:30"), "gray blur:2 rotate:30 uses a texture");
    gf_ok(TEXTURES("gray", "sharpen", "rotate:30"), "whatever the values are");
    gf_ok(!TEXTURES("blur:2", "rotate:30"), "several planes are read with plain loads");
    gf_ok(!TEXTURES("rotate:30"), "so are pixels of three bytes");
    gf_ok(!uses_textures(&floats, WORDS("gray", "rotate:30")), "results in floats with plain loads");
    gf_ok(!uses_textures(&deep, WORDS("gray", "rotate:30")), "and those in 16 bits");
    gf_ok(!uses_textures(&wide, WORDS("gray", "blur:2", "rotate:1,fit=keep")),
          "so are rows beyond the limit of textures");
    gf_ok(!TEXTURES("gray", "blur:2", "rotate:30,filter=cubic"), "and cubics");
    gf_ok(!TEXTURES("gray", "blur:2", "rotate:30,edge=wrap"), "and a border that repeats");
    gf_ok(TEXTURES("gray", "blur:2,edge=zero", "rotate:30,edge=clamp"), "other borders are those of textures");
}
