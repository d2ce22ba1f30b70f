/* Shared by tests of the plan: signals, devices, and a chain with its plan. */
#include "plan_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct gf_format gf_picture = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3,
                                      .width = 1000, .units = 800 };
const struct gf_format gf_recording = { .kind = GF_AUDIO, .type = GF_S16, .bits = 16, .channels = 2, .width = 1,
                                        .units = GF_UNKNOWN,
                                        .rate = 48000 };
const struct gf_device_facts gf_some_cpu = { .present = true, .cores = 2, .work_bytes_per_second = 2e10,
                                             .conv_bytes_per_second = 7e10 };
const struct gf_device_facts gf_some_gpu = { .present = true, .memory_bytes = INT64_C(1) << 33, .start_seconds = 0.25,
                                             .copy_bytes_per_second = 20e9, .work_bytes_per_second = 1e12 };
const struct gf_device_facts gf_no_gpu_here = { .present = false };

const struct gf_plan_here gf_free_limits = { 0 };

/* Binds the chain. Every second image has 200 by 50 pixels of 4 bytes; the one called "disk" is on disk. */
static int bind_chain(struct gf_fixture *f, const struct gf_format *in, const struct gf_plan_here *terms)
{
    struct gf_bind_options o = { .latency_ms = terms->latency_ms };

    if (gf_chain_list_sides(&f->chain, in->kind, o.side, &o.sides, &f->err) != 0)
        return -1;
    for (int i = 0; i < o.sides; i++) {
        o.side[i].format = (struct gf_format) { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255,
                                                .channels = 4, .alpha = true, .width = 200, .units = 50 };
        o.side[i].on_disk = strcmp(o.side[i].file, "disk") == 0;
    }
    return gf_bind(&f->binding, &f->chain, in, &o, "test", &f->err);
}

static int make_plan(struct gf_fixture *f, enum gf_device_choice where, const struct gf_device_facts *cpu,
                     const struct gf_device_facts *cuda, const struct gf_plan_here *t)
{
    const struct gf_limits limits = { .memory_bytes = t->memory_bytes, .segment_bytes = t->segment_bytes,
                                      .lanes = t->lanes, .threads = t->threads, .latency_ms = t->latency_ms,
                                      .video = t->video };
    const struct gf_plan_request request = {
        .binding = &f->binding, .outputs = &f->outputs, .limits = &limits, .where = where, .cpu = cpu, .cuda = cuda,
        .source = { .signals = t->signals, .again = t->again, .decodes = t->decodes, .encodes = t->encodes },
        .workers = t->workers, .devices = t->devices,
    };

    f->outputs.table = f->binding.table;
    for (int k = 0; k < f->binding.exits; k++)
        f->outputs.stored[k] = f->binding.exit[k].format;
    return gf_plan_make(f->plan, &request, &f->err);
}

void gf_plan_begin(struct gf_fixture *f, const struct gf_format *in, enum gf_device_choice where,
                   const struct gf_device_facts *cuda, const struct gf_plan_here *limits, const char *const *words)
{
    gf_plan_begin_on(f, in, where, &gf_some_cpu, cuda, limits, words);
}

void gf_plan_begin_on(struct gf_fixture *f, const struct gf_format *in, enum gf_device_choice where,
                      const struct gf_device_facts *cpu, const struct gf_device_facts *cuda,
                      const struct gf_plan_here *limits, const char *const *words)
{
    int n = 0;

    memset(f, 0, sizeof *f);
    while (words[n] != NULL)
        n++;
    f->plan = calloc(1, sizeof *f->plan);
    f->result = f->plan == NULL || gf_chain_parse(&f->chain, words, NULL, n, 0, &f->err) != 0
             || gf_chain_load(&f->chain, NULL, &f->err) != 0 || bind_chain(f, in, limits) != 0
             || make_plan(f, where, cpu, cuda, limits) != 0 ? -1 : 0;
    if (f->result != 0)
        printf("# %s\n", f->err.text);
}

void gf_plan_end(struct gf_fixture *f)
{
    gf_binding_release(&f->binding);
    gf_chain_release(&f->chain);
    if (f->plan != NULL)
        gf_plan_release(f->plan);
    free(f->plan);
}
