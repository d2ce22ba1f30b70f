/* Tests the choice of device, and the rates for it. */
#include <string.h>

#include "plan_common.h"
#include "device/rates.h"
#include "run/worker.h"

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

/* ---- machines ---- */

/* One core of a server, as the CPU's facts assume it, and GPUs by their memory and multiprocessors. */
#define SERVER(n) { .present = true, .cores = n, .work_bytes_per_second = n * 14e9, .conv_bytes_per_second = n * 60e9 }

static const struct gf_device_facts server[] = { SERVER(2), SERVER(16), SERVER(64) };
static const struct gf_device_facts large_gpu = { .present = true, .fuses = true, .start_seconds = 0.25,
                                                  .copy_bytes_per_second = 12e9, .work_bytes_per_second = 2.2e12,
                                                  .conv_bytes_per_second = 2.6e13 };
static const struct gf_device_facts old_gpu = { .present = true, .fuses = true, .start_seconds = 0.25,
                                                .copy_bytes_per_second = 6e9, .work_bytes_per_second = 5e10,
                                                .conv_bytes_per_second = 5e11 };

/* Checks the choice for an image of bytes or floats of three channels. */
static void check_choice(const struct gf_device_facts *cpu, const struct gf_device_facts *cuda, int64_t width,
                         int64_t rows, enum gf_type type, const char *stage, bool expected, const char *what)
{
    struct gf_format in = gf_picture;
    struct gf_fixture f;

    in.width = width;
    in.units = rows;
    in.type = type;
    in.bits = type == GF_F32 ? 32 : 8;
    in.maxval = type == GF_F32 ? 0 : 255;
    gf_plan_begin_on(&f, &in, GF_AUTO, cpu, cuda, &gf_free_limits, WORDS(stage));
    if (f.plan->cuda != expected)
        printf("# cpu %.3f s, cuda %.3f s\n", f.plan->cpu_seconds, f.plan->cuda_seconds);
    gf_is(f.plan->cuda, expected, "%s", what);
    gf_plan_end(&f);
}

/* Many files: each core has a worker, the start of a GPU is shared, and its estimate is for one file of many. */
static void check_batch(void)
{
    const struct gf_plan_here one_of_many = { .threads = 1, .lanes = 1, .workers = 16, .decodes = true,
                                              .encodes = true };
    struct gf_device_facts started = large_gpu;
    struct gf_format photo = gf_picture;
    struct gf_fixture f;

    photo.width = 1600;
    photo.units = 1200;
    started.start_seconds /= 60;
    gf_plan_begin_on(&f, &photo, GF_AUTO, &server[1], &started, &one_of_many, WORDS("resize:50%", "blur:2"));
    gf_ok(f.plan->cpu_seconds > 1.4e-3 && f.plan->cpu_seconds < 2e-3,
          "a photo takes some 27 milliseconds of a core, and 1.7 of the machine");
    gf_is(f.plan->cuda, false, "60 photos end before a GPU would pay");
    gf_plan_end(&f);
    gf_plan_begin_on(&f, &photo, GF_AUTO, &server[1], &started, &one_of_many, WORDS("bilateral:5,0.1"));
    gf_is(f.plan->cuda, true, "unless the stage is slow");
    gf_plan_end(&f);
}

/* A file of frames: the GPU starts once for all of them. */
static void check_frames(void)
{
    const struct gf_plan_here one = { .signals = 1 }, many = { .signals = 900 };
    struct gf_format frame = gf_picture;
    struct gf_fixture f;

    frame.width = 3840;
    frame.units = 2160;
    gf_plan_begin_on(&f, &frame, GF_AUTO, &server[1], &large_gpu, &one, WORDS("blur:2"));
    gf_is(f.plan->cuda, false, "one frame is done before a GPU is ready");
    gf_plan_end(&f);
    gf_plan_begin_on(&f, &frame, GF_AUTO, &server[1], &large_gpu, &many, WORDS("blur:2"));
    gf_is(f.plan->cuda, true, "900 frames are worth its start");
    gf_plan_end(&f);
}

