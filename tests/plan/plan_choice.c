/* Tests the choice of device, and the rates for it. */
#include <string.h>

#include "plan_common.h"
#include "device/rates.h"

void gf_test_choice(void)
{
    struct gf_fixture f;
    struct gf_format large = gf_picture;

    gf_plan_begin(&f, &gf_picture, GF_AUTO, &gf_some_gpu, &gf_free_limits, WORDS("gray"));
    gf_is(f.plan->cuda, false, "a small image does not wait for a GPU");
    gf_plan_end(&f);
    large.width = large.units = 30000;
    gf_plan_begin(&f, &large, GF_AUTO, &gf_some_gpu, &gf_free_limits, WORDS("blur:20"));
    gf_is(f.plan->cuda, true, "a large blur uses the GPU");
    gf_plan_end(&f);
    gf_plan_begin(&f, &large, GF_AUTO, &gf_no_gpu_here, &gf_free_limits, WORDS("blur:20"));
    gf_is(f.plan->cuda, false, "if there is one");
    gf_plan_end(&f);
}

/*
 * Estimates by value: 1000 by 800 pixels of 3 bytes; 2.4 MB in each direction, 9.6 MB for a result
 * in floats.
 */
void gf_test_estimates(void)
{
    const struct gf_device_facts slow = { .present = true, .measured = true, .start_seconds = 1,
                                          .copy_bytes_per_second = 1e6,
                                          .work_bytes_per_second = 1e6, .conv_bytes_per_second = 1e7 };
    struct gf_device_facts fast = slow;
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_AUTO, &slow, &gf_free_limits, WORDS("conv:[1 2 3; 4 5 6; 7 8 10]"));
    /*
     * start, copies, then memory traffic: the copies and one result, and nine weights for each of
     * its bytes
     */
    gf_ok(f.plan->cuda_seconds > 28.83 && f.plan->cuda_seconds < 28.85,
          "1 + 4.8 + 4.8 + 9.6 + 8.64 seconds on a slow GPU");
    gf_ok(f.plan->cuda_measured && !f.plan->cpu_measured, "with measured rates, and with assumed ones");
    gf_ok(!f.plan->cuda, "it is not chosen");
    gf_plan_end(&f);
    fast.start_seconds = fast.copy_bytes_per_second = 0;
    fast.work_bytes_per_second = 1e12;
    fast.conv_bytes_per_second = 0;
    gf_plan_begin(&f, &gf_picture, GF_AUTO, &fast, &gf_free_limits, WORDS("conv:[1 2 3; 4 5 6; 7 8 10]"));
    gf_ok(f.plan->cuda_seconds > 28.7e-6 && f.plan->cuda_seconds < 28.9e-6,
          "14.4 + 14.4 microseconds, with six weights for each light operation");
    gf_ok(f.plan->cuda, "a GPU that is ready is chosen");
    gf_plan_end(&f);
}

/* A million frames of two channels: 4 MB in each direction, 8 MB for a result in floats. */
void gf_test_sound_estimates(void)
{
    const struct gf_device_facts slow = { .present = true, .measured = true, .copy_bytes_per_second = 1e6,
                                          .work_bytes_per_second = 1e6 };
    const struct gf_format sound = { .kind = GF_AUDIO, .type = GF_S16, .bits = 16, .maxval = 1,
                                     .channels = 2, .width = 1,
                                     .units = 1000000, .rate = 48000 };
    struct gf_fixture f;

    gf_plan_begin(&f, &sound, GF_AUTO, &slow, &gf_free_limits, WORDS("bass:3"));
    gf_ok(f.plan->cuda_seconds > 55.99 && f.plan->cuda_seconds < 56.01,
          "8 + 8 + 40: a recursive section is five light operations");
    gf_plan_end(&f);
    gf_plan_begin(&f, &sound, GF_AUTO, &slow, &gf_free_limits, WORDS("gain:-1", "limit"));
    gf_ok(f.plan->cuda_seconds > 87.99 && f.plan->cuda_seconds < 88.01,
          "8 + 8 + 8 + 64: a gain while unpacking, and a limiter, which costs eight");
    gf_plan_end(&f);
    gf_plan_begin(&f, &sound, GF_AUTO, &slow, &gf_free_limits, WORDS("normalize:lufs=-14"));
    gf_ok(f.plan->cuda_seconds > 63.99 && f.plan->cuda_seconds < 64.01,
          "8 + 8 + 40 + 8: measured, kept, and amplified");
    gf_plan_end(&f);
}

