/* Turns errors of libjpeg into one-line messages. Its warnings are only counted. */
#include "io/formats/jpeg/jpeg.h"

#include <jerror.h>

/* More warnings mean an attack rather than damage. */
#define MOST_WARNINGS 1000

_Noreturn void gf_jpeg_leave(struct gf_jpeg_errors *e)
{
    longjmp(e->home, 1);
}

static void fail_and_jump(j_common_ptr c)
{
    struct gf_jpeg_errors *e = (struct gf_jpeg_errors *)(void *)c->err;
    char text[JMSG_LENGTH_MAX];

    c->err->format_message(c, text);
    if (e->cut)
        gf_fail(e->err, GF_FAILED, "%s: is cut short", e->name);
    else if (c->err->msg_code == JERR_BAD_PRECISION)
        gf_fail(e->err, GF_FAILED, "%s: is a JPEG with %d bits per sample; only 8 are supported", e->name,
                c->err->msg_parm.i[0]);
    else if (c->err->msg_code == JERR_OUT_OF_MEMORY)
        gf_fail_memory(e->err, e->name);
    else
        gf_fail(e->err, GF_FAILED, "%s: can't be %s: %s", e->name, e->doing, text);
    gf_jpeg_leave(e);
}

/* Receives warnings, at level -1. The image is decoded as far as possible. */
static void count_warning(j_common_ptr c, int level)
{
    struct gf_jpeg_errors *e = (struct gf_jpeg_errors *)(void *)c->err;

    if (level >= 0)
        return;
    if (c->err->msg_code == JWRN_HIT_MARKER)
        e->starved = true;
    if (++c->err->num_warnings > MOST_WARNINGS) {
        gf_fail(e->err, GF_FAILED, "%s: can't be %s: it has more than 1000 errors", e->name, e->doing);
        gf_jpeg_leave(e);
    }
}

static void ignore_message(j_common_ptr c)
{
    (void)c;
}

struct jpeg_error_mgr *gf_jpeg_errors_open(struct gf_jpeg_errors *e, const char *name, const char *doing)
{
    jpeg_std_error(&e->manager);
    e->manager.error_exit = fail_and_jump;
    e->manager.emit_message = count_warning;
    e->manager.output_message = ignore_message;
    e->name = name;
    e->doing = doing;
    return &e->manager;
}
