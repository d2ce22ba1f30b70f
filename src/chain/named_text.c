/* Reads files of stages: blanks, comments, quotes, brackets and the values of $name; arguments and descriptions. */
#include "chain/named_text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_MAX (1 << 20)
#define WORD_BYTES_MAX (1 << 20)
#define NAME_BYTES 64

void gf_named_text_place(const char *path, int line, char *place)
{
    const size_t length = strlen(path), most = GF_NAMED_TEXT_PLACE_BYTES - 20;

    snprintf(place, GF_NAMED_TEXT_PLACE_BYTES, "%s%s:%d", length > most ? "..." : "", length > most
             ? path + length - most : path, line);
}

static int fail_at(const struct gf_named_text *t, int line, struct gf_error *err)
{
    char place[GF_NAMED_TEXT_PLACE_BYTES];

    gf_named_text_place(t->path, line, place);
    gf_error_place(err, place, NULL);
    return -1;
}

/* ---- the file ---- */

/* Fails if the text has control characters, which could move a terminal's cursor. */
static int check_text(const struct gf_named_text *t, size_t bytes, struct gf_error *err)
{
    int line = 1;

    for (size_t i = 0; i < bytes; i++) {
        const unsigned char c = (unsigned char)t->text[i];

        line += c == '\n';
        if ((c < ' ' && !isspace(c)) || c == 127) {
            gf_fail(err, GF_MISUSED, "not a text file of stages: it has a byte 0x%02x", c);
            return fail_at(t, line, err);
        }
    }
    if (bytes <= FILE_BYTES_MAX)
        return 0;
    return gf_fail(err, GF_MISUSED, "%.300s: not a file of stages, it is larger than %d MB", t->path,
                   FILE_BYTES_MAX >> 20);
}

static int read_file(struct gf_named_text *t, int fd, bool any, struct gf_error *err)
{
    struct stat s;
    size_t used = 0;
    ssize_t n = 1;

    if (fd < 0 || fstat(fd, &s) != 0)
        return gf_fail_system(err, errno, "%.300s", t->path);
    if (S_ISDIR(s.st_mode))
        return gf_fail(err, GF_FAILED, "%.300s is a folder, not a file of stages", t->path);
    if (!any && !S_ISREG(s.st_mode))
        return gf_fail(err, GF_FAILED, "%.300s is not a file of stages", t->path);
    t->device = (uint64_t)s.st_dev;
    t->number = (uint64_t)s.st_ino;
    t->text = malloc(FILE_BYTES_MAX + 2);
    if (t->text == NULL)
        return gf_fail_memory(err, NULL);
    while (n != 0 && used <= FILE_BYTES_MAX) {
        n = read(fd, t->text + used, FILE_BYTES_MAX + 1 - used);
        if (n < 0 && errno != EINTR)
            return gf_fail_system(err, errno, "%.300s", t->path);
        used += n > 0 ? (size_t)n : 0;
    }
    t->text[used] = '\0';
    return check_text(t, used, err);
}

int gf_named_text_read(struct gf_named_text *t, const char *text, struct gf_error *err)
{
    *t = (struct gf_named_text) { .path = strdup("chain"), .text = strdup(text), .line = 1, .fresh = true };
    t->at = t->text;
    return t->path == NULL || t->text == NULL ? gf_fail_memory(err, NULL) : check_text(t, strlen(text), err);
}

int gf_named_text_open(struct gf_named_text *t, const char *path, bool any, struct gf_error *err)
{
    /* opening a pipe in the folder must not block */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | (any ? 0 : O_NONBLOCK));
    int result;

    *t = (struct gf_named_text) { .path = strdup(path), .line = 1, .fresh = true };
    result = t->path != NULL ? read_file(t, fd, any, err) : gf_fail_memory(err, NULL);
    if (fd >= 0)
        close(fd);
    if (result != 0)
        return -1;
    t->at = t->text;
    if (strncmp(t->at, "\xef\xbb\xbf", 3) == 0)         /* the byte order mark that some editors put before UTF-8 */
        t->at += 3;
    return 0;
}

