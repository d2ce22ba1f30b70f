/*
 * Compares wide blurs with a true Gaussian in double precision: noise, a dot, a step, bars, with
 * every kind of edge.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/base/border.h"
#include "tests/tap.h"

#define MOST 2.2e-4

static const char *const edges[] = { "clamp", "reflect", "mirror", "wrap", "zero" };
static const char *const fills[] = { "noise", "a dot", "a step", "bars" };
static char folder[] = "/tmp/gpufilter-gauss.XXXXXX";
static uint32_t state = 12345;

static double sample(int how, int x, int y, int w, int h)
{
    state = state * 1664525u + 1013904223u;
    switch (how) {
    case 0: return (double)(state >> 16) / 65535;
    case 1: return x == w / 3 && y == h / 2 ? 1 : 0;
    case 2: return x + y < (w + h) / 3 ? 1 : 0;
    default: return x % 16 < 8 ? 1 : 0;
    }
}

/*
 * Computes row x of the answer: the weight of each of n samples for sample x, edges included, cut
 * off at `radius`.
 */
static void fill_matrix(double *m, int n, double sigma, int radius, enum gf_border border)
{
    double sum = 0;

    for (int i = -radius; i <= radius; i++)
        sum += exp(-0.5 * (i / sigma) * (i / sigma));
    memset(m, 0, sizeof *m * (size_t)n * (size_t)n);
    for (int x = 0; x < n; x++)
        for (int i = -radius; i <= radius; i++) {
            const int64_t at = gf_border_index(border, x + i, n);

            if (at >= 0)
                m[(int64_t)x * n + at] += exp(-0.5 * (i / sigma) * (i / sigma)) / sum;
        }
}

/* Blurs a picture of w by h: rows by mx, columns by my. */
static void blur(const double *picture, int w, int h, const double *mx, const double *my, double *between, double *out)
{
    memset(between, 0, sizeof *between * (size_t)(w * h));
    memset(out, 0, sizeof *out * (size_t)(w * h));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int i = 0; i < w; i++)
                between[y * w + x] += mx[x * w + i] * picture[y * w + i];
    for (int y = 0; y < h; y++)
        for (int j = 0; j < h; j++)
            for (int x = 0; x < w; x++)
                out[y * w + x] += my[y * h + j] * between[j * w + x];
}

static void write_picture(const char *name, const double *picture, int w, int h)
{
    FILE *f = fopen(name, "wb");

    fprintf(f, "P5\n%d %d\n65535\n", w, h);
    for (int i = 0; i < w * h; i++) {
        const int v = (int)rint(picture[i] * 65535);

        fputc(v >> 8, f), fputc(v & 255, f);
    }
    fclose(f);
}

/*
 * Returns the largest difference of the PFM, whose rows are stored from bottom to top; a value
 * above all thresholds if there is no file.
 */
static double largest_difference(const char *name, const double *wanted, int w, int h)
{
    FILE *f = fopen(name, "rb");
    double most = 0;
    int width, height;

    if (f == NULL || fscanf(f, "Pf %d %d %*f", &width, &height) != 2 || width != w || height != h || fgetc(f) != '\n')
        most = INFINITY;
    for (int y = h - 1; y >= 0 && most < INFINITY; y--)
        for (int x = 0; x < w; x++) {
            float v = 0;

            if (fread(&v, sizeof v, 1, f) != 1 || !isfinite(v))
                return INFINITY;
            most = fmax(most, fabs((double)v - wanted[y * w + x]));
        }
    if (f != NULL)
        fclose(f);
    return most;
}

static void try_blur(const char *program, double sigma, int edge, int w, int h)
{
    const bool wrap = edge == GF_WRAP;                       /* summed weight by weight, out to three sigmas */
    const int radius = (int)ceil((wrap ? 3 : 7) * sigma);
    double *mx = malloc(sizeof *mx * (size_t)(w * w)), *my = malloc(sizeof *my * (size_t)(h * h));
    double *picture = malloc(3 * sizeof *picture * (size_t)(w * h)), *between = picture + w * h,
                      *wanted = between + w * h;
    char in[100], out[100], command[600];

    snprintf(in, sizeof in, "%s/in.pgm", folder);
    snprintf(out, sizeof out, "%s/out.pfm", folder);
    snprintf(command, sizeof command, "%s --device cpu -i %s blur:%g,edge=%s --depth f32 -o %s", program, in, sigma,
             edges[edge], out);
    fill_matrix(mx, w, sigma, radius, (enum gf_border)edge);
    fill_matrix(my, h, sigma, radius, (enum gf_border)edge);
    for (int how = 0; how < 4; how++) {
        double found;

        for (int i = 0; i < w * h; i++)
            picture[i] = rint(sample(how, i % w, i / w, w, h) * 65535) / 65535;
        write_picture(in, picture, w, h);
        blur(picture, w, h, mx, my, between, wanted);
        remove(out);
        found = system(command) == 0 ? largest_difference(out, wanted, w, h) : INFINITY;
        gf_ok(found <= (wrap ? 1e-5 : MOST), "blur:%g,edge=%s of %s, %d by %d: within %.2g", sigma, edges[edge],
              fills[how], w, h, found);
    }
    remove(in), remove(out);
    free(mx), free(my), free(picture);
}

int main(void)
{
    static const double sigmas[] = { 10, 10.6, 11.9, 12, 13, 15.9, 20, 27, 32, 33.7, 50, 100, 250, 500 };
    static const int sizes[][2] = { { 211, 160 }, { 97, 1 }, { 33, 130 } };
    const char *program = getenv("GPUFILTER");

    if (program == NULL || mkdtemp(folder) == NULL) {
        printf("1..0 # SKIP GPUFILTER does not name the program\n");
        return 0;
    }
    for (size_t s = 0; s < sizeof sigmas / sizeof *sigmas; s++)
        for (int edge = 0; edge < 5; edge++)
            for (int k = 0; k < 3; k++)
                if (k == 0 || s % 3 == 0)
                    try_blur(program, sigmas[s], edge, sizes[k][0], sizes[k][1]);
    rmdir(folder);
    return gf_tap_end();
}
