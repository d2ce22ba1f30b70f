/* Reads tables of colors, as text (.cube) or as images, and histograms of images. */
#include "chain/option_table.h"

#include "chain/option_mask.h"
#include "io/io.h"
#include "kernels/base/color_cube.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define IMAGE_BYTES (INT64_C(1) << 31)
#define MOST_NUMBER 1e6                  /* products of larger ones with levels may be beyond float */
#define MOST_ENTRIES 65536               /* of a curve */

/* ---- .cube ---- */

/* Reads the numbers after a keyword, which are all that its line has. Returns how many there are, at most 3, or -1. */
static int read_numbers(const char *text, double *number)
{
    int n = 0;

    for (;;) {
        char *end;

        text += strspn(text, " \t\r");
        if (*text == '\n' || *text == '\0' || *text == '#')
            return n;
        if (n == 3)
            return -1;
        number[n] = strtod(text, &end);
        if (end == text || !(fabs(number[n]) <= MOST_NUMBER))
            return -1;
        n++;
        text = end;
    }
}

static int refuse_line(const char *what, const char *file, int line, const char *text, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: %s: line %d: '%.*s' is not a line of a .cube file, with numbers of at "
                   "most 1e6", what, file, line,
                   (int)(strcspn(text, "\r\n") < 40 ? strcspn(text, "\r\n") : 40), text);
}

/* Sets the size of the table, and allocates its entries. */
static int set_size(const char *what, const char *file, struct gf_mask *mask, bool cube, double size,
                    struct gf_error *err)
{
    const int most = cube ? GF_CUBE_MOST : MOST_ENTRIES;

    if (mask->weights != NULL)
        return gf_fail(err, GF_FAILED, "%s: %s has two tables; only files with one are supported", what, file);
    if (size != floor(size) || size < 2 || size > most)
        return gf_fail(err, GF_FAILED, "%s: %s has %g entries along %s; must be 2 to %d", what, file, size,
                       cube ? "an edge of the cube" : "the curve", most);
    mask->cube = cube ? (int)size : 0;
    mask->rows = (int)(cube ? size * size * size : size);
    mask->columns = 3;
    mask->weights = malloc((size_t)mask->rows * 3 * sizeof *mask->weights);
    return mask->weights != NULL ? 0 : gf_fail_memory(err, what);
}

/* Reads a line that begins with a letter. */
static int read_keyword(const char *what, const char *file, int line, const char *text, struct gf_mask *mask,
                        struct gf_error *err)
{
    static const char *const words[] = { "TITLE", "LUT_1D_SIZE", "LUT_3D_SIZE", "DOMAIN_MIN", "DOMAIN_MAX",
                                         "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE" };
    const size_t length = strcspn(text, " \t\r\n");
    double number[3];
    int word = 0, n;

    while (word < 7 && (strlen(words[word]) != length || memcmp(words[word], text, length) != 0))
        word++;
    if (word == 0)
        return 0;
    n = read_numbers(text + length, number);
    if (word == 7 || n != (word < 3 ? 1 : word < 5 ? 3 : 2))
        return refuse_line(what, file, line, text, err);
    if (word < 3)
        return set_size(what, file, mask, word == 2, number[0], err);
    for (int c = 0; c < 3; c++) {
        if (word != 4)
            mask->low[c] = number[word == 3 ? c : 0];
        if (word != 3)
            mask->high[c] = number[word == 4 ? c : 1];
    }
    return 0;
}

