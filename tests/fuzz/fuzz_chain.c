/*
 * The targets of chains: words, files of stages, masks and second images. Each chain is planned
 * without a device. If the plan is small, it runs twice, in different segments, with equal results.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include "chain/binding.h"
#include "chain/named.h"
#include "plan/explain.h"
#include "plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plans that need more are not run. */
#define MOST_SECONDS 0.1
#define WORK_RATE 1e7            /* bytes per second, under sanitizers */
#define MOST_MEMORY (INT64_C(64) << 20)
#define MOST_SAMPLES (1 << 18)
#define MOST_DRAWN_UNITS 40

static struct gf_fuzz_file input, beside;

/* The signals that option 0 chooses from; option 1 sets their size. */
static const struct signal {
    struct gf_format format;
    const char *raw;                     /* the same for --from=raw */
} signals[] = {
    { { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3 },
      "channels=3,type=u8" },
    { { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 1 },
      "channels=1,type=u8" },
    { { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 4, .alpha = true },
      "channels=4,type=u8" },
    { { .kind = GF_IMAGE, .type = GF_U16, .bits = 16, .maxval = 65535, .channels = 3 },
      "channels=3,type=u16" },
    { { .kind = GF_IMAGE, .type = GF_F32, .bits = 32, .channels = 2, .alpha = true },
      "channels=2,type=f32" },
    { { .kind = GF_AUDIO, .type = GF_S16, .bits = 16, .channels = 2, .width = 1, .rate = 8000 },
      "channels=2,type=s16" },
    { { .kind = GF_AUDIO, .type = GF_F32, .bits = 32, .channels = 1, .width = 1, .rate = 48000 },
      "channels=1,type=f32" },
    { { .kind = GF_AUDIO, .type = GF_S32, .bits = 24, .channels = 6, .width = 1, .rate = 44100 },
      "channels=6,type=s24" },
};

/* Prints the plan to nowhere. Returns true if it is small enough to run. */
static bool is_small(const struct gf_plan *plan, const struct gf_binding *binding, const struct gf_outputs *outputs)
{
    const struct gf_format *out = &binding->out;
    FILE *to = fopen("/dev/null", "w");

    if (to != NULL) {
        gf_explain(plan, binding, outputs, "", 0, &(struct gf_explain_batch) { 0 }, to);
        fclose(to);
    }
    return plan->cpu_seconds <= MOST_SECONDS && plan->host_bytes <= MOST_MEMORY
        && (!binding->drawing || binding->in.units <= MOST_DRAWN_UNITS)
        && (binding->table || out->units * out->width * out->channels <= MOST_SAMPLES);
}

/* Plans the words for a signal. Returns true if there is a plan that is small enough to run. */
static bool plan_words(const struct gf_fuzz_words *w, struct gf_format *signal, unsigned flags)
{
    static const struct gf_device_facts cpu = { .present = true, .cores = 1, .work_bytes_per_second = WORK_RATE };
    static const struct gf_device_facts gpu = { .present = true, .memory_bytes = INT64_C(1) << 33,
                                                .start_seconds = 0.25, .copy_bytes_per_second = 20e9,
                                                .work_bytes_per_second = 1e12, .fuses = true };
    const struct gf_limits limits = { .memory_bytes = (flags & 1) != 0 ? 1 << 22 : 0,
                                      .segment_bytes = (flags & 2) != 0 ? 1 << 12 : 0,
                                      .latency_ms = (flags & 4) != 0 && signal->kind == GF_AUDIO ? 20 : 0 };
    const unsigned kinds = 1u << signal->kind;
    struct gf_chain chain = { 0 };
    struct gf_binding binding = { 0 };
    struct gf_bind_options options = { .latency_ms = limits.latency_ms };
    struct gf_outputs outputs = { 0 };
    const struct gf_plan_request request = { .binding = &binding, .outputs = &outputs, .limits = &limits,
                                             .where = (flags & 8) != 0 ? GF_CUDA : GF_CPU, .cpu = &cpu, .cuda = &gpu };
    struct gf_plan plan = { 0 };
    struct gf_error err = { 0 };
    struct gf_named_words named = { 0 };
    bool small = false;

    if (gf_named_expand((const char *const *)w->word, w->count, kinds, &named, &err) != 0)
        goto out;
    if (gf_chain_parse(&chain, (const char *const *)named.word, named.origin, named.count, kinds, &err) != 0
        || gf_chain_load(&chain, NULL, &err) != 0)
        goto out;
    if (gf_chain_list_sides(&chain, signal->kind, options.side, &options.sides, &err) != 0)
        goto out;
    for (int i = 0; i < options.sides; i++)              /* every second image covers the signal */
        options.side[i].format = (struct gf_format) { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255,
                                                      .channels = 4, .alpha = true, .width = signal->width,
                                                      .units = signal->units };
    if (gf_bind(&binding, &chain, signal, &options, "input", &err) != 0)
        goto out;
    outputs.table = binding.table;
    for (int k = 0; k < binding.exits; k++)
        outputs.stored[k] = binding.exit[k].format;
    if (gf_plan_make(&plan, &request, &err) != 0)
        goto out;
    small = is_small(&plan, &binding, &outputs) && (flags & 8) == 0;
out:
    gf_plan_release(&plan);
    gf_binding_release(&binding);
    gf_chain_release(&chain);
    gf_named_words_release(&named);
    return small;
}

