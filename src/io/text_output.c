/* A stdio stream that keeps its text in memory or passes it to an output. */
#define _GNU_SOURCE
#include "io/text_output.h"

#include "base/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `size` more bytes and a zero. */
static bool make_room(struct gf_text_output *o, size_t size)
{
    char *more;

    if (o->text != NULL && o->size + size < o->room)
        return true;
    more = realloc(o->text, 2 * (o->size + size) + 256);
    if (more == NULL)
        return false;
    o->text = more;
    o->room = 2 * (o->size + size) + 256;
    return true;
}

static ssize_t put(void *cookie, const char *text, size_t size)
{
    struct gf_text_output *o = cookie;

    if (o->broken)
        return 0;
    if (o->out != NULL) {
        o->broken = gf_output_write(o->out, text, size, &o->error) != 0;
    } else if (make_room(o, size)) {
        memcpy(o->text + o->size, text, size);
        o->size += size;
        o->text[o->size] = '\0';
    } else {
        o->broken = true;
        gf_fail_memory(&o->error, o->name);
    }
    return o->broken ? 0 : (ssize_t)size;
}

FILE *gf_text_output_open(struct gf_text_output *o, struct gf_output *out, const char *name, struct gf_error *err)
{
    FILE *to;

    *o = (struct gf_text_output) { .name = name, .out = out };
    to = fopencookie(o, "w", (cookie_io_functions_t) { .write = put });
    if (to == NULL)
        gf_fail_memory(err, o->name);
    return to;
}

int gf_text_output_close(struct gf_text_output *o, FILE *to, int result, struct gf_error *err)
{
    if (gf_files_close_written(to) != 0 && !o->broken) {
        o->broken = true;
        gf_fail_memory(&o->error, o->name);
    }
    if (result != 0)
        return result;
    if (!o->broken && o->out == NULL && o->text == NULL && !make_room(o, 0))     /* nothing was written */
        return gf_fail_memory(err, o->name);
    if (!o->broken && o->out == NULL)
        o->text[o->size] = '\0';
    if (o->broken)
        *err = o->error;
    return o->broken ? -1 : 0;
}
