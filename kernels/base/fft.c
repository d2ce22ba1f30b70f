/*
 * Fourier transforms of real samples on a CPU: by FFTW in single precision if it is built in,
 * otherwise our own in double.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "kernels/base/fft.h"

#include "base/clones.h"
#include "base/pages.h"
#ifdef HAVE_FFTW
#include "kernels/base/libfftw.h"
#endif

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LENGTHS 32

struct gf_fft {
    int64_t n;
#ifdef HAVE_FFTW
    fftwf_plan forward, backward;
#endif
};

/* ---- in double ---- */

/*
 * Fills a[2i], a[2i+1] with w^i for i in [0, n), w = exp(-2πi/(2n)). Each is computed directly, so
 * that errors do not accumulate.
 */
static void turns(int64_t n, double *a)
{
    for (int64_t i = 0; i < n; i++) {
        a[2 * i] = cos(M_PI * (double)i / (double)n);
        a[2 * i + 1] = -sin(M_PI * (double)i / (double)n);
    }
}

/*
 * Computes a round of n/2 butterflies from x to y: n = 2·half·s points, in `half` groups of s with
 * one twiddle factor. The order of the points is corrected on the way.
 */
GF_CLONES
static void butterflies(int64_t half, int64_t s, const double *restrict turn, const double *restrict x,
                        double *restrict y)
{
    for (int64_t p = 0; p < half; p++) {
        const double wr = turn[2 * p * s], wi = turn[2 * p * s + 1];
        const double *a = x + 2 * s * p, *b = x + 2 * s * (p + half);
        double *sum = y + 4 * s * p, *difference = sum + 2 * s;

        for (int64_t q = 0; q < 2 * s; q += 2) {
            const double dr = a[q] - b[q], di = a[q + 1] - b[q + 1];

            sum[q] = a[q] + b[q];
            sum[q + 1] = a[q + 1] + b[q + 1];
            difference[q] = dr * wr - di * wi;
            difference[q + 1] = dr * wi + di * wr;
        }
    }
}

/*
 * Transforms m complex points in `from` by Stockham's method, which needs no reordering. The result
 * is in one of the two arrays.
 */
static double *transform(int64_t m, const double *turn, double *from, double *to)
{
    for (int64_t half = m / 2, s = 1; half >= 1; half /= 2, s *= 2) {
        double *now = from;

        butterflies(half, s, turn, from, to);
        from = to;
        to = now;
    }
    return from;
}

/*
 * Treats pairs of real samples as complex ones: half as many points, whose spectrum contains those
 * of the even and the odd samples. `room`: m/2 factors of the transform, m to separate the two
 * spectra.
 */
void gf_fft_forward(int64_t n, const double *x, double *spectrum, double *room)
{
    const int64_t m = n / 2;
    double *turn = room, *z = room + n;
    const double *f;

    turns(m / 2, turn);
    if (x != spectrum)
        memcpy(spectrum, x, (size_t)n * sizeof *x);
    f = transform(m, turn, spectrum, z);
    if (f != z)
        memcpy(z, f, (size_t)n * sizeof *z);
    turns(m, turn);
    for (int64_t k = 0; k <= m; k++) {
        const double *a = z + 2 * (k % m), *b = z + 2 * ((m - k) % m);
        const double er = (a[0] + b[0]) / 2, ei = (a[1] - b[1]) / 2, or = (a[1] + b[1]) / 2, oi = (b[0] - a[0]) / 2;
        const double wr = k < m ? turn[2 * k] : -1, wi = k < m ? turn[2 * k + 1] : 0;

        spectrum[2 * k] = er + or * wr - oi * wi;
        spectrum[2 * k + 1] = ei + or * wi + oi * wr;
    }
}

void gf_fft_backward(int64_t n, const double *spectrum, double *x, double *room)
{
    const int64_t m = n / 2;
    double *turn = room, *z = room + n;
    const double *f;

    turns(m, turn);
    for (int64_t k = 0; k < m; k++) {                    /* conjugate, because the transform has the other sign */
        const double *a = spectrum + 2 * k, *b = spectrum + 2 * (m - k);
        const double er = a[0] + b[0], ei = a[1] - b[1], dr = a[0] - b[0], di = a[1] + b[1];
        const double wr = turn[2 * k], wi = -turn[2 * k + 1], or = dr * wr - di * wi, oi = dr * wi + di * wr;

        z[2 * k] = er - oi;
        z[2 * k + 1] = -(ei + or);
    }
    turns(m / 2, turn);
    f = transform(m, turn, z, x);
    for (int64_t i = 0; i < n; i++)
        x[i] = i % 2 == 0 ? f[i] : -f[i];
}

