/* The plan by value: passes, spans, segments and memory of chains on signals of known size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "move.h"
#include "plan.h"
#include "plan_parts.h"
#include "rates.h"

static int tests, failures;

static void ok(bool good, const char *what)
{
    tests++;
    failures += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", tests, what);
}

static void is(int64_t got, int64_t expected, const char *what)
{
    ok(got == expected, what);
    if (got != expected)
        printf("# got %lld, expected %lld\n", (long long)got, (long long)expected);
}

static const struct gf_format picture = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3,
                                          .width = 1000, .units = 800 };
static const struct gf_format recording = { .kind = GF_AUDIO, .type = GF_S16, .bits = 16, .channels = 2, .width = 1,
                                            .units = GF_UNKNOWN, .rate = 48000 };
static const struct gf_device_facts cpu = { .present = true, .cores = 2, .work_bytes_per_second = 5e9 };
static const struct gf_device_facts gpu = { .present = true, .memory_bytes = INT64_C(1) << 33, .start_seconds = 0.25,
                                            .copy_bytes_per_second = 20e9, .work_bytes_per_second = 1e12 };
static const struct gf_device_facts none = { .present = false };

/* A chain bound to a signal, and its plan. */
struct fixture {
    struct gf_chain chain;
    struct gf_plan *plan;
    struct gf_error err;
    int result;
};

/* The pictures that stand beside: of 200 by 50 pixels of 4 bytes, the one called "disk" is on it. */
static int find_side(void *context, int number, const char *file, struct gf_side *side, struct gf_error *err)
{
    (void)number, (void)err;
    side->format = (struct gf_format) { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 4, .alpha = true,
                                        .width = 200, .units = 50 };
    side->spool = strcmp(file, "disk") == 0 ? context : NULL;
    return 0;
}

static void make(struct fixture *f, const struct gf_format *in, enum gf_where where, const struct gf_device_facts *cuda,
                 const struct gf_limits *limits, const char *const *words)
{
    int n = 0;

    memset(f, 0, sizeof *f);
    while (words[n] != NULL)
        n++;
    f->plan = calloc(1, sizeof *f->plan);
    f->result = f->plan == NULL || gf_chain_parse(&f->chain, words, NULL, n, 0, &f->err) != 0
             || (f->chain.latency_ms = limits->latency_ms, f->chain.find_side = find_side, f->chain.side_context = f,
                 gf_chain_bind(&f->chain, in, "test", &f->err) != 0)
             || gf_plan_make(f->plan, &f->chain, f->chain.table ? NULL : &f->chain.out, limits, where, &cpu, cuda, &f->err) != 0 ? -1 : 0;
    if (f->result != 0)
        printf("# %s\n", f->err.text);
}

static void drop(struct fixture *f)
{
    gf_chain_release(&f->chain);
    free(f->plan);
}

#define WORDS(...) ((const char *const[]) { __VA_ARGS__, NULL })

static const struct gf_limits free_limits = { 0 };

static void test_spans(void)
{
    const struct gf_need same = { 0 }, halo = { .before = 3, .after = 2 }, shift = { .shift = 10 }, whole = { .whole = true };
    const struct gf_need blocks = { .before = 3, .after = 1, .grain = 10 };
    const struct gf_need less = { .times = 5, .per = 3, .before = 1 }, more = { .times = 2, .per = 5 };
    struct gf_span s = gf_need_span(&same, (struct gf_span) { 4, 9 }, 100);

    ok(s.start == 4 && s.end == 9, "a point needs the same units");
    s = gf_need_span(&halo, (struct gf_span) { 4, 9 }, 100);
    ok(s.start == 1 && s.end == 11, "a halo reaches before and after");
    s = gf_need_span(&halo, (struct gf_span) { 0, 100 }, 100);
    ok(s.start == 0 && s.end == 100, "a halo ends where the signal ends");
    s = gf_need_span(&shift, (struct gf_span) { 4, 9 }, 100);
    ok(s.start == 14 && s.end == 19, "a crop reads further down");
    s = gf_need_span(&whole, (struct gf_span) { 4, 9 }, 100);
    ok(s.start == 0 && s.end == 100, "whole is all of it");
    s = gf_need_span(&blocks, (struct gf_span) { 14, 39 }, 100);
    ok(s.start == 7 && s.end == 41, "of blocks of 10 three are touched, and their neighbours needed");
    s = gf_need_span(&blocks, (struct gf_span) { 20, 40 }, 100);
    ok(s.start == 17 && s.end == 41, "where the span ends with a block, no more of them");
    s = gf_need_span(&blocks, (struct gf_span) { 88, 95 }, 95);
    ok(s.start == 77 && s.end == 95, "the last block ends with the signal");
    s = gf_need_span(&less, (struct gf_span) { 2, 5 }, 100);
    ok(s.start == 2 && s.end == 9, "2 to 5 of what is 3 of 5: from 3⅓ down, to 8⅓ up, and one before");
    s = gf_need_span(&more, (struct gf_span) { 3, 4 }, 100);
    ok(s.start == 1 && s.end == 2, "the fourth of what is 5 of 2 lies within the second");
    s = gf_need_span(&more, (struct gf_span) { 245, 250 }, 100);
    ok(s.start == 98 && s.end == 100, "and the last five within the last two");
    s = gf_need_span(&shift, (struct gf_span) { 4, 9 }, 0);
    ok(s.start == 0 && s.end == 0, "of an empty signal the beginning, wherever one looks");
}

