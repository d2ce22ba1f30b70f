/* Long filters by Fourier transforms, on every device: known results, and the same bytes for any cut. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "kernels/operations.h"
#include "kernels/base/fft.h"
#include "kernels/neighbourhood/fftconv.h"
#include "tests/tap.h"

#define POINTS 300                       /* units that are computed in double */
#define SCRATCH_ALIGNED(n) (((n) + 127) / 64 * 64)

static uint64_t state = 99;
static struct gf_device gpu;
static bool gpu_open;
static char gpu_why[300];

static const char *device_name = "CPU";  /* of the device that is tested */

static void ok(bool good, const char *what, long long a, long long b, long long c)
{
    gf_ok(good, "%s, %s (%lld, %lld, %lld)", what, device_name, a, b, c);
    gf_said.text[0] = '\0';
}

static double uniform(void)
{
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return (double)(state * UINT64_C(2685821657736338717) >> 11) / (double)(UINT64_C(1) << 53);
}

static int64_t below(int64_t n)
{
    return (int64_t)(uniform() * (double)n);
}

/* ---- the transforms themselves ---- */

/* Returns the bits of p, 2^log in all, in reverse. */
static int64_t reversed(int64_t p, int log)
{
    int64_t r = 0;

    for (int bit = 0; bit < log; bit++)
        r = 2 * r + (p >> bit) % 2;
    return r;
}

/* Returns how far value number p is from the polynomial at exp(iθ), relative to the sum of the points. */
static double value_error(const float *x, int64_t n, int64_t p, int log, enum gf_fft_ring ring, double re, double im)
{
    const double turn = ((double)reversed(p, log) + (ring == GF_FFT_FILTER ? 0.25 : 0)) / (double)n;
    double r = 0, i = 0, sum = 0;

    for (int64_t t = 0; t < n; t++) {
        const double at = 2 * M_PI * fmod(turn * (double)t, 1), a = (double)x[t], b = (double)x[n + t];

        r += a * cos(at) - b * sin(at);
        i += a * sin(at) + b * cos(at);
        sum += fabs(a) + fabs(b);
    }
    return fmax(fabs(re - r), fabs(im - i)) / sum;
}

/* Values are those of the polynomial, in doubles and in floats, and the points come back. */
static void test_transform(int log, enum gf_fft_ring ring)
{
    const int64_t n = INT64_C(1) << log;
    double *tree = malloc((size_t)(4 * n) * sizeof *tree), *values = tree + 2 * n, exact = 0, rounded = 0, back = 0;
    float *turns = malloc((size_t)(gf_fft_turns_floats(n) + 4 * n) * sizeof *turns);
    float *x = turns + gf_fft_turns_floats(n), *y = x + 2 * n;
    const struct gf_fft fft = { n, turns };

    gf_fft_fill_tree(n, ring, tree);
    gf_fft_fill_turns(n, tree, turns);
    for (int64_t t = 0; t < 2 * n; t++)
        values[t] = (double)(x[t] = y[t] = (float)(uniform() - 0.3));
    gf_fft_in_double(n, tree, values, values + n);
    gf_fft_forward(&fft, y, y + n);
    for (int64_t p = 0; p < n; p += 1 + p / 7) {
        const int64_t at = gf_fft_place(p);

        exact = fmax(exact, value_error(x, n, p, log, ring, values[p], values[n + p]));
        rounded = fmax(rounded, value_error(x, n, p, log, ring, (double)y[at], (double)y[n + at]));
    }
    gf_fft_backward(&fft, y, y + n);
    for (int64_t t = 0; t < 2 * n; t++)
        back = fmax(back, fabs((double)(y[t] / (float)n - x[t])));
    ok(exact < 1e-14, "values in double are those of the polynomial", n, ring, 0);
    ok(rounded < 3e-7, "values in floats are those of the polynomial", n, ring, 0);
    ok(back < 6e-7, "points come back from their values", n, ring, 0);
    free(tree);
    free(turns);
}

static void test_transforms(void)
{
    for (int log = 6; log <= 13; log++) {
        test_transform(log, GF_FFT_CIRCLE);
        test_transform(log, GF_FFT_FILTER);
    }
}

/* ---- convolution ---- */

struct trial {
    struct gf_fftconv f;
    struct gf_format format;
    float *pool;                 /* the taps, then their spectra */
    int64_t pool_count;
    unsigned char *in, *out, *cut;
    bool planar;
};