/* Choices that were measured on such machines, or that leave no doubt. */
/* Memory that a CPU plan lacks leaves the GPU, and several GPUs have lanes each. */
static void check_limits(void)
{
    const struct gf_plan_here little = { .memory_bytes = 2 << 20 }, eight = { .devices = 8 };
    struct gf_format wide = gf_picture;
    struct gf_fixture f;

    wide.width = wide.units = 4096;
    gf_plan_begin_on(&f, &wide, GF_CPU, &server[1], &gf_no_gpu_here, &little, WORDS("median:40"));
    gf_is(f.result, -1, "a CPU needs more than 2 MB for a median of this width");
    gf_plan_end(&f);
    gf_plan_begin_on(&f, &wide, GF_AUTO, &server[1], &large_gpu, &little, WORDS("median:40"));
    gf_ok(f.result == 0 && f.plan->cuda, "but a GPU does not, so it is chosen");
    gf_plan_end(&f);
    wide.width = wide.units = 100000;
    gf_plan_begin_on(&f, &wide, GF_CUDA, &server[1], &large_gpu, &eight, WORDS("invert"));
    gf_is(f.plan->pass[0]->lanes, 96, "eight GPUs have twelve lanes each");
    gf_plan_end(&f);
    wide.units = 1000000;
    gf_plan_begin_on(&f, &wide, GF_CUDA, &server[1], &large_gpu, &eight, WORDS("box:900"));
    gf_is(f.plan->pass[0]->lanes, 32, "and four each if halos make segments long");
    gf_plan_end(&f);
}

/* A further GPU must save more than the 0.15 s of its start. */
static void check_gpus(void)
{
    static struct gf_run_context context = { .cuda = { .start_seconds = 0.25 } };
    static struct gf_worker w = { .context = &context, .gpus = { { 0, 1, 2, 3 }, 4 } };

    w.task.plan.cuda_seconds = 0.45;
    gf_is(gf_worker_gpus_that_pay(&w, 1), 1, "0.2 seconds of work are worth one GPU");
    gf_is(gf_worker_gpus_that_pay(&w, 2), 2, "0.4 seconds are worth two");
    gf_is(gf_worker_gpus_that_pay(&w, 100), 4, "20 seconds are worth four");
    gf_is(gf_worker_gpus_that_pay(&w, 0), 4, "and so is a pipe of unknown length");
    w.task.source.signals = 900;
    w.task.plan.cuda_seconds = 0.25 / 900 + 0.0008;
    gf_is(gf_worker_gpus_that_pay(&w, 900), 2, "the frames of a file share the start in the estimate");
}

/* Images of windows are those of the file, or as many as their rate makes of them. */
static void check_windows(void)
{
    static const struct gf_reader_ops ops = { .reading = GF_LABOUR_COPY };
    static const struct gf_read_options eight = { .joined_count = 7 };
    const struct gf_reader like = { .name = "frames" };
    struct gf_format film = gf_picture;
    struct gf_error err = { 0 };
    struct gf_reader *file, *around;

    film.yuv.rate[0] = 25;
    film.yuv.rate[1] = 1;
    file = gf_reader_new(&like, &ops, NULL, &film, &err);
    film.yuv.rate[0] = 50;
    around = file != NULL ? gf_reader_wrap(file, &ops, NULL, &film, &err) : NULL;
    gf_ok(around != NULL, "readers of a window open");
    if (around == NULL)
        return;
    gf_is(gf_worker_count_signals(around), 0, "frames of an unknown number stay unknown in a window");
    file->options = &eight;
    gf_is(gf_worker_count_signals(file), 8, "files that are joined are counted");
    gf_is(gf_worker_count_signals(around), 16, "a window of twice the rate has twice the frames");
    around->format.yuv.rate[0] = 25;
    gf_is(gf_worker_count_signals(around), 8, "a window of the rate of its frames has as many");
    file->options = NULL;
    gf_reader_close(around);
}

/* A frame of a window costs what all frames around it do. */
static void check_frame_costs(void)
{
    static const char *const words[] = { "tmean:3", "tmean:15", "nlmeans:0.1,frames=0", "nlmeans:0.1,frames=2" };
    const struct gf_plan_here many = { .signals = 900 };
    double seconds[4];
    struct gf_fixture f;

    for (int i = 0; i < 4; i++) {
        gf_plan_begin_on(&f, &gf_picture, GF_CPU, &server[1], &gf_no_gpu_here, &many, WORDS(words[i]));
        seconds[i] = f.plan->cpu_seconds;
        gf_plan_end(&f);
    }
    gf_ok(seconds[1] > 1.5 * seconds[0], "a mean of 15 frames takes longer than one of 3");
    gf_ok(seconds[3] > 4 * seconds[2], "nlmeans of five frames takes more than four times as long as of one");
    printf("# %g, %g, %g and %g s\n", seconds[0], seconds[1], seconds[2], seconds[3]);
}