static void test_resize(void)
{
    struct fixture f;

    make(&f, &picture, GF_CPU, &none, &(struct gf_limits) { .segment_bytes = 24000 }, WORDS("resize:50%"));
    is(f.plan->out.width, 500, "half of 1000 columns");
    is(f.plan->out.units, 400, "half of 800 rows");
    is(f.plan->passes, 1, "a change of size does not wait for all of the picture");
    is(f.plan->pass[0].steps, 1, "takes what is stored and stores it");
    is(f.plan->pass[0].step[0].need.before, 5, "of 12 rows for one, 5 lie before the 2 under it");
    is(f.plan->pass[0].step[0].need.after, 5, "and 5 after");
    is(f.plan->pass[0].segment_units, 4, "24000 bytes are 8 rows, which become 4");
    is(f.plan->pass[0].in_units, 18, "they need 18");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &(struct gf_limits) { .segment_bytes = 24000 }, WORDS("resize:x2400,filter=linear"));
    is(f.plan->out.width, 3000, "three times as many columns as rows");
    is(f.plan->pass[0].segment_units, 2, "24000 bytes are 2 of the larger rows");
    is(f.plan->pass[0].in_units, 4, "which lie within 2, and take one on either side");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("resize:50x8000"));
    is(f.plan->pass[0].steps, 2, "much narrower and higher: columns first, where that is half the work");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &(struct gf_limits) { .memory_bytes = 3 << 20 }, WORDS("resize:10%", "blur:2", "resize:1000%"));
    is(f.result, 0, "small and large again fits into three megabytes");
    ok(f.plan->host_bytes <= 3 << 20, "and its plan says so");
    drop(&f);
}

static void test_passes_cpu(void)
{
    struct fixture f;

    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("gray", "blur:2", "rotate:30"));
    is(f.result, 0, "gray blur:2 rotate:30 can be planned");
    is(f.plan->passes, 2, "in two passes, for rotate needs all of its input");
    is(f.plan->pass[0].steps, 3, "first: unpacking with gray, blur along rows, blur down columns");
    is(f.plan->pass[0].to.end, GF_END_RESIDENT, "which stays in memory");
    is(f.plan->pass[0].step[2].need.before, 6, "blur:2 needs 6 rows before");
    is(f.plan->pass[0].step[2].need.after, 6, "and 6 after");
    is(f.plan->pass[1].steps, 2, "then: sampling, packing");
    is(f.plan->out.width, 1267, "1000·cos 30 + 800·sin 30 columns");
    is(f.plan->out.units, 1193, "1000·sin 30 + 800·cos 30 rows");
    is(f.plan->out.channels, 1, "one channel");
    is((int64_t)f.plan->pass[0].resident_bytes, 1152 * 4 * 800, "800 rows of floats, 1000 columns padded, off the powers of two");
    drop(&f);
}

static void test_merging(void)
{
    struct fixture f;

    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("invert", "gamma:2", "invert", "gray", "invert"));
    is(f.plan->passes, 1, "point stages are one pass");
    is(f.plan->pass[0].steps, 1, "and one step");
    is(f.plan->pass[0].step[0].load.count + f.plan->pass[0].step[0].store.count, 3, "invert, gamma, and one matrix for the rest");
    drop(&f);
    make(&f, &picture, GF_CUDA, &gpu, &free_limits, WORDS("gray", "blur:2", "invert"));
    is(f.plan->pass[0].steps, 1, "on a GPU points ride along in the convolution");
    is(f.plan->pass[0].step[0].load.count, 1, "gray on its way in");
    is(f.plan->pass[0].step[0].store.count, 1, "invert on its way out");
    drop(&f);
}