static int read_cube(const char *what, const char *file, const char *text, struct gf_mask *mask, struct gf_error *err)
{
    int entries = 0;

    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)      /* the byte order mark of UTF-8, as editors on Windows write it */
        text += 3;
    for (int line = 1; *text != '\0'; line++) {
        text += strspn(text, " \t\r");
        if (isalpha((unsigned char)*text)) {
            if (read_keyword(what, file, line, text, mask, err) != 0)
                return -1;
        } else if (*text != '#' && *text != '\n' && *text != '\0') {
            if (mask->weights == NULL || entries == mask->rows
                || read_numbers(text, mask->weights + 3 * (size_t)entries) != 3)
                return mask->weights != NULL && entries == mask->rows
                    ? gf_fail(err, GF_FAILED, "%s: %s: line %d: the table has more than its %d entries", what, file,
                              line, mask->rows) : refuse_line(what, file, line, text, err);
            entries++;
        }
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    if (mask->weights == NULL)
        return gf_fail(err, GF_FAILED, "%s: %s has no line LUT_1D_SIZE or LUT_3D_SIZE, so it is no .cube file", what,
                       file);
    if (entries < mask->rows)
        return gf_fail(err, GF_FAILED, "%s: %s ends after %d of its %d entries", what, file, entries, mask->rows);
    for (int c = 0; c < 3; c++)
        if (!(mask->high[c] > mask->low[c]))
            return gf_fail(err, GF_FAILED, "%s: %s: the domain is %g to %g; the second number must be greater", what,
                           file, mask->low[c], mask->high[c]);
    return 0;
}

/* ---- images ---- */

static double sample_of(const struct gf_format *f, const void *samples, int64_t i)
{
    switch (f->type) {
    case GF_U8: return (double)((const uint8_t *)samples)[i] / f->maxval;
    case GF_U16: return (double)((const uint16_t *)samples)[i] / f->maxval;
    case GF_F32: return (double)((const float *)samples)[i];
    case GF_F64: return ((const double *)samples)[i];
    default: return 0;
    }
}

static int check_image(const char *what, const struct gf_reader *r, struct gf_error *err)
{
    const struct gf_format *f = &r->format;

    if (f->kind != GF_IMAGE)
        return gf_fail(err, GF_MISUSED, "%s: %s is audio; name an image", what, r->name);
    if (f->yuv.used || (gf_colours(f) != 1 && gf_colours(f) != 3))
        return gf_fail(err, GF_FAILED, "%s: %s must be an image in gray or RGB", what, r->name);
    return 0;
}

/* Chooses the table by the sides of an image: L^3 by L^3 pixels are a cube (Hald), and a row or a column is a curve. */
static int set_shape(const char *what, const struct gf_reader *r, struct gf_mask *mask, struct gf_error *err)
{
    const int64_t width = r->format.width, height = r->format.units;
    int level = 2;

    while (level < 12 && (int64_t)level * level * level < width)
        level++;
    if ((width == 1 || height == 1) && width * height >= 2)
        return set_size(what, r->name, mask, false, (double)(width * height), err);
    if (width == height && (int64_t)level * level * level == width && gf_colours(&r->format) == 3)
        return set_size(what, r->name, mask, true, level * level, err);
    return gf_fail(err, GF_FAILED, "%s: %s is %lldx%lld; must be a .cube file, a Hald image in RGB such as 512x512, or "
                   "an image of one row", what, r->name, (long long)width, (long long)height);
}

/* Gives each row of the image to `take`, which may fail. */
static int read_rows(const char *what, struct gf_reader *r, struct gf_mask *mask,
                     int (*take)(const char *what, const struct gf_reader *r, struct gf_mask *mask, int64_t row,
                                 const void *samples, struct gf_error *err), struct gf_error *err)
{
    void *samples = malloc(gf_unit_bytes(&r->format));
    int64_t row = 0, n = 1;

    if (samples == NULL)
        return gf_fail_memory(err, what);
    while (n > 0) {
        n = gf_reader_read(r, samples, 1, err);
        if (n > 0)
            n = take(what, r, mask, row++, samples, err) == 0 ? n : -1;
    }
    free(samples);
    if (n == 0 && row != r->format.units)
        return gf_fail(err, GF_FAILED, "%s: %s is truncated", what, r->name);
    return n < 0 ? -1 : 0;
}

/* Fails because of a sample that is no number. */
static int fail_sample(const char *what, const struct gf_reader *r, int64_t row, int64_t x, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: %s: row %lld, column %lld is not a number", what, r->name, (long long)row,
                   (long long)x);
}