void gf_named_text_close(struct gf_named_text *t)
{
    for (int i = 0; i < t->arguments; i++) {
        free(t->argument[i].name);
        free(t->argument[i].value);
    }
    free(t->path);
    free(t->text);
    free(t->word);
    *t = (struct gf_named_text) { 0 };
}

/* ---- its words ---- */

bool gf_named_text_is_argument(const char *name)
{
    if (!isalpha((unsigned char)*name))
        return false;
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return *name == '\0';
}

static int add(struct gf_named_text *t, const char *bytes, size_t count, struct gf_error *err)
{
    if (t->used + count + 1 > t->room) {
        const size_t room = 2 * (t->used + count) + 64;
        char *more;

        if (t->used + count >= WORD_BYTES_MAX) {
            gf_fail(err, GF_MISUSED, "an argument is longer than %d MB", WORD_BYTES_MAX >> 20);
            return fail_at(t, t->word_line, err);
        }
        more = realloc(t->word, room);
        if (more == NULL)
            return gf_fail_memory(err, NULL);
        t->word = more;
        t->room = room;
    }
    memcpy(t->word + t->used, bytes, count);
    t->used += count;
    t->word[t->used] = '\0';
    return 0;
}

/*
 * Returns the end of the line at `at`, which follows a backslash; NULL if the line does not end
 * there.
 */
static const char *joined_line(const char *at)
{
    if (at[0] != '\\')
        return NULL;
    at += 1 + (at[1] == '\r');
    return *at == '\n' ? at : NULL;
}

/* Skips blanks and comments. */
static void skip(struct gf_named_text *t)
{
    for (;;) {
        const char *joined = joined_line(t->at);

        if (joined != NULL) {                            /* the line continues in the next one */
            t->line++;
            t->at = joined + 1;
        } else if (*t->at == '#') {
            t->at += strcspn(t->at, "\n");
        } else if (isspace((unsigned char)*t->at)) {
            t->line += *t->at == '\n';
            t->fresh = t->fresh || *t->at == '\n';
            t->at++;
        } else
            return;
    }
}

/* Reads $name or ${name} at t->at. */
static int add_value(struct gf_named_text *t, struct gf_error *err)
{
    const bool braces = t->at[1] == '{';
    const char *start = t->at + 1 + braces, *end = start;
    const char *value;
    char name[NAME_BYTES];

    while (isalnum((unsigned char)*end) || *end == '_')
        end++;
    if (end == start && !braces)
        return add(t, t->at++, 1, err);                  /* a $ without a name */
    if (end == start || (braces && *end != '}') || end - start >= NAME_BYTES) {
        gf_fail(err, GF_MISUSED, "'%.*s' is not an argument; write $NAME or ${NAME}",
                (int)(end - t->at < 60 ? end - t->at + (*end > ' ') : 60), t->at);
        return fail_at(t, t->line, err);
    }
    snprintf(name, sizeof name, "%.*s", (int)(end - start), start);
    t->plain = false;
    value = t->value(t->context, name, err);
    if (value == NULL)
        return fail_at(t, t->line, err);
    t->at = end + braces;
    return add(t, value, strlen(value), err);
}

/* Reads one character, escaped character or $name at t->at. `quote` is the open quote, or 0. */
static int add_next(struct gf_named_text *t, char quote, struct gf_error *err)
{
    if (quote != '\'' && *t->at == '$' && t->value != NULL)
        return add_value(t, err);
    if (quote != '\'' && joined_line(t->at) != NULL) {
        t->at = joined_line(t->at) + 1;
        t->line++;
        return 0;
    }
    if (quote != '\'' && *t->at == '\\' && t->at[1] != '\0' && strchr("\\\"'#$ \t", t->at[1]) != NULL)
        t->at++;                                         /* other backslashes stay, because options need them: \, */
    t->line += *t->at == '\n';
    t->at++;
    /* words stay on one line, because messages show them */
    return add(t, isspace((unsigned char)t->at[-1]) ? " " : t->at - 1, 1, err);
}