static void test_moves(void)
{
    struct fixture f;

    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("crop:100x50+10+20"));
    is(f.plan->pass[0].steps, 1, "a crop moves samples");
    is(f.plan->pass[0].step[0].planar, false, "as they are stored");
    is(f.plan->pass[0].in_units, f.plan->pass[0].segment_units, "and reads no more rows than it writes");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("gamma:1"));
    is(f.plan->pass[0].steps, 0, "a stage that changes nothing costs nothing");
    drop(&f);
}

/* What of `abc` over `def` comes out, row by row, for each of the orientations that EXIF counts. */
static void test_orientations(void)
{
    static const char *const upright[] = { "abcdef", "abcdef", "cbafed", "fedcba", "defabc", "adbecf", "daebfc", "fcebda", "cfbead" };
    struct gf_format in = picture;
    struct fixture f;

    in.width = 3;
    in.units = 2;
    for (int o = 2; o <= 8; o++) {
        const struct gf_pass *last;
        const struct gf_move *m;
        char got[7] = "";

        in.orientation = o;
        make(&f, &in, GF_CPU, &none, &free_limits, (const char *const[]) { NULL });
        m = f.chain.link[0].params;
        for (int i = 0; i < 6; i++) {
            const int64_t x = i % f.chain.out.width, y = i / f.chain.out.width;

            got[i] = "abcdef"[m->cx + x * m->xx + y * m->xy + 3 * (m->cy + x * m->yx + y * m->yy)];
        }
        ok(f.result == 0 && strcmp(got, upright[o]) == 0, "set upright");
        ok(f.chain.out.width == (o < 5 ? 3 : 2) && f.chain.out.units == (o < 5 ? 2 : 3) && f.chain.out.orientation == 0, "with its sides");
        last = &f.plan->pass[f.plan->passes - 1];
        ok(last->steps == 1 && !last->step[0].planar && last->to.format.type == GF_U8, "moving what is stored");
        drop(&f);
    }
    in.orientation = 2;
    make(&f, &in, GF_CPU, &none, &free_limits, WORDS("crop:1x1+1+1"));
    ok(f.plan->pass[0].steps == 2 && !f.plan->pass[0].step[1].planar, "also before a crop");
    drop(&f);
}

static void test_measures(void)
{
    struct fixture f;

    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("equalize"));
    is(f.plan->passes, 2, "equalize sees all of the picture first");
    ok(f.plan->pass[0].measure.used && f.plan->pass[0].steps == 0, "counting reads what is stored");
    is((int64_t)f.plan->pass[0].resident_bytes, 1000 * 800 * 3, "which is kept as it is stored");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("blur", "histogram"));
    is(f.plan->passes, 1, "a histogram ends the chain");
    is(f.plan->pass[0].to.end, GF_END_NOWHERE, "and nothing else is kept");
    drop(&f);
    make(&f, &recording, GF_CPU, &none, &(struct gf_limits) { .segment_bytes = 1 }, WORDS("stats"));
    is(f.plan->pass[0].segment_units % (recording.rate / 10), 0, "records of loudness stand at multiples of a tenth "
                                                                 "of a second, however small the segment");
    drop(&f);
    make(&f, &recording, GF_CPU, &none, &(struct gf_limits) { .segment_bytes = 1 }, WORDS("normalize"));
    is(f.plan->passes, 2, "normalize hears all of the sound first");
    is(f.plan->pass[0].segment_units % 4096, 0, "records of levels stand at multiples of 4096 frames");
    drop(&f);
}

static void is_segment(const struct gf_pass *pass, int64_t place, int steps, int64_t start, int64_t end, const char *what)
{
    int found;
    const struct gf_span s = gf_pass_segment(pass, place, &found);

    ok(found == steps && s.start == start && s.end == end, what);
}

/* What carries state makes the units first that nothing behind it looks at. */
static void test_lead(void)
{
    const struct gf_limits segments = { .segment_bytes = 100 * 4 };
    struct gf_walk walk;
    struct fixture f;

    make(&f, &recording, GF_CPU, &none, &segments, WORDS("eq:1k,1,3", "trim:250f,+300f", "bass:3", "trim:100f"));
    is(f.plan->passes, 1, "a length that nobody knows parts nothing");
    is(f.plan->pass[0].step[1].lead_units, 250, "250 frames are left out behind the first filter");
    is(f.plan->pass[0].step[3].lead_units, 100, "and 100 behind the second");
    is(f.plan->pass[0].step[2].lead_units, 0, "what carries no state makes none");
    is_segment(&f.plan->pass[0], 0, 2, 0, 100, "the first filter alone, 100 frames");
    is_segment(&f.plan->pass[0], 2, 2, 200, 250, "up to those that are looked at");
    is_segment(&f.plan->pass[0], 3, 4, 0, 100, "then up to the second filter");
    is_segment(&f.plan->pass[0], 4, f.plan->pass[0].steps, 0, 100, "then through");
    is_segment(&f.plan->pass[0], 5, f.plan->pass[0].steps, 100, 200, "and on");
    gf_pass_walk_to(&f.plan->pass[0], 4, (struct gf_span) { 0, 100 }, 1000, &walk);
    ok(walk.made[1].start == 250 && walk.made[1].end == 350, "the first filter goes on where its lead ends");
    gf_pass_walk(&f.plan->pass[0], (struct gf_span) { 0, 100 }, 1000, &walk);
    ok(walk.made[3].start == 100 && walk.made[1].start == 350 && walk.made[1].end == 450, "and so do both");
    drop(&f);
}