void gf_test_machines(void)
{
    check_windows();
    check_frame_costs();
    check_limits();
    check_gpus();
    check_choice(&server[1], &large_gpu, 16384, 16384, GF_U8, "median:10", true, "a large median: 16 cores are slower");
    check_choice(&server[1], &large_gpu, 4096, 3072, GF_U8, "median:10", false, "12 megapixels: 16 cores are faster");
    check_choice(&server[1], &large_gpu, 16384, 16384, GF_U8, "median:1", false, "a small square, too");
    check_choice(&server[1], &large_gpu, 16384, 16384, GF_U8, "resize:50%", false, "and a small output");
    check_choice(&server[1], &large_gpu, 16384, 16384, GF_U8, "blur:20,radius=60", true,
                 "a wide blur with exact weights of a large image");
    check_choice(&server[1], &large_gpu, 4096, 3072, GF_U8, "blur:20,radius=60", false, "but not of 12 megapixels");
    check_choice(&server[1], &large_gpu, 4096, 3072, GF_U8, "bilateral:5,0.1", true, "a bilateral filter of these");
    check_choice(&server[1], &large_gpu, 4096, 3072, GF_U8, "rotate:30", false, "a rotation of these");
    check_choice(&server[1], &large_gpu, 16384, 16384, GF_F32, "median:20", false,
                 "a GPU is slow at large medians of floats");
    check_choice(&server[0], &large_gpu, 4096, 3072, GF_U8, "blur:2", false, "two cores are faster at a small blur");
    check_choice(&server[0], &large_gpu, 4096, 3072, GF_U8, "blur:20,radius=60", true, "and slower at a wide one");
    check_choice(&server[0], &large_gpu, 4096, 3072, GF_U8, "median:10", true, "and at a large median");
    check_choice(&server[0], &large_gpu, 4096, 3072, GF_U8, "tv:0.1,iterations=100", true, "and at total variation");
    check_batch();
    check_frames();
    check_choice(&server[2], &old_gpu, 16384, 16384, GF_U8, "bilateral:5,0.1", false, "64 cores beat an old GPU");
    check_choice(&server[2], &old_gpu, 16384, 16384, GF_U8, "blur:2", false, "in any case");
    check_choice(&server[0], &old_gpu, 16384, 16384, GF_U8, "bilateral:5,0.1", true, "which still helps two cores");
}

/* ---- estimates by value ---- */

/*
 * 1000 by 800 pixels of 3 bytes; 2.4 MB in each direction, 9.6 MB for a result in floats.
 */