bool gf_fuzz_is_small(const struct gf_fuzz_words *w, const struct gf_format *signal)
{
    struct gf_format f = *signal;

    return plan_words(w, &f, 0);
}

/* Runs the words on samples that follow from their position. Returns standard output. */
static uint8_t *run_words(const struct gf_fuzz_words *w, const struct gf_format *f, const struct signal *signal,
                          const char *segment, size_t *size)
{
    struct gf_fuzz_words all = { 0 };

    gf_fuzz_words_add(&all, "gpufilter");
    gf_fuzz_words_add(&all, "-q");
    gf_fuzz_words_add(&all, "-j1");
    gf_fuzz_words_add(&all, "--memory=32M");
    gf_fuzz_words_add(&all, "--max-pixels=1M");         /* also of a second image */
    gf_fuzz_words_add(&all, "%s", segment);
    gf_fuzz_words_add(&all, "-i%s", input.path);
    if (f->kind == GF_IMAGE)
        gf_fuzz_words_add(&all, "--from=raw:size=%dx%d,%s", (int)f->width, (int)f->units, signal->raw);
    else
        gf_fuzz_words_add(&all, "--from=raw:rate=%d,%s", f->rate, signal->raw);
    for (int i = 0; i < w->count; i++)
        if (w->word[i][0] != '-')                        /* an option could name files or change the results */
            gf_fuzz_words_add(&all, "%s", w->word[i]);
    gf_fuzz_folder_enter();
    gf_fuzz_program(&all);
    gf_fuzz_folder_leave();
    gf_fuzz_words_free(&all);
    return gf_fuzz_output_take(size);
}

/* Plans the words for the signal of these options; if that is little work, runs them twice. */
static void plan_and_run(const struct gf_fuzz_words *w, const uint8_t *option)
{
    const struct signal *signal = &signals[option[0] % 8];
    struct gf_format f = signal->format;
    const bool image = f.kind == GF_IMAGE;
    uint8_t *samples, *once, *again;
    size_t size, once_size, again_size;

    f.width = image ? 1 + option[1] % 64 : 1;
    f.units = image ? 1 + option[1] / 4 : 1 + option[1] * 5;
    size = (size_t)f.units * gf_unit_bytes(&f) * (f.bits == 24 ? 3 : 4) / 4;
    samples = malloc(size);
    if (samples == NULL)
        return;
    for (size_t i = 0; i < size; i++)
        samples[i] = gf_type_is_float(f.type) ? (i % 4 == 3 ? 0x3e : (uint8_t)(i * 37)) : (uint8_t)(i * i / 3 + i * 7);
    gf_fuzz_file_put(&input, samples, size);
    free(samples);
    if (plan_words(w, &f, option[2])) {
        once = run_words(w, &f, signal, "--segment=1M", &once_size);
        again = run_words(w, &f, signal, "--segment=600", &again_size);
        if (once_size != again_size || memcmp(once, again, once_size) != 0) {
            fprintf(stderr, "the result depends on the length of segments: %zu and %zu bytes\n", once_size, again_size);
            abort();
        }
        free(once);
        free(again);
    }
}

/* Options: the signal, its size, the limits. The text has a word on each line. */
void gf_fuzz_chain(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size)
{
    static const char picture[] = "P7\nWIDTH 5\nHEIGHT 3\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
                                  "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX";
    struct gf_fuzz_words w = { 0 };

    (void)target;
    gf_fuzz_file_put(&beside, picture, sizeof picture - 1);
    gf_fuzz_words_split(&w, data, size, &beside);
    plan_and_run(&w, option);
    gf_fuzz_words_free(&w);
}

/* The first line has the arguments of the call, the others are the file of stages. */
void gf_fuzz_named(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size)
{
    const uint8_t *end = memchr(data, '\n', size);
    const int length = end != NULL ? (int)(end - data) : 0;
    uint8_t *text = malloc(size);
    struct gf_fuzz_words w = { 0 };

    (void)target;
    if (text == NULL)
        return;
    for (size_t i = 0; i < size; i++)
        text[i] = data[i] == '/' ? '_' : data[i];
    gf_fuzz_file_put(&beside, text + length, size - (size_t)length);
    gf_fuzz_words_add(&w, "@%s%s%.*s", beside.path, length > 0 ? ":" : "", length, (const char *)text);
    free(text);
    plan_and_run(&w, option);
    gf_fuzz_words_free(&w);
}

/* Option 3 chooses the stage that reads the file. */
static void run_stage(const char *const *stages, unsigned count, const uint8_t *option, const uint8_t *data,
                      size_t size)
{
    struct gf_fuzz_words w = { 0 };

    gf_fuzz_file_put(&beside, data, size);
    gf_fuzz_words_add(&w, stages[option[3] % count], beside.path);
    plan_and_run(&w, option);
    gf_fuzz_words_free(&w);
}

void gf_fuzz_mask(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size)
{
    static const char *const stages[] = { "conv:%s", "conv:%s,edge=wrap", "fir:%s", "reverb:%s", "matrix:%s" };

    (void)target;
    run_stage(stages, sizeof stages / sizeof *stages, option, data, size);
}

void gf_fuzz_side(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size)
{
    static const char *const stages[] = { "over:%s", "over:%s,at=bottom-right", "blend:%s,multiply", "mask:%s",
                                          "diff:%s", "compare:%s" };

    (void)target;
    run_stage(stages, sizeof stages / sizeof *stages, option, data, size);
}