static void test_carry(void)
{
    const struct gf_limits segments = { .segment_bytes = 900000 }, shared = { .segment_bytes = 9000, .lanes = 3, .devices = 4 };
    struct fixture f;

    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("integral"));
    ok(f.plan->passes == 1 && f.plan->pass[0].steps == 1, "an integral image is made as it is read");
    is((int64_t)f.plan->pass[0].carry_bytes, 24064, "and hands on a double for each of 1000 columns of 3 colours, rounded up to 512");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("cumsum"));
    is((int64_t)f.plan->pass[0].carry_bytes, 0, "sums along rows hand on nothing");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &segments, WORDS("blur:2", "integral"));
    ok(f.plan->passes == 1 && f.plan->pass[0].carry_first == 3, "what stands before it is in the same pass");
    is(f.plan->pass[0].strip_units, 28, "28 rows of 1152 by 3 floats at a time");
    is(f.plan->pass[0].work_ahead, 2, "the blur ahead of the turn");
    is(f.plan->pass[0].step[2].strip_units, 28, "as many at a time");
    is(f.plan->pass[0].step[2].window_units, 300, "where the whole segment is made");
    is(f.plan->pass[0].step[1].window_units, 40, "from 6 rows more on either side");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("integral", "invert", "flop", "cumsum:axis=y"));
    is(f.plan->passes, 1, "what takes row by row follows in the same pass");
    is((int64_t)f.plan->pass[0].carry_bytes, 2 * 24064, "also if it hands something on itself");
    is(f.plan->pass[0].step[f.plan->pass[0].steps - 1].carry_at, 24064, "in a place of its own");
    is(f.plan->pass[0].carry_first, 0, "the first one waits");
    is(f.plan->pass[0].carry_last, f.plan->pass[0].steps - 1, "and the last one passes the turn on");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("integral", "crop:100x50+10+20"));
    is(f.plan->passes, 1, "so does what begins further down");
    is(f.plan->pass[0].step[0].lead_units, 20, "though all rows before are summed up, too");
    drop(&f);
    test_lead();
    make(&f, &picture, GF_CUDA, &gpu, &shared, WORDS("blur:2"));
    is(f.plan->pass[0].lanes, 12, "several GPUs have lanes each");
    drop(&f);
    make(&f, &picture, GF_CUDA, &gpu, &shared, WORDS("integral"));
    is(f.plan->pass[0].lanes, 3, "but state stays on one");
    drop(&f);
}

/* Segment `index` of so many rows: what step k's result is looked at, and made. */
static void is_walk(const struct gf_pass *pass, int64_t index, int k, struct gf_span seen, struct gf_span made, const char *what)
{
    const int64_t rows = pass->segment_units, start = index * rows, end = start + rows;
    struct gf_walk w;

    gf_pass_walk(pass, (struct gf_span) { start, end < 800 ? end : 800 }, 800, &w);
    ok(w.span[k + 1].start == seen.start && w.span[k + 1].end == seen.end && w.made[k].start == made.start && w.made[k].end == made.end, what);
    if (w.made[k].start != made.start || w.made[k].end != made.end)
        printf("# made %lld to %lld\n", (long long)w.made[k].start, (long long)w.made[k].end);
}