static double in_at(const struct trial *t, int64_t unit, int c)
{
    const int64_t i = t->planar ? c * t->format.units + unit : unit * t->format.channels + c;

    if (unit < 0 || unit >= t->format.units)
        return 0;
    return t->format.type == GF_S16 ? ((const int16_t *)(void *)t->in)[i] / 32768.0
           : (double)((const float *)(void *)t->in)[i];
}

static struct gf_block block(const struct trial *t, void *data, struct gf_span span)
{
    return t->planar ? gf_block_planar(data, &t->format, span, 1, gf_span_units(span))
           : gf_block_packed(data, &t->format, span);
}

/* Planar results, so that they can be compared to the last bit. */
static struct gf_block result(const struct trial *t, void *data, struct gf_span span)
{
    return gf_block_planar(data, &t->format, span, 1, t->format.units);
}

static int run_cpu(const struct trial *t, const struct gf_io *io)
{
    struct gf_work w = { .masks = t->pool, .scratch_bytes = gf_op_scratch_bytes(&gf_op_fftconv.cpu, &t->f, io) };
    int failed;

    w.scratch = aligned_alloc(64, SCRATCH_ALIGNED(w.scratch_bytes));
    failed = w.scratch == NULL || gf_op_fftconv.cpu.body(&w, io, &t->f, &gf_said) != 0;
    free(w.scratch);
    return failed;
}

static int run_gpu(const struct trial *t, const struct gf_io *io)
{
    const struct gf_device_kind *k = &gf_device_cuda;
    const size_t src_bytes = (size_t)(gf_span_units(io->src.span) * t->format.channels) * gf_type_bytes(io->src.type);
    const size_t dst_bytes = (size_t)((io->dst.channels - 1) * io->dst.plane_samples + gf_span_units(io->dst.span))
                             * sizeof(float);
    const size_t said = gf_op_scratch_bytes(&gf_op_fftconv.cuda, &t->f, io);
    struct gf_io there = *io;
    struct gf_work w = k->work(&gpu);
    size_t most;
    void *src = NULL, *dst = NULL;
    int failed = k->alloc(&gpu, src_bytes, &src, &gf_said) != 0 || k->alloc(&gpu, dst_bytes, &dst, &gf_said) != 0;

    there.src.data = src;
    there.dst.data = dst;
    k->borrowed(&gpu);
    failed = failed || k->upload(&gpu, src, io->src.data, src_bytes, &gf_said) != 0
             || k->upload(&gpu, dst, io->dst.data, dst_bytes, &gf_said) != 0
          || gf_device_body(k, &gf_op_fftconv)(&w, &there, &t->f, &gf_said) != 0 || k->wait(&gpu, &gf_said) != 0
          || k->download(&gpu, io->dst.data, dst, dst_bytes, &gf_said) != 0;
    most = k->borrowed(&gpu);
    if (most > said) {
        printf("# %zu bytes were borrowed, not %zu at most\n", most, said);
        failed = 1;
    }
    k->release(&gpu, src);
    k->release(&gpu, dst);
    return failed;
}

/* Computes units `out` of the result from only those units of the input that the plan would read. */
static int run(const struct trial *t, bool on_gpu, struct gf_span out, unsigned char *to)
{
    const int64_t first = out.start / t->f.step * t->f.step - gf_fftconv_before(&t->f);
    const int64_t last = gf_round_up(out.end, t->f.step) + t->f.late;
    struct gf_span need = { first < 0 ? 0 : first, last < t->format.units ? last : t->format.units };
    const struct gf_span span = { 0, t->format.units };
    struct gf_block all = block(t, t->in, span), whole = result(t, to, span);
    struct gf_io io = { .src_units = t->format.units };
    unsigned char *copy;
    size_t unit;
    int failed;

    need.start = need.start < t->format.units ? need.start : t->format.units - 1;
    io.src = block(t, NULL, need);
    unit = gf_type_bytes(io.src.type);
    /* a block of its own, so that sanitizers notice reads outside */
    copy = malloc((size_t)(gf_span_units(need) * t->format.channels) * unit);
    if (t->planar)
        for (int c = 0; c < t->format.channels; c++)
            memcpy(copy + (size_t)(c * gf_span_units(need)) * unit,
                   t->in + (size_t)(c * t->format.units + need.start) * unit,
                   (size_t)gf_span_units(need) * unit);
    else
        memcpy(copy, gf_block_part(&all, need).data, (size_t)(gf_span_units(need) * t->format.channels) * unit);
    io.src.data = copy;
    io.dst = gf_block_part(&whole, out);
    failed = on_gpu ? run_gpu(t, &io) : run_cpu(t, &io);
    free(copy);
    return failed;
}

