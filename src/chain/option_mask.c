/* Reads masks: rows of numbers, from an argument or a text file, channels of an audio file, or a gray image. */
#include "chain/option_mask.h"

#include "base/path.h"
#include "base/words.h"
#include "io/io.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_MAX (64 << 20)
#define PIECE          4096                  /* frames of audio */
#define METADATA_BYTES (INT64_C(1) << 28)    /* most of audio; the samples are counted by themselves */

static int grow(struct gf_mask *mask, int count, struct gf_error *err)
{
    double *more;

    if (count < 16 || (count & (count - 1)) != 0)
        return 0;                                        /* the memory doubles at powers of two */
    more = realloc(mask->weights, (size_t)count * 2 * sizeof *more);
    if (more == NULL)
        return gf_fail_memory(err, NULL);
    mask->weights = more;
    return 0;
}

/* Ends the row that began at weight `start`. An empty row does not count. */
static int end_row(const char *what, const char *noun, struct gf_mask *mask, int start, int count, struct gf_error *err)
{
    if (count == start)
        return 0;
    if (mask->rows > 0 && count - start != mask->columns)
        return gf_fail(err, GF_MISUSED, "%s: row %d of the %s has %d numbers, the rows above have %d",
                       what, mask->rows + 1, noun, count - start, mask->columns);
    mask->columns = count - start;
    mask->rows++;
    return 0;
}

/*
 * Reads numbers separated by blanks or commas. Rows end at ';' or, in a file, at the end of a line.
 * A '#' starts a comment in a file.
 */
static int read_rows(const char *what, const char *noun, const char *text, bool file, struct gf_mask *mask,
                     struct gf_error *err)
{
    int count = 0, start = 0;

    mask->weights = malloc(16 * sizeof *mask->weights);
    if (mask->weights == NULL)
        return gf_fail_memory(err, NULL);
    while (*text != '\0') {
        char *end;
        double weight;

        if (file && *text == '#') {
            text += strcspn(text, "\n");
        } else if (*text == ';' || (file && *text == '\n')) {
            if (end_row(what, noun, mask, start, count, err) != 0)
                return -1;
            start = count;
            text++;
        } else if (isspace((unsigned char)*text) || *text == ',') {
            text++;
        } else {
            weight = strtod(text, &end);
            if (end == text || !isfinite(weight) || (*end != '\0' && strchr(" \t\r\n;,#", *end) == NULL))
                return gf_fail(err, GF_MISUSED, "%s: '%.*s' in the %s is not a number", what,
                               (int)(strcspn(text, " \t\n;") < 40 ? strcspn(text, " \t\n;") : 40), text, noun);
            if (count == GF_OPTION_MASK_WEIGHTS)
                return gf_fail(err, GF_MISUSED, "%s: the %s: more than %d numbers", what, noun, GF_OPTION_MASK_WEIGHTS);
            if (grow(mask, count, err) != 0)
                return -1;
            mask->weights[count++] = weight;
            text = end;
        }
    }
    if (end_row(what, noun, mask, start, count, err) != 0)
        return -1;
    return mask->rows > 0 ? 0 : gf_fail(err, GF_MISUSED, "%s: no numbers for the %s", what, noun);
}