/* ---- in single precision ---- */

static struct gf_fft kept[LENGTHS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#ifdef HAVE_FFTW
#define PLAN_BYTES (4 << 20)

static int make_plans(struct gf_fft *f, struct gf_error *err)
{
    float *x, *spectrum;

    if (gf_libfftw_open(err) != 0)
        return -1;
    x = fftwf_malloc((size_t)f->n * sizeof *x);
    spectrum = fftwf_malloc((size_t)(f->n + 2) * sizeof *spectrum);
    /* FFTW calls abort() if memory is short while it plans */
    if (x != NULL && spectrum != NULL && gf_pages_probe(PLAN_BYTES)) {
        f->forward = fftwf_plan_dft_r2c_1d((int)f->n, x, (fftwf_complex *)spectrum, FFTW_ESTIMATE);
        f->backward = fftwf_plan_dft_c2r_1d((int)f->n, (fftwf_complex *)spectrum, x, FFTW_ESTIMATE);
    }
    fftwf_free(x);
    fftwf_free(spectrum);
    if (f->forward != NULL && f->backward != NULL)
        return 0;
    fftwf_destroy_plan(f->forward);                      /* NULL is allowed */
    fftwf_destroy_plan(f->backward);
    f->forward = f->backward = NULL;
    return gf_fail_memory(err, NULL);
}

int64_t gf_fft_room(int64_t n)
{
    (void)n;
    return 0;
}

void gf_fft_run_forward(const struct gf_fft *f, float *x, float *spectrum, float *room)
{
    (void)room;
    fftwf_execute_dft_r2c(f->forward, x, (fftwf_complex *)spectrum);
}

void gf_fft_run_backward(const struct gf_fft *f, float *spectrum, float *x, float *room)
{
    (void)room;
    fftwf_execute_dft_c2r(f->backward, (fftwf_complex *)spectrum, x);
}

const char *gf_fft_word(void)
{
    return "FFTW";
}
#else
static int make_plans(struct gf_fft *f, struct gf_error *err)
{
    (void)f;
    (void)err;
    return 0;
}

/* Samples, spectrum and work space of the transform, in double. */
int64_t gf_fft_room(int64_t n)
{
    return 2 * (n + (n + 2) + 2 * n);
}

void gf_fft_run_forward(const struct gf_fft *f, float *x, float *spectrum, float *room)
{
    double *in = (double *)(void *)room, *out = in + f->n;

    for (int64_t i = 0; i < f->n; i++)
        in[i] = (double)x[i];
    gf_fft_forward(f->n, in, out, out + f->n + 2);
    for (int64_t i = 0; i < f->n + 2; i++)
        spectrum[i] = (float)out[i];
}

void gf_fft_run_backward(const struct gf_fft *f, float *spectrum, float *x, float *room)
{
    double *out = (double *)(void *)room, *in = out + f->n;

    for (int64_t i = 0; i < f->n + 2; i++)
        in[i] = (double)spectrum[i];
    gf_fft_backward(f->n, in, out, in + f->n + 2);
    for (int64_t i = 0; i < f->n; i++)
        x[i] = (float)out[i];
}

const char *gf_fft_word(void)
{
    return "a plain transform in double precision (built without FFTW)";
}
#endif

const struct gf_fft *gf_fft_of(int64_t n, struct gf_error *err)
{
    struct gf_fft *f = NULL;
    int i = 0;

    while (i < LENGTHS - 1 && (INT64_C(1) << i) < n)
        i++;
    /* only one thread may plan with FFTW at a time; any thread may run a plan */
    pthread_mutex_lock(&lock);
    f = &kept[i];
    if (f->n == 0) {
        f->n = n;
        if (make_plans(f, err) != 0) {
            f->n = 0;
            f = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
    return f;
}