void gf_test_estimates(void)
{
    const struct gf_device_facts slow = { .present = true, .measured = true, .start_seconds = 1, .cores = 1,
                                          .copy_bytes_per_second = 1e6,
                                          .work_bytes_per_second = 1e6, .conv_bytes_per_second = 1e7 };
    const struct gf_plan_here codes = { .decodes = true, .encodes = true };
    struct gf_device_facts fast = slow;
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_AUTO, &slow, &gf_free_limits, WORDS("conv:[1 2 3; 4 5 6; 7 8 10]"));
    gf_ok(f.plan->cuda_seconds > 24.03 && f.plan->cuda_seconds < 24.2,
          "1 + 4.8 + 9.6 + 8.64 seconds on a slow GPU: start, copies, a result, and nine weights for its bytes");
    gf_ok(f.plan->cuda_measured && !f.plan->cpu_measured, "with measured rates, and with assumed ones");
    gf_ok(!f.plan->cuda, "it is not chosen");
    gf_plan_end(&f);
    gf_plan_begin_on(&f, &gf_picture, GF_CPU, &slow, &gf_no_gpu_here, &gf_free_limits,
                     WORDS("conv:[1 2 3; 4 5 6; 7 8 10]"));
    gf_ok(f.plan->cpu_seconds > 44.2 && f.plan->cpu_seconds < 44.5,
          "1 + (1.1 + 1 + 1.5) 9.6 + 8.64 on a slow core, which also unpacks, packs, and computes some rows again");
    gf_plan_end(&f);
    fast.start_seconds = fast.copy_bytes_per_second = 0;
    fast.work_bytes_per_second = 1e12;
    fast.conv_bytes_per_second = 0;
    gf_plan_begin(&f, &gf_picture, GF_AUTO, &fast, &gf_free_limits, WORDS("conv:[1 2 3; 4 5 6; 7 8 10]"));
    gf_ok(f.plan->cuda_seconds > 762e-6 && f.plan->cuda_seconds < 765e-6,
          "218 + 545 microseconds on a fast GPU: pages for the output, then writing by four lanes, the longest part");
    gf_ok(f.plan->cuda, "a GPU that is ready is chosen");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_AUTO, &fast, &codes, WORDS("conv:[1 2 3; 4 5 6; 7 8 10]"));
    gf_ok(f.plan->cuda_seconds > 4.79e-3 && f.plan->cuda_seconds < 4.81e-3
          && f.plan->cpu_seconds > 4.79e-3 && f.plan->cpu_seconds < 4.81e-3,
          "decoding takes 4.8 milliseconds, more than everything else, on any device");
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
    gf_ok(f.plan->cuda_seconds > 47.99 && f.plan->cuda_seconds < 48.01,
          "8 + 40: copies, and a recursive section, which is five light operations");
    gf_plan_end(&f);
    gf_plan_begin(&f, &sound, GF_AUTO, &slow, &gf_free_limits, WORDS("gain:-1", "limit"));
    gf_ok(f.plan->cuda_seconds > 79.99 && f.plan->cuda_seconds < 80.05,
          "8 + 8 + 64: a gain while unpacking, and a limiter, which costs eight");
    gf_plan_end(&f);
    gf_plan_begin(&f, &sound, GF_AUTO, &slow, &gf_free_limits, WORDS("normalize:lufs=-14"));
    gf_ok(f.plan->cuda_seconds > 55.99 && f.plan->cuda_seconds < 56.05,
          "8 + 40 + 8: measured, kept, and amplified");
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
          "a line of rates: its words");
    gf_ok(line.rates.start_seconds == 0.25 && line.rates.copy_bytes_per_second == 2e10
          && line.rates.work_bytes_per_second == 1e12
          && line.rates.conv_bytes_per_second == 3e12, "a line of rates: its numbers");
    gf_rates_apply(&line.rates, &facts);
    gf_ok(facts.measured && facts.work_bytes_per_second == 1e12, "rates become facts of the device");
    gf_ok(facts.memory_bytes == 12345 && facts.cores == 7, "rates do not change sizes of the device");
    gf_rates_text(&line, text);
    gf_ok(strcmp(text, "cuda:0 0123456789abcdef 1000 measured 0.2500 2e+10 1e+12 3e+12 A GPU, and more\n") == 0,
          "a line of rates is the same when it is written again");
    gf_ok(gf_rates_parse(text, 1000 + 86401, &line) && gf_rates_parse(text, 2000000000, &line),
          "measured rates do not expire");
    gf_ok(gf_rates_parse(text, 940, &line) && !gf_rates_parse(text, 939, &line), "clocks may differ by a minute");
    gf_ok(gf_rates_parse(absent, 1000, &line) && !line.rates.present, "a line about a missing GPU");
    gf_ok(gf_rates_parse(absent, 1000 + 86400, &line) && !gf_rates_parse(absent, 1000 + 86401, &line),
          "a line about a missing GPU is valid for one day");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        gf_ok(!gf_rates_parse(wrong[i], 1000, &line), "wrong line %zu is no line of rates", i);
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "cpu 0123456789abcdef 1000 measured 0 0 1e9 0 ", 45);
    longest[sizeof longest - 1] = '\0';
    gf_ok(gf_rates_parse(longest, 1000, &line) && strlen(line.rates.name) < sizeof line.rates.name,
          "a very long name is cut");
    gf_rates_text(&line, text);
    gf_ok(strlen(text) < GF_RATES_TEXT && text[strlen(text) - 1] == '\n', "a very long name fits into a line");
}
