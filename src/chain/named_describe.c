/*
 * Reads the description of a file of stages: its first comment, and the arguments that it declares.
 */
#include "chain/named.h"
#include "chain/named_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Reads the comment at the beginning of the file, without "NAME: " before it. */
static char *find_summary(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (;;) {
        size_t n;

        text += strspn(text, " \t\r\n\v\f");
        if (*text != '#')
            return strdup("");
        text += strspn(text, "# \t");
        n = strcspn(text, "\r\n");
        if (n == 0)
            continue;                                    /* a line with only # */
        if (strncmp(text, name, length) == 0 && text[length] == ':') {
            text += length + 1 + strspn(text + length + 1, " \t");
            n = strcspn(text, "\r\n");
        }
        while (n > 0 && isspace((unsigned char)text[n - 1]))
            n--;
        return strndup(text, n);
    }
}

static int add_argument(struct gf_named *n, struct gf_named_text *t, struct gf_error *err)
{
    const char *equals = strchr(t->word, '=');
    struct gf_named_argument *a = &n->argument[n->arguments];

    if (n->arguments == GF_NAMED_ARGUMENTS)
        return 0;
    a->name = strndup(t->word, strcspn(t->word, "="));
    a->value = equals ? strdup(equals + 1) : NULL;
    n->arguments += a->name != NULL;
    return a->name != NULL && (equals == NULL || a->value != NULL) ? 0 : gf_fail_memory(err, NULL);
}

/* Reads the arguments that the first lines declare. */
static int find_arguments(struct gf_named *n, struct gf_error *err)
{
    struct gf_named_text t = { .path = n->path, .at = n->text, .line = 1, .fresh = true };
    int more = gf_named_text_next(&t, err), result = 0;

    while (result == 0 && more > 0 && t.first && t.plain && strcmp(t.word, "args") == 0)
        while (result == 0 && (more = gf_named_text_next(&t, err)) > 0 && !t.first)
            result = add_argument(n, &t, err);
    free(t.word);
    return more < 0 ? -1 : result;
}

int gf_named_describe(const char *path, const char *name, struct gf_named *n, struct gf_error *err)
{
    uint64_t device, number;

    *n = (struct gf_named) { .path = strdup(path) };
    n->text = n->path != NULL ? gf_named_text_read(path, false, &device, &number, err) : NULL;
    if (n->text == NULL)
        return n->path != NULL ? -1 : gf_fail_memory(err, NULL);
    n->summary = find_summary(n->text, name);
    return n->summary != NULL ? find_arguments(n, err) : gf_fail_memory(err, NULL);
}

void gf_named_release(struct gf_named *n)
{
    for (int i = 0; i < n->arguments; i++) {
        free(n->argument[i].name);
        free(n->argument[i].value);
    }
    free(n->path);
    free(n->text);
    free(n->summary);
    *n = (struct gf_named) { 0 };
}
