/*
 * Neighboring positions of a resize have at most as many inputs together as gf_resize_room() says; GPUs rely on it. The
 * plan gives any rows of the result all rows of the source that they need.
 */
#include <stdio.h>

#include "chain/binding.h"
#include "kernels/geometry/resize.h"
#include "plan/plan.h"
#include "tests/tap.h"

static const char *const edges[] = { "clamp", "reflect", "mirror", "zero" };
static const char *const filters[] = { "lanczos", "linear", "cubic", "area" };
static const int sides[] = { 40, 57, 100, 333, 1000, 4096 };

/* Returns how many inputs too many some positions have, `together` of them. */
static int64_t inputs_beyond(const struct gf_resize_axis *axis, const float *entries, int64_t together, int64_t room)
{
    const int64_t stride = gf_resize_stride(axis);
    int64_t beyond = 0;

    for (int64_t k = 0; k < axis->out; k++) {
        const float *first = entries + k * stride;
        const float *last = entries + (k + together < axis->out ? k + together - 1 : axis->out - 1) * stride;
        const int64_t inputs = (int64_t)last[0] + (int64_t)last[1] - (int64_t)first[0];

        beyond = inputs - room > beyond ? inputs - room : beyond;
    }
    return beyond;
}

/* Returns the largest lack of room of an axis. */
static int64_t axis_beyond(const struct gf_resize_axis *axis, const float *tables)
{
    int64_t most = 0;

    if (axis->taps == 0)
        return 0;
    most = inputs_beyond(axis, tables + axis->at, 4, gf_resize_room(axis, 4));
    for (int n = 16; n <= GF_RESIZE_TOGETHER; n += 4) {
        const int64_t beyond = inputs_beyond(axis, tables + axis->at, n, gf_resize_room(axis, n + 1) + 1);

        most = beyond > most ? beyond : most;
    }
    return most;
}

/* Returns how many spans of `rows` rows need a row that the plan does not read for them. */
static int lacking_spans(const struct gf_link *link, const float *tables, int64_t rows)
{
    const struct gf_resize_axis *axis = &((const struct gf_resize *)link->params)->y;
    const float *entries = tables + axis->at;
    int lacking = 0;

    for (int64_t y = 0; axis->taps > 0 && y < axis->out; y++) {
        const int64_t end = y + rows < axis->out ? y + rows : axis->out;
        const struct gf_span read = gf_need_span(&link->need, (struct gf_span) { y, end }, axis->in);
        const float *first = entries + y * gf_resize_stride(axis), *last = entries + (end - 1) * gf_resize_stride(axis);

        lacking += read.start > (int64_t)first[0] || read.end < (int64_t)last[0] + (int64_t)last[1];
    }
    return lacking;
}

/* Checks all resizes of a stage on an image of `side` by `side` pixels. */
static void check_stage(const char *word, int side)
{
    const struct gf_format in = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3,
                                  .width = side, .units = side };
    struct gf_chain chain;
    struct gf_binding binding = { 0 };
    struct gf_error err = { 0 };
    int64_t beyond = 0;
    int resizes = 0, lacking = 0;

    if (gf_chain_parse(&chain, &word, NULL, 1, 0, &err) == 0
        && gf_bind(&binding, &chain, &in, &(struct gf_bind_options) { 0 }, "test", &err) == 0)
        for (int i = 0; i < binding.links; i++)
            if (binding.link[i].op == &gf_op_resize) {
                const struct gf_resize *r = binding.link[i].params;
                const int64_t x = axis_beyond(&r->x, binding.tables.data), y = axis_beyond(&r->y, binding.tables.data);

                resizes++;
                lacking += lacking_spans(&binding.link[i], binding.tables.data, 1)
                           + lacking_spans(&binding.link[i], binding.tables.data, 7)
                           + lacking_spans(&binding.link[i], binding.tables.data, 64);
                beyond = x > beyond ? x : beyond;
                beyond = y > beyond ? y : beyond;
            }
    gf_ok(resizes > 0 && beyond == 0, "%s, %d pixels: %d resizes, %d inputs too many%s", word, side, resizes,
          (int)beyond, err.text);
    gf_ok(resizes > 0 && lacking == 0, "%s, %d pixels: %d spans lack rows", word, side, lacking);
    gf_binding_release(&binding);
    gf_chain_release(&chain);
}

int main(void)
{
    char word[64];

    for (size_t n = 0; n < sizeof sides / sizeof *sides; n++) {
        for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
            for (int sigma = 10; sigma <= 60 && sigma < sides[n]; sigma += 5) {
                snprintf(word, sizeof word, "blur:%d,edge=%s", sigma, edges[e]);
                check_stage(word, sides[n]);
            }
        for (size_t f = 0; f < sizeof filters / sizeof *filters; f++)
            for (int to = 7; to < 3 * sides[n]; to = to * 5 / 3 + 1) {
                snprintf(word, sizeof word, "resize:%dx%d,filter=%s", to, to, filters[f]);
                check_stage(word, sides[n]);
            }
    }
    return gf_tap_end();
}