static void test_histories(void)
{
    const struct gf_limits segments = { .segment_bytes = 900000 }, one = { .segment_bytes = 1 };
    const struct gf_pass *pass;
    struct fixture f;

    make(&f, &picture, GF_CPU, &none, &segments, WORDS("integral", "blur:2"));
    pass = &f.plan->pass[0];
    is(f.plan->passes, 1, "what looks around follows in the same pass");
    is(pass->step[0].history_units, 12, "6 rows before and 6 after: 12 of those that one segment made are looked at by the next");
    is((int64_t)pass->carry_bytes, 24064 + 12 * 1152 * 3 * 4, "they stand behind the state, as rows of floats");
    is(pass->work_in_turn, 0, "the turn goes on before the blur");
    is_walk(pass, 0, 0, (struct gf_span) { 0, 306 }, (struct gf_span) { 0, 306 }, "first 300 rows and 6 more");
    is_walk(pass, 1, 0, (struct gf_span) { 294, 606 }, (struct gf_span) { 306, 606 }, "then what is new");
    is_walk(pass, 2, 0, (struct gf_span) { 594, 800 }, (struct gf_span) { 606, 800 }, "up to the end");
    is_walk(pass, 1, 1, (struct gf_span) { 294, 606 }, (struct gf_span) { 294, 606 }, "what carries nothing is made again");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &one, WORDS("integral", "blur:2"));
    is_walk(&f.plan->pass[0], 797, 0, (struct gf_span) { 791, 800 }, (struct gf_span) { 800, 800 }, "at the end nothing is new");
    ok(gf_pass_span(&f.plan->pass[0], (struct gf_span) { 797, 798 }, 800).start == 800, "and nothing is read");
    drop(&f);
    make(&f, &picture, GF_CUDA, &gpu, &segments, WORDS("integral", "blur:2"));
    ok(f.plan->passes == 1 && f.plan->pass[0].step[0].history_units == 12, "likewise on a GPU");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("integral", "blur:2", "cumsum:axis=y", "blur:3"));
    is(f.plan->passes, 1, "several that carry");
    is(f.plan->pass[0].step[0].history_units, 12, "each keeps what is looked at up to the next");
    is(f.plan->pass[0].step[3].history_units, 18, "or the end");
    is(f.plan->pass[0].work_in_turn, 3, "the turn is over behind the last");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("integral", "resize:50%"));
    is(f.plan->pass[0].step[0].history_units, 10, "of 12 rows for one, 2 are new");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &segments, WORDS("integral", "resize:x2400,filter=linear"));
    is(f.plan->pass[0].step[0].history_units, 3, "one on either side, and one that lies under rows of both segments");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &free_limits, WORDS("integral", "invert"));
    ok(f.plan->pass[0].step[0].history_units == 0 && f.plan->pass[0].work_in_turn == -1, "a point looks at nothing else");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &(struct gf_limits) { .memory_bytes = 2 << 20 }, WORDS("integral", "blur:2"));
    ok(f.result == 0 && f.plan->passes == 1 && f.plan->host_bytes <= 2 << 20, "it all fits into two megabytes");
    drop(&f);
}

static void test_segments(void)
{
    struct fixture f;

    make(&f, &picture, GF_CPU, &none, &(struct gf_limits) { .segment_bytes = 9000, .lanes = 3 }, WORDS("blur:2"));
    is(f.plan->pass[0].segment_units, 3, "9000 bytes are 3 rows");
    is(f.plan->pass[0].in_units, 15, "which need 15");
    is(f.plan->pass[0].lanes, 3, "in the lanes asked for");
    is((int64_t)f.plan->pass[0].lane_in_bytes, 45000, "15 rows of 3000 bytes come in");
    is((int64_t)f.plan->pass[0].lane_out_bytes, 9000, "3 go out");
    drop(&f);
    make(&f, &recording, GF_CPU, &none, &(struct gf_limits) { .segment_bytes = 4000 }, WORDS("fir:[1 2 3 4]"));
    is(f.plan->pass[0].segment_units, 1000, "4000 bytes are 1000 frames of 2 channels");
    is(f.plan->pass[0].in_units, 1003, "and 3 before them");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &(struct gf_limits) { .memory_bytes = 2 << 20 }, WORDS("blur:5"));
    is(f.result, 0, "a blur of any picture this wide fits into two megabytes");
    ok(f.plan->host_bytes <= 2 << 20, "and its plan says so");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &(struct gf_limits) { .memory_bytes = 100 << 10 }, WORDS("blur:5"));
    is(f.result, -1, "a blur that can't be done in so little memory is refused");
    ok(strstr(f.err.text, "--memory") != NULL, "and told how to go on");
    drop(&f);
}

/* Steps that make blocks of 1000: by a descriptor that no stage has, for it is the plan that is looked at. */
static void test_grain(void)
{
    struct gf_pass pass = { .steps = 2, .step = { { .in = recording, .need = { .grain = 1000, .before = 10 } },
                                                  { .in = recording, .need = { .before = 5 } } } };
    struct gf_span s = gf_pass_span(&pass, (struct gf_span) { 1500, 1501 }, 10000);

    ok(s.start == 990 && s.end == 2000, "what a filter reads behind it lies in one block");
    s = gf_pass_span(&pass, (struct gf_span) { 2002, 2003 }, 10000);
    ok(s.start == 990 && s.end == 3000, "or in two");
    is(gf_plan_step_units(&pass.step[0], 1), 1010, "a unit touches one block");
    is(gf_plan_step_units(&pass.step[0], 2), 2010, "two may touch two");
    is(gf_plan_step_units(&pass.step[0], 1001), 2010, "so do 1001");
    is(gf_plan_step_units(&pass.step[0], 1002), 3010, "1002 may touch three");
}