static int take_colors(const char *what, const struct gf_reader *r, struct gf_mask *mask, int64_t row,
                       const void *samples, struct gf_error *err)
{
    const struct gf_format *f = &r->format;
    const int colours = gf_colours(f);

    for (int64_t x = 0; x < f->width; x++)
        for (int c = 0; c < 3; c++) {
            const double v = sample_of(f, samples, x * f->channels + (colours == 3 ? c : 0));

            if (!isfinite(v))
                return fail_sample(what, r, row, x, err);
            mask->weights[(row * f->width + x) * 3 + c] = v;
        }
    return 0;
}

static int bin_of(double v)
{
    return v > 0 ? (int)nearbyint(v < 1 ? v * (GF_COUNTED_BINS - 1) : GF_COUNTED_BINS - 1) : 0;
}

/* Counts the samples of a gray image in one row; those of a color image in three, and luma in a fourth. */
static int take_counts(const char *what, const struct gf_reader *r, struct gf_mask *mask, int64_t row,
                       const void *samples, struct gf_error *err)
{
    const struct gf_format *f = &r->format;

    for (int64_t x = 0; x < f->width; x++) {
        double v[4];

        for (int c = 0; c < mask->rows && c < 3; c++) {
            v[c] = sample_of(f, samples, x * f->channels + c);
            if (!isfinite(v[c]))
                return fail_sample(what, r, row, x, err);
        }
        v[3] = mask->rows == 4 ? .299 * v[0] + .587 * v[1] + .114 * v[2] : 0;
        for (int c = 0; c < mask->rows; c++)
            mask->weights[(int64_t)c * GF_COUNTED_BINS + bin_of(v[c])]++;
    }
    return 0;
}

static int read_image(const char *what, const struct gf_option *row, struct gf_reader *r, struct gf_mask *mask,
                      struct gf_error *err)
{
    if (check_image(what, r, err) != 0)
        return -1;
    if (row->colors)
        return set_shape(what, r, mask, err) != 0 ? -1 : read_rows(what, r, mask, take_colors, err);
    mask->rows = gf_colours(&r->format) == 3 ? 4 : 1;
    mask->columns = GF_COUNTED_BINS;
    mask->weights = calloc((size_t)mask->rows * GF_COUNTED_BINS, sizeof *mask->weights);
    return mask->weights == NULL ? gf_fail_memory(err, what) : read_rows(what, r, mask, take_counts, err);
}

/* True for an image: a binary file, or one of the PNM family as text. */
static bool is_image(const char *file)
{
    char start[2] = "";
    struct stat s;
    size_t n;
    FILE *f;

    if (stat(file, &s) != 0 || !S_ISREG(s.st_mode) || (f = fopen(file, "rb")) == NULL)
        return false;                    /* a pipe would lose what is read here, and is taken as a .cube file */
    n = fread(start, 1, sizeof start, f);
    fclose(f);
    return (n == sizeof start && start[0] == 'P' && isdigit((unsigned char)start[1])) || gf_option_mask_is_binary(file);
}

static int read_file(const char *what, const struct gf_option *row, const char *file, struct gf_mask *mask,
                     struct gf_error *err)
{
    const struct gf_read_options options = { .max_bytes = IMAGE_BYTES, .images = 1 };
    struct gf_reader *r;
    char *text;
    int result;

    if (row->colors && !is_image(file)) {
        text = gf_option_mask_read_text(what, row, file, err);
        result = text != NULL ? read_cube(what, file, text, mask, err) : -1;
        free(text);
        return result;
    }
    r = gf_reader_open(file, &options, err);
    result = r != NULL ? read_image(what, row, r, mask, err) : -1;
    if (r != NULL)
        gf_reader_close(r);
    return result;
}

int gf_option_table_read(const char *what, const struct gf_option *row, const char *file, struct gf_reader *array,
                         struct gf_mask *mask, struct gf_error *err)
{
    *mask = (struct gf_mask) { .high = { 1, 1, 1 } };
    return array != NULL ? read_image(what, row, array, mask, err) : read_file(what, row, file, mask, err);
}
