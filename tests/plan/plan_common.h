/* Shared by tests of the plan: signals, devices, and a chain with its plan. */
#ifndef GF_PLAN_COMMON_H
#define GF_PLAN_COMMON_H

#include "chain/binding.h"
#include "plan/plan.h"
#include "tests/tap.h"

extern const struct gf_format gf_picture;                    /* 1000 by 800, bytes of red, green and blue */
extern const struct gf_format gf_recording;                  /* two channels of 16 bits, of unknown length */
extern const struct gf_device_facts gf_some_cpu, gf_some_gpu, gf_no_gpu_here;
/* The limits of a plan, and the other terms that tests change. */
struct gf_plan_here {
    int64_t memory_bytes, segment_bytes, signals;
    int lanes, threads, workers, latency_ms, devices, video;
    bool again, decodes, encodes;
};

extern const struct gf_plan_here gf_free_limits;

/* A chain bound to a signal, and its plan. */
struct gf_fixture {
    struct gf_chain chain;
    struct gf_binding binding;
    struct gf_outputs outputs;
    struct gf_plan *plan;
    struct gf_error err;
    int result;
};

#define WORDS(...) ((const char *const[]) { __VA_ARGS__, NULL })

/* Sets f->result to 0, or to -1 with the reason in f->err. Call gf_plan_end() in both cases. */
void gf_plan_begin(struct gf_fixture *f, const struct gf_format *in, enum gf_device_choice where,
                   const struct gf_device_facts *cuda, const struct gf_plan_here *limits, const char *const *words);
/* Plans for a machine with another CPU. */
void gf_plan_begin_on(struct gf_fixture *f, const struct gf_format *in, enum gf_device_choice where,
                      const struct gf_device_facts *cpu, const struct gf_device_facts *cuda,
                      const struct gf_plan_here *limits, const char *const *words);
void gf_plan_end(struct gf_fixture *f);

/* ---- the tests ---- */

typedef void gf_test(void);

gf_test gf_test_carry, gf_test_histories;
gf_test gf_test_wide_blur, gf_test_gpu_segments, gf_test_together;
gf_test gf_test_resize, gf_test_segments, gf_test_spools, gf_test_reads_again, gf_test_sides;
gf_test gf_test_textures;
gf_test gf_test_choice, gf_test_machines, gf_test_estimates, gf_test_sound_estimates, gf_test_rates;

#endif