static void test_spools(void)
{
    const struct gf_limits little = { .memory_bytes = 2 << 20 }, little_again = { .memory_bytes = 2 << 20, .again = true };
    struct fixture f;

    make(&f, &picture, GF_CPU, &none, &little, WORDS("blur:5", "rotate:1"));
    is(f.result, 0, "a rotation that does not fit in memory can be planned");
    ok(f.plan->pass[0].to.spooled && f.plan->pass[1].from.spooled, "on disk");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &little, WORDS("equalize"));
    ok(f.plan->pass[0].to.spooled, "what comes from a pipe is kept on disk while it is counted");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &little_again, WORDS("equalize"));
    ok(f.plan->pass[0].to.end == GF_END_NOWHERE && f.plan->pass[1].from.end == GF_END_FILE, "a file is read a second time");
    drop(&f);
}

static void test_choice(void)
{
    struct fixture f;
    struct gf_format large = picture;

    make(&f, &picture, GF_AUTO, &gpu, &free_limits, WORDS("gray"));
    is(f.plan->cuda, false, "a small picture does not wait for a GPU");
    drop(&f);
    large.width = large.units = 30000;
    make(&f, &large, GF_AUTO, &gpu, &free_limits, WORDS("blur:20"));
    is(f.plan->cuda, true, "a large blur is worth one");
    drop(&f);
    make(&f, &large, GF_AUTO, &none, &free_limits, WORDS("blur:20"));
    is(f.plan->cuda, false, "where there is one");
    drop(&f);
}

/* The estimates by value: 1000 by 800 pixels of 3 bytes; 2.4 MB each way, 9.6 MB a result in floats. */
static void test_estimates(void)
{
    const struct gf_device_facts slow = { .present = true, .measured = true, .start_seconds = 1, .copy_bytes_per_second = 1e6,
                                          .work_bytes_per_second = 1e6, .conv_bytes_per_second = 1e7 };
    struct gf_device_facts fast = slow;
    struct fixture f;

    make(&f, &picture, GF_AUTO, &slow, &free_limits, WORDS("conv:[1 2 3; 4 5 6; 7 8 10]"));
    /* start, copies, then what moves: the copies and one result, and nine weights for each of its bytes */
    ok(f.plan->cuda_seconds > 28.83 && f.plan->cuda_seconds < 28.85, "1 + 4.8 + 4.8 + 9.6 + 8.64 seconds on a slow GPU");
    ok(f.plan->cuda_measured && !f.plan->cpu_measured, "by rates that were measured, and that were not");
    ok(!f.plan->cuda, "which is not chosen");
    drop(&f);
    fast.start_seconds = fast.copy_bytes_per_second = 0;
    fast.work_bytes_per_second = 1e12;
    fast.conv_bytes_per_second = 0;
    make(&f, &picture, GF_AUTO, &fast, &free_limits, WORDS("conv:[1 2 3; 4 5 6; 7 8 10]"));
    ok(f.plan->cuda_seconds > 28.7e-6 && f.plan->cuda_seconds < 28.9e-6, "14.4 + 14.4 millionths, at six weights a light operation");
    ok(f.plan->cuda, "a GPU that is ready is chosen");
    drop(&f);
}

/* A million frames of two channels: 4 MB each way, 8 MB a result in floats. */
static void test_sound_estimates(void)
{
    const struct gf_device_facts slow = { .present = true, .measured = true, .copy_bytes_per_second = 1e6, .work_bytes_per_second = 1e6 };
    const struct gf_format sound = { .kind = GF_AUDIO, .type = GF_S16, .bits = 16, .maxval = 1, .channels = 2, .width = 1,
                                     .units = 1000000, .rate = 48000 };
    struct fixture f;

    make(&f, &sound, GF_AUTO, &slow, &free_limits, WORDS("bass:3"));
    ok(f.plan->cuda_seconds > 55.99 && f.plan->cuda_seconds < 56.01, "8 + 8 + 40: a recursive section is five light operations");
    drop(&f);
    make(&f, &sound, GF_AUTO, &slow, &free_limits, WORDS("gain:-1", "limit"));
    ok(f.plan->cuda_seconds > 87.99 && f.plan->cuda_seconds < 88.01, "8 + 8 + 8 + 64: a gain in unpacking, and a limiter, which is eight");
    drop(&f);
    make(&f, &sound, GF_AUTO, &slow, &free_limits, WORDS("normalize:lufs=-14"));
    ok(f.plan->cuda_seconds > 63.99 && f.plan->cuda_seconds < 64.01, "8 + 8 + 40 + 8: heard, kept, and turned up");
    drop(&f);
}