/* Returns the largest error of POINTS units (of all, if there are fewer), relative to the largest value. */
static double error_of(const struct trial *t)
{
    const int64_t units = t->format.units, n = t->f.taps;
    double worst = 0, largest = 1e-30;

    for (int64_t i = 0; i < (units < POINTS ? units : POINTS); i++) {
        const int64_t third = i == 2 && t->f.step < units ? t->f.step : below(units);
        const int64_t u = units <= POINTS ? i : i == 0 ? 0 : i == 1 ? units - 1 : third;

        for (int c = 0; c < t->format.channels; c++) {
            const float *last = t->pool + t->f.taps_at + ((t->f.mask_channels > 1 ? c : 0) + 1) * n - 1;
            const double got = (double)((const float *)(void *)t->out)[c * units + u];
            double wanted = 0;

            for (int64_t k = 0; k < n; k++)
                wanted += (double)last[-k] * in_at(t, u + t->f.late - k, c);
            worst = fmax(worst, fabs(got - wanted));
            worst = got == got ? worst : INFINITY;
            largest = fmax(largest, fabs(wanted));
        }
    }
    return worst / largest;
}

static bool open_trial(struct trial *t, int64_t taps, int64_t late, int64_t most_step, int64_t units, int channels,
                       bool each, int form)
{
    memset(t, 0, sizeof *t);
    t->f.late = late;
    t->f.mask_channels = each ? channels : 1;
    gf_fftconv_shape(&t->f, taps, most_step);
    t->format = (struct gf_format) { .kind = GF_AUDIO, .type = form == 0 ? GF_S16 : GF_F32,
                                     .bits = form == 0 ? 16 : 32, .maxval = 1, .channels = channels, .width = 1,
                                     .units = units > 0 ? units : -units * t->f.step / 2, .rate = 48000 };
    t->planar = form == 2;
    t->f.taps_at = 2;
    t->f.spectra_at = (2 + taps * t->f.mask_channels + 1) / 2 * 2;
    t->pool_count = t->f.spectra_at + gf_fftconv_spectra_samples(&t->f);
    t->pool = calloc((size_t)t->pool_count, sizeof(float));
    t->in = malloc((size_t)(t->format.units * channels) * sizeof(float));
    t->out = malloc((size_t)(t->format.units * channels) * sizeof(float));
    t->cut = malloc((size_t)(t->format.units * channels) * sizeof(float));
    for (int64_t i = 0; i < taps * t->f.mask_channels; i++)
        t->pool[t->f.taps_at + i] = (float)(uniform() - 0.5);
    for (int64_t i = 0; i < t->format.units * channels; i++)
        if (form == 0)
            ((int16_t *)(void *)t->in)[i] = (int16_t)(below(65536) - 32768);
        else
            ((float *)(void *)t->in)[i] = (float)(uniform() - 0.5);
    return gf_fftconv_fill(&t->f, t->pool + t->f.taps_at, t->pool + t->f.spectra_at) == 0;
}

static void close_trial(struct trial *t)
{
    free(t->pool), free(t->in), free(t->out), free(t->cut);
}

static bool know_pools(const struct trial *t, bool on_gpu)
{
    const struct gf_pools pools = { t->pool, t->pool, t->pool_count, 1 };

    return !on_gpu || gpu.kind->set_pools(&gpu, &pools, &gf_said) == 0;
}

static void try(bool on_gpu, int64_t taps, int64_t late, int64_t most_step, int64_t units, int channels,
                bool each, int form)
{
    struct trial t;
    bool good = open_trial(&t, taps, late, most_step, units, channels, each, form) && know_pools(&t, on_gpu);
    const size_t bytes = (size_t)(t.format.units * channels) * sizeof(float);
    double e = INFINITY;

    good = good && run(&t, on_gpu, (struct gf_span) { 0, t.format.units }, t.out) == 0;
    if (good)
        e = error_of(&t);
    ok(e < 1e-6, on_gpu ? "taps, most units a block, units: within 1e-6 on a GPU"
                        : "taps, most units a block, units: within 1e-6",
       taps, most_step, t.format.units);
    if (!(e < 1e-6))
        printf("# off by %.3g of the largest value; size %lld, step %lld, %d parts\n", e, (long long)t.f.size,
               (long long)t.f.step, t.f.parts);
    memset(t.cut, 0xA5, bytes);
    for (int64_t u = 0, n; good && u < t.format.units; u += n) {
        n = 1 + below(t.format.units > 4 * t.f.step ? 3 * t.f.step : t.format.units / 3 + 1);
        n = n < t.format.units - u ? n : t.format.units - u;
        good = run(&t, on_gpu, (struct gf_span) { u, u + n }, t.cut) == 0;
    }
    ok(good && memcmp(t.cut, t.out, bytes) == 0, "and the same bytes however it is cut", taps, most_step,
       t.format.units);
    close_trial(&t);
}

