/* Programs on packed samples of 16 bits store the same bytes with tables in the scratch memory as without. */
#include <string.h>

#include "kernels/base/program_run.h"
#include "tests/tap.h"

#define WIDTH 731                        /* not a multiple of any vector */
#define ROWS 97
#define GAP 5                            /* samples between rows */
#define MOST 5
#define TABLE_BINS 100
#define GUARD 0xa5
#define LONG (INT64_C(1) << 20)          /* rows of a signal for which tables are worth their time */

static uint16_t from[(WIDTH * MOST + GAP) * ROWS], got[(WIDTH * MOST + GAP) * ROWS];
static uint16_t wanted[(WIDTH * MOST + GAP) * ROWS];
static char scratch[sizeof(uint16_t) * 65536 * MOST + 64];
static float tables[MOST * TABLE_BINS];
static uint32_t state = 1;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static float draw_float(float least, float most)
{
    return least + (most - least) * (float)draw(1 << 20) / (1 << 20);
}

static struct gf_block block(void *data, enum gf_type type, int channels, uint32_t maxval, int gap)
{
    const struct gf_format f = { .kind = GF_IMAGE, .type = type, .bits = type == GF_U8 ? 8 : 16, .maxval = maxval,
                                 .channels = channels, .width = WIDTH, .units = ROWS };
    struct gf_block b = gf_block_packed(data, &f, (struct gf_span) { 0, ROWS });

    b.pitch_samples += gap;
    return b;
}

/* A call without its result, and whether tables were made for it. */
struct trial {
    struct gf_io io;
    bool ready;
};

/* Calls the body; with scratch memory that stays, tables may be in it. */
static void run(struct trial *t, void *to, bool keeps)
{
    const size_t bytes = keeps ? gf_op_point.cpu.scratch_bytes(&t->io, NULL) : 0;
    const struct gf_work work = { .tables = tables, .scratch = scratch, .scratch_bytes = bytes,
                                  .scratch_ready = keeps ? &t->ready : NULL };
    struct gf_io io = t->io;

    io.dst.data = to;
    memset(to, GUARD, sizeof got);
    if (bytes > sizeof scratch || gf_point_cpu(&work, &io, NULL, &gf_said) != 0)
        gf_ok(false, "the operation runs in its scratch memory");
}

static bool differs(struct trial *t)
{
    run(t, wanted, false);
    run(t, got, true);
    return memcmp(got, wanted, sizeof got) != 0;
}

static struct gf_point_step draw_step(enum gf_point_kind kind, int channels)
{
    struct gf_point_step s = { .kind = kind, .channels = channels, .bins = TABLE_BINS };

    if (kind == GF_POINT_TONES && channels == 3)             /* by luma of all three */
        s.channels = 2;
    s.a = kind == GF_POINT_POWER ? draw_float(.2f, 4) : kind == GF_POINT_CLAMP ? draw_float(-.1f, .5f)
          : draw_float(-2, 2);
    s.b = kind == GF_POINT_CLAMP ? draw_float(.5f, 1.1f) : draw_float(-1, 1);
    return s;
}

static void draw_tables(bool alike)
{
    for (int i = 0; i < MOST * TABLE_BINS; i++)
        tables[i] = alike && i >= TABLE_BINS ? tables[i - TABLE_BINS] : draw_float(-.1f, 1.1f);
}

static const struct { enum gf_point_kind kind; const char *name; bool slow; } separate[] = {
    { GF_POINT_POWER, "power", true }, { GF_POINT_LINEAR, "sRGB to linear", true },
    { GF_POINT_SRGB, "linear to sRGB", true }, { GF_POINT_LAB, "light to Lab", true },
    { GF_POINT_ROOT, "cube root", true }, { GF_POINT_CURVE, "curve", true }, { GF_POINT_TABLE, "table", true },
    { GF_POINT_AFFINE, "scale and offset", false }, { GF_POINT_THRESHOLD, "threshold", false },
    { GF_POINT_SCALE, "measured scale", false }, { GF_POINT_FINITE, "finite", false },
    { GF_POINT_CLAMP, "clamp", false }, { GF_POINT_LAB_INVERSE, "Lab to light", false },
    { GF_POINT_CUBE, "cube", false }, { GF_POINT_TONES, "shadows and highlights", false },
};

#define SEPARATE (sizeof separate / sizeof separate[0])

/* A step before or after another one, on all channels or all but the last, to 16 bits and to 8. */
static void try_step(size_t k)
{
    int differences = 0, without = 0;

    for (int channels = 1; channels <= MOST; channels++)
        for (int form = 0; form < 8; form++) {
            const int fewer = form % 2 && channels > 1;
            const struct gf_point_step first = draw_step(separate[k].kind, channels - fewer);
            const struct gf_point_step second = draw_step(separate[draw(SEPARATE)].kind, channels);
            struct gf_point load, store;
            struct trial t = { .io = { .load = &load, .store = &store, .src_units = LONG } };

            draw_tables(form % 4 < 2);
            t.io.src = block(from, GF_U16, channels, form < 3 ? 65535 : 1 + draw(65535), form < 4 ? 0 : GAP);
            t.io.dst = form == 5 ? block(got, GF_U8, channels, 1 + draw(255), GAP)
                       : block(got, GF_U16, channels, form < 4 ? 65535 : 1 + draw(65535), form < 4 ? 0 : GAP);
            gf_point_init(&load, channels);
            gf_point_init(&store, channels);
            if (gf_point_add(&load, &first) != 0 || gf_point_add(form % 2 ? &load : &store, &second) != 0)
                differences++;
            differences += differs(&t);
            without += separate[k].slow && channels < MOST && !t.ready;
        }
    gf_is(differences, 0, "%s: samples of 16 bits through tables are those of floats", separate[k].name);
    gf_is(without, 0, "%s: tables are used if they help", separate[k].name);
}

/* Scratch memory serves until it is said to be not ready, as after a measurement. */
static void try_changed_tables(void)
{
    const struct gf_point_step step = draw_step(GF_POINT_TABLE, 3);
    struct gf_point load;
    struct trial t = { .io = { .load = &load, .src_units = LONG } };
    int differences;

    t.io.src = block(from, GF_U16, 3, 65535, 0);
    t.io.dst = block(got, GF_U16, 3, 65535, 0);
    gf_point_init(&load, 3);
    draw_tables(false);
    differences = gf_point_add(&load, &step) != 0 || differs(&t) || differs(&t);
    draw_tables(false);
    t.ready = false;
    gf_is(differences + differs(&t), 0, "tables serve several calls, and are computed again when asked for");
}

static void try_short_signal(void)
{
    const struct gf_point_step step = draw_step(GF_POINT_POWER, 1);
    struct gf_point load;
    struct trial t = { .io = { .load = &load, .src_units = ROWS } };

    t.io.src = block(from, GF_U16, 1, 65535, 0);
    t.io.dst = block(got, GF_U16, 1, 65535, 0);
    gf_point_init(&load, 1);
    gf_ok(gf_point_add(&load, &step) == 0 && !differs(&t) && !t.ready, "a short signal makes no tables");
}

int main(void)
{
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        from[i] = (uint16_t)draw(65536);
    for (size_t k = 0; k < SEPARATE; k++)
        try_step(k);
    try_changed_tables();
    try_short_signal();
    return gf_tap_end();
}