/* A row for each operation, and a word of its own. */
static void test_facts(void)
{
    int missing = 0, twice = 0;

    for (int op = 0; op < GF_OP_COUNT; op++) {
        missing += gf_op_word((enum gf_op)op) == NULL || gf_op_facts((enum gf_op)op)->word[0] == '\0';
        for (int k = 0; k < op && missing == 0; k++)
            twice += strcmp(gf_op_word((enum gf_op)op), gf_op_word((enum gf_op)k)) == 0;
    }
    is(missing, 0, "every operation has its facts");
    is(twice, 0, "and no two are called the same");
}

static void test_rates(void)
{
    static const char *const wrong[] = {
        "", "\n", "cpu", "cpu 0123456789abcdef 1000 measured", "cpu 0123456789abcdef 1000 measured 0 0 nan 0 x",
        "cpu 0123456789abcdef 1000 measured 0 0 -5 0 x", "cpu 0123456789abcdef 1000 measured 0 0 1e300 0 x",
        "cpu 0123456789abcdef 1000 measured 700 0 1e9 0 x", "cpu 0123456789abcdef 1000 Measured 0 0 1e9 0 x",
        "cpu 0123456789abcdef 99999999999999999999 measured 0 0 1e9 0 x",
        "cpu 0123456789abcdef0123456789abcdef 1000 measured 0 0 1e9 0 x", "cpu 0123456789abcdef 1000 measured 0 0 0 0 x",
    };
    struct gf_device_facts facts = { .present = true, .cores = 7, .memory_bytes = 12345, .work_bytes_per_second = 1 };
    struct gf_rates_line line;
    char text[GF_RATES_TEXT], longest[3000];

    ok(gf_rates_parse("cuda:0 0123456789abcdef 1000 measured 0.25 2e10 1e12 3e12 A GPU, and more\n", 1000, &line), "a line of rates");
    ok(strcmp(line.device, "cuda:0") == 0 && strcmp(line.key, "0123456789abcdef") == 0 && strcmp(line.rates.name, "A GPU, and more") == 0,
       "its words");
    ok(line.rates.start_seconds == 0.25 && line.rates.copy_bytes_per_second == 2e10 && line.rates.work_bytes_per_second == 1e12
       && line.rates.conv_bytes_per_second == 3e12, "its numbers");
    gf_rates_apply(&line.rates, &facts);
    ok(facts.measured && facts.work_bytes_per_second == 1e12, "are facts");
    ok(facts.memory_bytes == 12345 && facts.cores == 7, "but not of sizes");
    gf_rates_text(&line, text);
    ok(strcmp(text, "cuda:0 0123456789abcdef 1000 measured 0.2500 2e+10 1e+12 3e+12 A GPU, and more\n") == 0, "and back");
    ok(gf_rates_parse(text, 1000 + 86400, &line) && !gf_rates_parse(text, 1000 + 86401, &line), "it is good for a day");
    ok(gf_rates_parse(text, 940, &line) && !gf_rates_parse(text, 939, &line), "clocks may differ by a minute");
    ok(gf_rates_parse("cuda:0 0123456789abcdef 1000 absent 0 0 0 0 no driver", 1000, &line) && !line.rates.present, "a GPU that is not there");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ok(!gf_rates_parse(wrong[i], 1000, &line), "no line");
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "cpu 0123456789abcdef 1000 measured 0 0 1e9 0 ", 45);
    longest[sizeof longest - 1] = '\0';
    ok(gf_rates_parse(longest, 1000, &line) && strlen(line.rates.name) < sizeof line.rates.name, "a name without end is cut");
    gf_rates_text(&line, text);
    ok(strlen(text) < GF_RATES_TEXT && text[strlen(text) - 1] == '\n', "and fits into a line");
}