/* A loud channel next to a silent one, which stays silent to the bit; a single tap only delays. */
static void try_known(bool on_gpu)
{
    struct trial t;
    bool good = open_trial(&t, 20000, 0, 0, 50000, 2, false, 2) && know_pools(&t, on_gpu), silent = true, late = true;

    memset(t.in + 50000 * sizeof(float), 0, 50000 * sizeof(float));
    good = good && run(&t, on_gpu, (struct gf_span) { 0, 50000 }, t.out) == 0;
    for (int i = 0; i < 50000; i++)
        silent = silent && ((float *)(void *)t.out)[50000 + i] == 0.0f;
    ok(good && silent, "silence beside noise stays silence", 20000, 0, 0);
    memset(t.pool, 0, (size_t)t.pool_count * sizeof(float));
    t.pool[t.f.taps_at + 19999 - 12345] = 1;
    good = gf_fftconv_fill(&t.f, t.pool + t.f.taps_at, t.pool + t.f.spectra_at) == 0 && know_pools(&t, on_gpu)
        && run(&t, on_gpu, (struct gf_span) { 0, 50000 }, t.out) == 0;
    for (int i = 0; i < 50000; i++)
        late = late && fabs((double)((float *)(void *)t.out)[i] - in_at(&t, i - 12345, 0)) < 5e-7;
    ok(good && late, "one tap of 1, the 12346th, delays by 12345", 20000, 0, 0);
    close_trial(&t);
}

/* A store program that makes one channel of two: their mean. */
static void try_mixed(bool on_gpu, int64_t taps)
{
    const int64_t units = 30000;
    const struct gf_point_step mean = { .kind = GF_POINT_MEAN, .channels = 2, .outs = 1 };
    struct gf_point store;
    struct trial t;
    bool good = open_trial(&t, taps, 0, 0, units, 2, true, 1) && know_pools(&t, on_gpu);
    struct gf_io io = { .src_units = units, .store = &store };
    const float *y = (const float *)(void *)t.out, *mixed = (const float *)(void *)t.cut;
    double largest = 0, off = 0;

    gf_point_init(&store, 2);
    io.src = block(&t, t.in, (struct gf_span) { 0, units });
    io.dst = result(&t, t.cut, (struct gf_span) { 0, units });
    io.dst.channels = 1;
    good = good && gf_point_add(&store, &mean) == 0 && run(&t, on_gpu, (struct gf_span) { 0, units }, t.out) == 0
        && (on_gpu ? run_gpu(&t, &io) : run_cpu(&t, &io)) == 0;
    for (int64_t i = 0; good && i < units; i++) {
        const double wanted = ((double)y[i] + (double)y[units + i]) / 2;

        largest = fmax(largest, fabs(wanted));
        off = fmax(off, fabs((double)mixed[i] - wanted));
    }
    ok(good && largest > 1 && off < 1e-6 * largest, "two channels to their mean behind it: taps", taps, 0, 0);
    close_trial(&t);
}