char *gf_option_mask_read_text(const char *what, const struct gf_option *row, const char *name, struct gf_error *err)
{
    size_t n, most = FILE_BYTES_MAX;
    char range[500], *text;
    struct stat s;
    FILE *f;

    if (gf_path_is_folder(name)) {
        gf_fail(err, GF_FAILED, "%s: %s is a folder; name a file in it", what, name);
        return NULL;
    }
    f = fopen(name, "r");
    if (f == NULL) {
        const int why = errno;

        gf_option_range(row, range, sizeof range);
        gf_fail_system(err, why, "%s: %s; %s takes %s", what, name, row->name, range);
        return NULL;
    }
    if (fstat(fileno(f), &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0 && s.st_size < FILE_BYTES_MAX)
        most = (size_t)s.st_size + 1;            /* one more, which shows that the file has grown */
    text = malloc(most + 1);
    if (text == NULL) {
        fclose(f);
        gf_fail_memory(err, what);
        return NULL;
    }
    n = fread(text, 1, most, f);
    text[n] = '\0';
    if (ferror(f) || n == most || memchr(text, '\0', n) != NULL) {
        gf_fail(err, GF_FAILED, "%s: %s is not a text file%s", what, name, row->colors ? "" : " of numbers");
        free(text);
        text = NULL;
    }
    fclose(f);
    return text;
}

/* Reports a word that is neither a mask nor a file. */
static int refuse_word(const char *what, const struct gf_option *row, const char *word, struct gf_error *err)
{
    const char *names[65], *near;
    int n = 0;

    for (; n < 64 && row->masks[n].name != NULL; n++)
        names[n] = row->masks[n].name;
    names[n] = NULL;
    near = gf_nearest_word(word, names);
    gf_fail(err, GF_MISUSED, "%s: no mask or file is called '%.80s'", what, word);
    if (near != NULL)
        gf_error_advise(err, "did you mean '%s'?", near);
    else if (strspn(word, "+-0123456789") > 0)
        gf_error_advise(err, "numbers stand in brackets, such as '[1 2 1; 2 4 2; 1 2 1]'");
    else
        gf_error_advise_shell(err, "--help with the name of the stage lists the masks");
    return -1;
}

int gf_option_mask_check(const char *what, const struct gf_option *row, const char *word, struct gf_error *err)
{
    char range[500];

    if (access(word, F_OK) == 0)
        return 0;
    if (row->masks != NULL && strpbrk(word, "[./") == NULL)
        return refuse_word(what, row, word, err);
    if (!row->sound && !row->colors && !row->counts)
        return 0;
    gf_option_range(row, range, sizeof range);
    return gf_fail(err, GF_MISUSED, "%s: no such file: '%.200s'; %s must be %s", what, word, row->name, range);
}

int gf_option_mask_parse(const char *what, const struct gf_option *row, const char *word, struct gf_mask *mask,
                         struct gf_error *err)
{
    size_t n = strlen(word);
    char *text;
    int result;

    *mask = (struct gf_mask) { 0 };
    if (n >= 2 && word[0] == '[' && word[n - 1] == ']') {
        text = strndup(word + 1, n - 2);
        if (text == NULL)
            return gf_fail_memory(err, NULL);
    } else {
        text = gf_option_mask_read_text(what, row, word, err);
        if (text == NULL)
            return -1;
    }
    result = read_rows(what, row->name, text, word[0] != '[', mask, err);
    free(text);
    if (result != 0) {
        free(mask->weights);
        mask->weights = NULL;
    }
    return result;
}

/* ---- audio files ---- */

bool gf_option_mask_is_binary(const char *name)
{
    unsigned char bytes[4096];
    struct stat s;
    bool found = false;
    size_t n;
    FILE *f;

    if (stat(name, &s) != 0 || !S_ISREG(s.st_mode) || (f = fopen(name, "rb")) == NULL)
        return false;
    n = fread(bytes, 1, sizeof bytes, f);
    for (size_t i = 0; i < n; i++)
        found = found || bytes[i] < '\t';
    fclose(f);
    return found;
}

/* Returns sample i. Readers of audio deliver 16 bits or more; levels of images stay integers. */
static double value_of(const struct gf_format *f, const void *samples, int64_t i)
{
    switch (f->type) {
    case GF_U8: return ((const uint8_t *)samples)[i];
    case GF_U16: return ((const uint16_t *)samples)[i];
    case GF_S16: return ((const int16_t *)samples)[i] / 32768.0;
    case GF_S32: return ((const int32_t *)samples)[i] / 2147483648.0;
    case GF_F32: return (double)((const float *)samples)[i];
    default: return ((const double *)samples)[i];
    }
}

/* Reads all frames, or all rows of an array, into *interleaved. */
static int64_t read_all(struct gf_reader *r, const char *what, double **interleaved, struct gf_error *err)
{
    const struct gf_format *f = &r->format;
    const int64_t each = f->width * f->channels, most = each < PIECE ? PIECE / each : 1;
    void *piece = malloc((size_t)most * gf_unit_bytes(f));
    int64_t frames = 0, n = 0;

    *interleaved = NULL;
    while (piece != NULL && (n = gf_reader_read(r, piece, most, err)) > 0) {
        double *more = (frames + n) * each > GF_OPTION_MASK_WEIGHTS ? NULL
                     : realloc(*interleaved, (size_t)((frames + n) * each) * sizeof *more);

        if (more == NULL) {
            n = gf_fail(err, GF_FAILED, "%s: %s is too long; at most %d samples, which must fit into memory", what,
                        r->name, GF_OPTION_MASK_WEIGHTS);
            break;
        }
        *interleaved = more;
        for (int64_t i = 0; i < n * each; i++)
            more[frames * each + i] = value_of(f, piece, i);
        frames += n;
    }
    if (piece == NULL)
        n = gf_fail_memory(err, what);
    if (n == 0 && frames == 0)
        n = gf_fail(err, GF_MISUSED, "%s: %s has no samples", what, r->name);
    free(piece);
    return n < 0 ? -1 : frames;
}

static int check_finite(const char *what, const struct gf_reader *r, const double *interleaved, int64_t frames,
                        struct gf_error *err)
{
    const bool image = r->format.kind == GF_IMAGE;
    const int64_t each = image ? r->format.width : r->format.channels;

    for (int64_t i = 0; i < frames * each; i++)
        if (!isfinite(interleaved[i]))
            return gf_fail(err, GF_MISUSED, "%s: %s: %s %lld, %s %d, is not a number", what, r->name,
                           image ? "row" : "frame", (long long)(i / each), image ? "column" : "channel",
                           (int)(i % each) + 1);
    return 0;
}

/* Reads an impulse response, with a row per channel. */
static int read_response(const char *what, struct gf_reader *r, struct gf_mask *mask, struct gf_error *err)
{
    double *interleaved = NULL;
    int64_t frames;
    int result = -1;

    *mask = (struct gf_mask) { 0 };
    frames = read_all(r, what, &interleaved, err);
    if (frames < 0 || check_finite(what, r, interleaved, frames, err) != 0)
        goto out;
    mask->rows = r->format.channels;
    mask->columns = (int)frames;
    mask->rate = r->format.rate;
    mask->weights = malloc((size_t)(mask->rows * frames) * sizeof *mask->weights);
    if (mask->weights == NULL) {
        gf_fail_memory(err, what);
        goto out;
    }
    for (int64_t i = 0; i < mask->rows * frames; i++)
        mask->weights[i % mask->rows * frames + i / mask->rows] = interleaved[i];
    result = 0;
out:
    free(interleaved);
    return result;
}

static int read_sound(const char *what, const char *name, struct gf_mask *mask, struct gf_error *err)
{
    const struct gf_read_options options = { .audio_only = "a response must be an audio file or a text of numbers",
                                             .max_bytes = METADATA_BYTES };
    struct gf_reader *r = gf_reader_open(name, &options, err);
    int result;

    *mask = (struct gf_mask) { 0 };
    if (r == NULL)
        return -1;
    result = read_response(what, r, mask, err);
    gf_reader_close(r);
    return result;
}

/* True for a file that does not begin like a text of numbers. */
static bool is_image(const char *name)
{
    struct stat s;
    FILE *f;
    int first;

    if (stat(name, &s) != 0 || !S_ISREG(s.st_mode) || (f = fopen(name, "rb")) == NULL)
        return false;
    first = getc(f);
    fclose(f);
    return first != EOF && strchr("0123456789+-.,;# \t\r\n", first) == NULL;
}

static int read_pixels(const char *what, const struct gf_option *row, struct gf_reader *r, struct gf_mask *mask,
                       struct gf_error *err)
{
    int64_t rows;

    if (r->format.kind != GF_IMAGE || r->format.channels != 1 || r->format.yuv.used)
        return gf_fail(err, GF_MISUSED, "%s: %s is not a gray image, as %s must be;; write: gpufilter -i %s gray -o "
                       "NAME.png", what, r->name, row->name, r->name);
    rows = read_all(r, what, &mask->weights, err);
    if (rows < 0 || check_finite(what, r, mask->weights, rows, err) != 0)
        return -1;
    mask->rows = (int)rows;
    mask->columns = (int)r->format.width;
    return 0;
}

static int read_image(const char *what, const struct gf_option *row, const char *name, struct gf_mask *mask,
                      struct gf_error *err)
{
    const struct gf_read_options options = { .max_pixels = GF_OPTION_MASK_WEIGHTS, .max_bytes = METADATA_BYTES };
    struct gf_reader *r = gf_reader_open(name, &options, err);
    int result;

    *mask = (struct gf_mask) { 0 };
    if (r == NULL)
        return -1;
    result = read_pixels(what, row, r, mask, err);
    gf_reader_close(r);
    if (result != 0) {
        free(mask->weights);
        mask->weights = NULL;
    }
    return result;
}

/* Reads an array: audio as a response, an image as a matrix. */
static int read_array(const char *what, const struct gf_option *row, struct gf_reader *r, struct gf_mask *mask,
                      struct gf_error *err)
{
    const struct gf_format *f = &r->format;
    int64_t rows;

    if (f->kind == GF_AUDIO)
        return row->sound ? read_response(what, r, mask, err)
            : gf_fail(err, GF_MISUSED, "%s: %s is audio; give the %s as an image", what, r->name, row->name);
    if (f->channels != 1 || (f->type != GF_F32 && f->type != GF_F64))
        return gf_fail(err, GF_MISUSED, "%s: %s has other samples; give the %s as floats of one channel", what, r->name,
                       row->name);
    *mask = (struct gf_mask) { 0 };
    rows = read_all(r, what, &mask->weights, err);
    if (rows < 0 || check_finite(what, r, mask->weights, rows, err) != 0) {
        free(mask->weights);
        mask->weights = NULL;
        return -1;
    }
    mask->rows = (int)rows;
    mask->columns = (int)f->width;
    return 0;
}

int gf_option_mask_read(const char *what, const struct gf_option *row, const char *file, struct gf_reader *array,
                        struct gf_mask *mask, struct gf_error *err)
{
    return array != NULL ? read_array(what, row, array, mask, err)
        : row->sound && gf_option_mask_is_binary(file) ? read_sound(what, file, mask, err)
        : row->image && is_image(file) ? read_image(what, row, file, mask, err)
        : gf_option_mask_parse(what, row, file, mask, err);
}