static void test_yuv(void)
{
    struct gf_format frame = picture;
    struct fixture f;

    frame.units = 801;
    frame.yuv = (struct gf_yuv) { .used = 1, .sub_x = 1, .sub_y = 1, .bits = 8, .matrix = 601 };
    make(&f, &frame, GF_CPU, &none, &(struct gf_limits) { .segment_bytes = 4000 }, WORDS("blur:2"));
    is(f.plan->passes, 1, "a frame of luma and chroma takes one pass");
    is(f.plan->pass[0].steps, 4, "apart, blurred twice, together");
    is((int64_t)f.plan->pass[0].in_units, 1000 * 801 + 2 * 500 * 401, "all of its samples come in");
    is(f.plan->pass[0].to.format.units, 401, "it is made in bands of two rows");
    is(f.plan->pass[0].segment_units, 401, "all in one segment, whatever --segment says");
    is(f.plan->pass[0].to.file_units, 1000 * 801 + 2 * 500 * 401, "and goes out as samples");
    drop(&f);
    make(&f, &frame, GF_CPU, &none, &free_limits, WORDS("gray", "equalize"));
    is(f.plan->passes, 2, "equalize sees it first");
    is(f.plan->pass[0].step[0].op, GF_OP_YUV, "taken apart");
    drop(&f);
    make(&f, &frame, GF_CPU, &none, &free_limits, (const char *const[]) { NULL });
    is(f.plan->pass[0].steps, 0, "without a stage nothing is done");
    is(f.plan->pass[0].to.format.units, 1000 * 801 + 2 * 500 * 401, "to its samples");
    drop(&f);
}

/* How long the output of a signal is whose length nobody knew. */
static void test_lengths(void)
{
    struct gf_step step = { .in.units = GF_UNKNOWN, .need = { .longer = 100 } };

    is(gf_step_units(&step, 50), 150, "100 units longer");
    step.need.longer = -60;
    is(gf_step_units(&step, 100), 40, "60 units shorter");
    is(gf_step_units(&step, 50), 0, "but not below nothing");
    step.need.most = 30;
    is(gf_step_units(&step, 100), 30, "no more than are wanted");
    is(gf_step_units(&step, 80), 20, "though fewer");
    step.need = (struct gf_need) { .times = 2, .per = 3, .longer = 1 };
    is(gf_step_units(&step, 100), 151, "three for two, and one");
}

/* A second source: which rows of it stand beside a span, and what they take. */
static void test_sides(void)
{
    const struct gf_limits rows_10 = { .segment_bytes = 30000 }, rows_100 = { .segment_bytes = 300000 };
    struct gf_side side = { .format.units = 50 };
    struct gf_span s = gf_side_span(&side, 30, (struct gf_span) { 0, 40 });
    struct fixture f;
    int64_t in_memory;

    ok(s.start == 0 && s.end == 10, "30 rows down, ten of 40 rows have some beside them");
    s = gf_side_span(&side, -30, (struct gf_span) { 10, 40 });
    ok(s.start == 40 && s.end == 50, "30 up, the last ten");
    s = gf_side_span(&side, 30, (struct gf_span) { 90, 100 });
    ok(s.start == s.end, "further down, none");
    make(&f, &picture, GF_CPU, &none, &rows_10, WORDS("over:mark,9,30"));
    is(f.plan->pass[0].steps, 1, "reads and stores what is packed");
    is(f.plan->pass[0].step[0].side_shift, 30, "as far down as the words say");
    is((int64_t)f.plan->pass[0].lane_side_bytes, 0, "a CPU reads it in its place");
    in_memory = f.plan->host_bytes;
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &rows_10, WORDS("over:disk,9,30"));
    is(in_memory - f.plan->host_bytes, 200 * 50 * 4, "which takes memory, if it is not on disk");
    drop(&f);
    make(&f, &picture, GF_CUDA, &gpu, &rows_10, WORDS("over:mark"));
    is((int64_t)f.plan->pass[0].lane_side_bytes, 8192, "a GPU is brought ten rows of 800 bytes, in whole lines of 512");
    drop(&f);
    make(&f, &picture, GF_CUDA, &gpu, &rows_100, WORDS("over:mark", "blur:1", "over:disk"));
    is((int64_t)f.plan->pass[0].lane_side_bytes, 2 * 40448, "and of two all 50 at most");
    is(f.plan->pass[0].step[2].side_at, 40448, "one behind the other");
    drop(&f);
    make(&f, &picture, GF_CPU, &none, &rows_10, WORDS("over:one", "over:two", "over:one"));
    is(f.plan->sides, 2, "two stages may name one file");
    drop(&f);
}

int main(void)
{
    test_spans();
    test_lengths();
    test_passes_cpu();
    test_merging();
    test_moves();
    test_orientations();
    test_measures();
    test_carry();
    test_histories();
    test_segments();
    test_grain();
    test_resize();
    test_spools();
    test_yuv();
    test_sides();
    test_choice();
    test_estimates();
    test_sound_estimates();
    test_facts();
    test_rates();
    printf("1..%d\n", tests);
    return failures != 0;
}
