/* Words that people type and read: the nearest of several, lists, numbers with suffixes, sizes. */
#include "base/words.h"

#include "base/elementary.h"

#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * Returns the number of edits that turn a into b: insertions,
 * deletions, substitutions and swaps of neighbors.
 */
static int distance(const char *a, const char *b)
{
    enum { MOST = 31 };
    int rows[3][MOST + 1];
    int na = (int)strlen(a), nb = (int)strlen(b);
    int *before = rows[0], *last = rows[1], *row = rows[2];

    if (na > MOST || nb > MOST)
        return MOST;
    for (int j = 0; j <= nb; j++)
        last[j] = j;
    for (int i = 1; i <= na; i++) {
        int *spare = before;

        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            int cost = a[i - 1] != b[j - 1];
            int best = last[j - 1] + cost;

            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
        before = last;
        last = row;
        row = spare;
    }
    return last[nb];
}

const char *gf_nearest_word(const char *word, const char *const *names)
{
    const size_t length = strlen(word);
    const char *best = NULL, *completion = NULL;
    /* a distance below this is near enough; short words allow less */
    int least = length <= 4 ? 2 : length <= 7 ? 3 : 4;

    for (; *names != NULL; names++) {
        int d = distance(word, *names);

        if (completion == NULL && length >= 3 && strncmp(*names, word, length) == 0)
            completion = *names;
        if (d < least && d < (int)strlen(*names)) {
            least = d;
            best = *names;
        }
    }
    return completion != NULL && least > 1 ? completion : best;
}

void gf_nearest_words(const char *word, const char *const *names, char *to, size_t size)
{
    const char *near = gf_nearest_word(word, names);
    size_t length = 0;

    snprintf(to, size, "%s", near ? near : "");
    for (int i = 0; near == NULL && names[i] != NULL; i++)           /* no near one: list all */
        if (length + strlen(names[i]) + 3 < size)
            length += (size_t)snprintf(to + length, size - length, "%s%s", length > 0 ? ", " : "", names[i]);
}

void gf_join_words(const char *const *choices, char *text, size_t bytes)
{
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; choices[i] != NULL && used < bytes; i++) {
        const char *between = i == 0 ? "" : choices[i + 1] == NULL ? " or " : ", ";
        int n = snprintf(text + used, bytes - used, "%s%s", between, choices[i]);

        used += n > 0 ? (size_t)n : 0;
    }
}

void gf_capital_word(const char *word, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s", word);
    for (; *text != '\0'; text++)
        *text = (char)toupper((unsigned char)*text);
}

int gf_parse_number(const char *text, double *value)
{
    char *end;

    if (*text == '\0' || isspace((unsigned char)*text) || strpbrk(text, "xX") != NULL)     /* no hexadecimals */
        return -1;
    *value = strtod(text, &end);
    if (end == text)
        return -1;
    if (strcmp(end, "k") == 0)
        *value *= 1000.0;
    else if (strcmp(end, "%") == 0)
        *value /= 100.0;
    else if (strcasecmp(end, "dB") == 0)
        *value = gf_pow(10, *value / 20);
    else if (*end != '\0')
        return -1;
    return 0;
}

int gf_parse_bytes(const char *text, int64_t *value)
{
    static const char suffixes[] = "KMGT";
    const char *suffix;
    char *end;
    double n = strtod(text, &end);

    if (end == text || !(n >= 0))
        return -1;
    if (*end != '\0') {
        suffix = strchr(suffixes, toupper((unsigned char)*end));
        if (suffix == NULL || (end[1] != '\0' && strcasecmp(end + 1, "B") != 0 && strcasecmp(end + 1, "iB") != 0))
            return -1;
        n = ldexp(n, 10 * (int)(suffix - suffixes + 1));
    }
    if (n > 9e18)
        return -1;
    *value = (int64_t)n;
    return 0;
}

void gf_bytes_text(int64_t bytes, char *text)
{
    static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB" };
    double n = (double)bytes;
    int k = 0;

    for (; n >= 1024 && k < 4; k++)
        n /= 1024;
    snprintf(text, 40, k == 0 ? "%.0f %s" : "%.1f %s", n, units[k]);
}

int gf_fail_limit(struct gf_error *err, const char *name, const char *what, int64_t needs, int64_t limit,
                  const char *option)
{
    char need[40], most[40];

    gf_bytes_text(limit, most);
    if (needs <= limit)
        return gf_fail(err, GF_FAILED, "%s: %sneeds more than %s;; raise %s to read it", name, what, most, option);
    gf_bytes_text(needs, need);
    return gf_fail(err, GF_FAILED, "%s: %sneeds %s, but the limit is %s;; raise %s to read it", name, what, need, most,
                   option);
}

bool gf_is_selected(const char *only, const char *name)
{
    char pattern[1000];

    if (only == NULL)
        return true;
    if (only[0] == '=')
        return strcmp(name, only + 1) == 0;
    snprintf(pattern, sizeof pattern, "*%s*", only);
    return strstr(name, only) != NULL || fnmatch(pattern, name, 0) == 0;
}