/* A tone that a lowpass rejects. The error is that of the terms, so the bound is the largest possible result. */
static void try_rejected(bool on_gpu)
{
    const int64_t n = 20001, units = 60000;
    struct trial t;
    bool good = open_trial(&t, n, 0, 0, units, 1, false, 1);
    double all = 0, worst = 0, largest = 0, bound;

    for (int64_t k = 0; k < n; k++) {
        const double x = (double)(k - n / 2), turn = 2 * M_PI * (double)k / (double)(n - 1);

        const double window = 0.42 - 0.5 * cos(turn) + 0.08 * cos(2 * turn);

        t.pool[t.f.taps_at + k] = (float)(window * (x == 0 ? 0.2 : sin(0.2 * M_PI * x) / (M_PI * x)));
        all += fabs((double)t.pool[t.f.taps_at + k]);
    }
    for (int64_t i = 0; i < units; i++)
        ((float *)(void *)t.in)[i] = (float)sin(2 * M_PI * 0.37 * (double)i);
    bound = 1 * all;                                             /* samples are at most 1 */
    good = good && gf_fftconv_fill(&t.f, t.pool + t.f.taps_at, t.pool + t.f.spectra_at) == 0 && know_pools(&t, on_gpu)
        && run(&t, on_gpu, (struct gf_span) { 0, units }, t.out) == 0;
    for (int64_t u = n; good && u < units; u += 97) {
        double wanted = 0;

        for (int64_t k = 0; k < n; k++)
            wanted += (double)t.pool[t.f.taps_at + n - 1 - k] * in_at(&t, u - k, 0);
        worst = fmax(worst, fabs((double)((const float *)(void *)t.out)[u] - wanted));
        largest = fmax(largest, fabs(wanted));
    }
    ok(good && largest < 1e-4 && worst < 2e-7 * bound,
       "what is rejected is right to 2e-7 of the most that could come out", n, 0, units);
    printf("# %.2g is left; off by %.2g, which is %.2g of the most that could come out\n", largest, worst,
           worst / bound);
    close_trial(&t);
}

/* Checks values: blocks are as long as allowed, and parts are as many as needed. */
static void test_shapes(void)
{
    struct gf_fftconv f = { 0 };

    for (int64_t n = 1; n <= GF_FFTCONV_MAX_TAPS; n += 1 + n / 3)
        for (int64_t most = 0; most < 3000; most += 1 + most * 2) {
            gf_fftconv_shape(&f, n, most);
            if (f.parts * f.part < n || (f.parts - 1) * f.part >= n || f.part > f.size - f.step + 1 || f.step < 1
                || (most > 0 && f.step > most && most >= 8)
                || (f.parts > 1 && f.part != f.step) || (f.size & (f.size - 1)) != 0) {
                ok(false, "a shape that can't work: taps, step, parts", n, f.step, f.parts);
                return;
            }
        }
    ok(true, "every shape holds its taps, in blocks that are not too long", 0, 0, 0);
}

static void test_device(bool on_gpu)
{
    static const int64_t lengths[] = { 1, 2, 64, 65, 96, 97, 192, 193, 255, 1023, 1024, 1025, 8191, 8192, 8193, 16384,
                                       16385, 65535, 65537 };

    if (on_gpu && !gpu_open) {
        gf_no_gpu("long filters on a GPU", gpu_why);
        return;
    }
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const int64_t n = lengths[i];

        try(on_gpu, n, 0, 0, n > 20000 ? -4 : -5, 1 + (int)(i % 3), i % 2 == 1, (int)(i % 3));
        try(on_gpu, n, (n - 1) / 2, 480, n > 20000 ? 5000 : 2300, 2, i % 2 == 0, (int)((i + 1) % 3));
    }
    try(on_gpu, 300, 299, 0, 1, 1, false, 1);
    try(on_gpu, 300, 0, 0, 4096 - 320 - 1, 1, false, 1);
    try(on_gpu, 300, 0, 0, 4096 - 320, 1, false, 1);
    try(on_gpu, 300, 0, 0, 4096 - 320 + 1, 1, false, 1);
    try(on_gpu, 9000, 8999, 64, 3000, 6, true, 0);
    try(on_gpu, 300, 150, 9, 500, 2, true, 2);
    try(on_gpu, 1 << 20, 1 << 19, 0, 1500000, 1, false, 1);
    try_mixed(on_gpu, 64);
    try_mixed(on_gpu, 400);
    try_mixed(on_gpu, 8192);
    try_mixed(on_gpu, 20000);
    try_known(on_gpu);
    try_rejected(on_gpu);
}

int main(void)
{
    struct gf_device_facts facts;

    gf_device_cuda.facts(0, &facts, gpu_why, sizeof gpu_why);
    if (facts.present) {
        gpu.kind = &gf_device_cuda;
        gpu_open = gpu.kind->open(&gpu, 0, &gf_said) == 0;
        snprintf(gpu_why, sizeof gpu_why, "%.250s", gf_said.text);
    }
    test_transforms();
    test_shapes();
    test_device(false);
    device_name = "GPU";
    test_device(true);
    if (gpu_open)
        gpu.kind->close(&gpu);
    return gf_tap_end();
}
