/* Text that is put together before it goes out. */
#define _GNU_SOURCE
#include "io/text_output.h"
#include "base/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(const struct gf_text_output *s, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s%sout of memory", s->name != NULL ? s->name : "", s->name != NULL ? ": " : "");
}

/* Room for so many bytes more, and a zero. */
static bool make_room(struct gf_text_output *s, size_t size)
{
    char *more;

    if (s->text != NULL && s->size + size < s->room)
        return true;
    more = realloc(s->text, 2 * (s->size + size) + 256);
    if (more == NULL)
        return false;
    s->text = more;
    s->room = 2 * (s->size + size) + 256;
    return true;
}

static ssize_t put(void *cookie, const char *text, size_t size)
{
    struct gf_text_output *s = cookie;

    if (s->broken)
        return 0;
    if (s->out != NULL) {
        s->broken = gf_output_write(s->out, text, size, &s->error) != 0;
    } else if (make_room(s, size)) {
        memcpy(s->text + s->size, text, size);
        s->size += size;
        s->text[s->size] = '\0';
    } else {
        s->broken = true;
        no_memory(s, &s->error);
    }
    return s->broken ? 0 : (ssize_t)size;
}

FILE *gf_text_output_open(struct gf_text_output *s, struct gf_output *out, const char *name, struct gf_error *err)
{
    FILE *to;

    *s = (struct gf_text_output) { .name = name, .out = out };
    to = fopencookie(s, "w", (cookie_io_functions_t) { .write = put });
    if (to == NULL)
        no_memory(s, err);
    return to;
}

int gf_text_output_close(struct gf_text_output *s, FILE *to, int result, struct gf_error *err)
{
    if (gf_files_close_written(to) != 0 && !s->broken) {
        s->broken = true;
        no_memory(s, &s->error);
    }
    if (result != 0)
        return result;
    if (!s->broken && s->out == NULL && s->text == NULL && !make_room(s, 0))     /* nothing was written */
        return no_memory(s, err);
    if (!s->broken && s->out == NULL)
        s->text[s->size] = '\0';
    if (s->broken)
        *err = s->error;
    return s->broken ? -1 : 0;
}