void gf_test_rates(void)
{
    static const char *const wrong[] = {
        "", "\n", "cpu", "cpu 0123456789abcdef 1000 measured", "cpu 0123456789abcdef 1000 measured 0 0 nan 0 x",
        "cpu 0123456789abcdef 1000 measured 0 0 -5 0 x", "cpu 0123456789abcdef 1000 measured 0 0 1e300 0 x",
        "cpu 0123456789abcdef 1000 measured 700 0 1e9 0 x", "cpu 0123456789abcdef 1000 Measured 0 0 1e9 0 x",
        "cpu 0123456789abcdef 99999999999999999999 measured 0 0 1e9 0 x",
        "cpu 0123456789abcdef0123456789abcdef 1000 measured 0 0 1e9 0 x",
        "cpu 0123456789abcdef 1000 measured 0 0 0 0 x",
    };
    static const char absent[] = "cuda:0 0123456789abcdef 1000 absent 0 0 0 0 no driver";
    struct gf_device_facts facts = { .present = true, .cores = 7, .memory_bytes = 12345, .work_bytes_per_second = 1 };
    struct gf_rates_line line;
    char text[GF_RATES_TEXT], longest[3000];

    gf_ok(gf_rates_parse("cuda:0 0123456789abcdef 1000 measured 0.25 2e10 1e12 3e12 A GPU, and more\n", 1000, &line),
          "a line of rates");
    gf_ok(strcmp(line.device, "cuda:0") == 0 && strcmp(line.key, "0123456789abcdef") == 0
          && strcmp(line.rates.name, "A GPU, and more") == 0,
          "its words");
    gf_ok(line.rates.start_seconds == 0.25 && line.rates.copy_bytes_per_second == 2e10
          && line.rates.work_bytes_per_second == 1e12
          && line.rates.conv_bytes_per_second == 3e12, "its numbers");
    gf_rates_apply(&line.rates, &facts);
    gf_ok(facts.measured && facts.work_bytes_per_second == 1e12, "are facts");
    gf_ok(facts.memory_bytes == 12345 && facts.cores == 7, "but not of sizes");
    gf_rates_text(&line, text);
    gf_ok(strcmp(text, "cuda:0 0123456789abcdef 1000 measured 0.2500 2e+10 1e+12 3e+12 A GPU, and more\n") == 0,
          "and back");
    gf_ok(gf_rates_parse(text, 1000 + 86401, &line) && gf_rates_parse(text, 2000000000, &line),
          "measured rates do not expire");
    gf_ok(gf_rates_parse(text, 940, &line) && !gf_rates_parse(text, 939, &line), "clocks may differ by a minute");
    gf_ok(gf_rates_parse(absent, 1000, &line) && !line.rates.present, "a missing GPU");
    gf_ok(gf_rates_parse(absent, 1000 + 86400, &line) && !gf_rates_parse(absent, 1000 + 86401, &line),
          "it is valid for one day");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        gf_ok(!gf_rates_parse(wrong[i], 1000, &line), "no line");
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "cpu 0123456789abcdef 1000 measured 0 0 1e9 0 ", 45);
    longest[sizeof longest - 1] = '\0';
    gf_ok(gf_rates_parse(longest, 1000, &line) && strlen(line.rates.name) < sizeof line.rates.name,
          "a very long name is cut");
    gf_rates_text(&line, text);
    gf_ok(strlen(text) < GF_RATES_TEXT && text[strlen(text) - 1] == '\n', "and fits into a line");
}
