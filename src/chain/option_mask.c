/* Reads masks: rows of numbers, from an argument or a text file. */
#include "chain/option_mask.h"

#include "base/path.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_BYTES_MAX (64 << 20)

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

static void fail_folder(const char *what, const char *name, struct gf_error *err)
{
    gf_fail(err, GF_FAILED, "%s: %s is a folder; name a file in it", what, name);
}

static char *read_file(const char *what, const struct gf_option *row, const char *name, struct gf_error *err)
{
    FILE *f = fopen(name, "r");
    char *text = NULL;
    size_t n, most = FILE_BYTES_MAX;
    struct stat s = { 0 };

    if (f == NULL) {
        char range[500];
        const int why = errno;

        if (gf_path_is_folder(name)) {           /* a sandbox hides it from fopen() only */
            fail_folder(what, name, err);
            return NULL;
        }
        gf_option_range(row, range, sizeof range);
        gf_fail_system(err, why, "%s: %s; %s takes %s", what, name, row->name, range);
        return NULL;
    }
    if (fstat(fileno(f), &s) == 0 && S_ISDIR(s.st_mode)) {
        fail_folder(what, name, err);
        goto out;
    }
    if (S_ISREG(s.st_mode) && s.st_size > 0 && s.st_size < FILE_BYTES_MAX)
        most = (size_t)s.st_size + 1;            /* one more, which shows that the file has grown */
    text = malloc(most + 1);
    if (text == NULL) {
        gf_fail_memory(err, what);
        goto out;
    }
    n = fread(text, 1, most, f);
    text[n] = '\0';
    if (ferror(f) || n == most || memchr(text, '\0', n) != NULL) {
        gf_fail(err, GF_FAILED, "%s: %s is not a text file of numbers", what, name);
        free(text);
        text = NULL;
    }
out:
    fclose(f);
    return text;
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
        text = read_file(what, row, word, err);
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

/* Stores the identity of the file, which no output may replace. */
static void identify(struct gf_mask *mask)
{
    struct stat st;

    if (stat(mask->file, &st) != 0 || !S_ISREG(st.st_mode))
        return;
    mask->device = (uint64_t)st.st_dev;
    mask->inode = (uint64_t)st.st_ino;
}

int gf_option_mask_load(const char *what, const struct gf_option *row, struct gf_mask *mask, struct gf_error *err)
{
    char *const file = mask->file;
    int result;

    if (file == NULL || mask->weights != NULL)
        return 0;
    if (row->sound && gf_option_mask_is_sound(file))
        result = gf_option_mask_read_sound(what, file, mask, err);
    else
        result = gf_option_mask_parse(what, row, file, mask, err);
    mask->file = file;
    if (result == 0)
        identify(mask);
    return result;
}