static int fail_open(const struct gf_named_text *t, int line, const char *what, struct gf_error *err)
{
    gf_fail(err, GF_MISUSED, "the %s is not closed", what);
    return fail_at(t, line, err);
}

int gf_named_text_next(struct gf_named_text *t, struct gf_error *err)
{
    char quote = 0;
    int depth = 0, opened;

    skip(t);
    t->first = t->fresh;
    t->fresh = t->quoted = false;
    t->plain = true;
    t->word_line = opened = t->line;
    t->used = 0;
    if (*t->at == '\0' || add(t, "", 0, err) != 0)
        return *t->at == '\0' ? 0 : -1;
    while (*t->at != '\0' && (quote != 0 || depth > 0 || !isspace((unsigned char)*t->at))) {
        const char c = *t->at;

        if (quote == 0 && (c == '[' || c == ']')) {
            opened = depth == 0 ? t->line : opened;
            depth += c == '[' ? 1 : depth > 0 ? -1 : 0;
        }
        if (quote == 0 && c == '#' && depth > 0 && isspace((unsigned char)t->at[-1])) {
            t->at += strcspn(t->at, "\n");
        } else if (quote == 0 ? c == '\'' || c == '"' : c == quote) {
            opened = quote == 0 ? t->line : opened;
            quote = quote == 0 ? c : 0;
            t->plain = false;
            t->quoted = true;
            t->at++;
        } else if (add_next(t, quote, err) != 0)
            return -1;
    }
    if (quote != 0)
        return fail_open(t, opened, "quote", err);
    return depth > 0 ? fail_open(t, opened, "bracket", err) : 1;
}

/* ---- what it declares ---- */

bool gf_named_text_is_args(const struct gf_named_text *t)
{
    return t->plain && t->first && strcmp(t->word, "args") == 0;
}

int gf_named_text_declare(struct gf_named_text *t, const char *name, const char *value, struct gf_error *err)
{
    struct gf_named_argument *a = &t->argument[t->arguments++];

    *a = (struct gf_named_argument) { strdup(name), value != NULL ? strdup(value) : NULL };
    return a->name != NULL && (value == NULL || a->value != NULL) ? 0 : gf_fail_memory(err, NULL);
}

/* Reads the comment at the beginning of the file, without "NAME: " before it. */
static char *find_summary(const char *text, const char *name)
{
    const size_t length = strlen(name);
    size_t n = 0;

    while (n == 0) {                                     /* lines with only # do not count */
        text += strspn(text, " \t\r\n\v\f");
        if (*text != '#')
            return strdup("");
        text += strspn(text, "# \t");
        n = strcspn(text, "\r\n");
    }
    if (strncmp(text, name, length) == 0 && text[length] == ':') {
        text += length + 1 + strspn(text + length + 1, " \t");
        n = strcspn(text, "\r\n");
    }
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    return strndup(text, n);
}

char *gf_named_text_describe(struct gf_named_text *t, const char *name, struct gf_error *err)
{
    char *summary = find_summary(t->at, name);
    int more = gf_named_text_next(t, err);

    while (more > 0 && gf_named_text_is_args(t))
        while ((more = gf_named_text_next(t, err)) > 0 && !t->first && t->arguments < GF_NAMED_ARGUMENTS) {
            char *equals = strchr(t->word, '=');

            if (equals != NULL)
                *equals++ = '\0';
            if (gf_named_text_declare(t, t->word, equals, err) != 0)
                more = -1;
        }
    if (more >= 0 && summary != NULL)
        return summary;
    if (summary == NULL)
        gf_fail_memory(err, NULL);
    free(summary);
    return NULL;
}
