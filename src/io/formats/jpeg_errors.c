/* libjpeg's errors become one line each; its warnings are counted and otherwise let be. */
#include "io/formats/jpeg.h"

#include <jerror.h>

/* So many are no damage any more but a file made to keep us busy. */
#define MOST_WARNINGS 1000

_Noreturn void gf_jpeg_leave(struct gf_jpeg_errors *t)
{
    longjmp(t->home, 1);
}

static void leave(j_common_ptr c)
{
    struct gf_jpeg_errors *t = (struct gf_jpeg_errors *)(void *)c->err;
    char text[JMSG_LENGTH_MAX];

    c->err->format_message(c, text);
    if (t->cut)
        gf_fail(t->err, GF_FAILED, "%s: is cut short", t->name);
    else if (c->err->msg_code == JERR_BAD_PRECISION)
        gf_fail(t->err, GF_FAILED, "%s: is a JPEG of %d bits a sample; only 8 are read", t->name, c->err->msg_parm.i[0]);
    else if (c->err->msg_code == JERR_OUT_OF_MEMORY)
        gf_fail(t->err, GF_FAILED, "%s: does not fit in memory", t->name);
    else
        gf_fail(t->err, GF_FAILED, "%s: can't be %s: %s", t->name, t->doing, text);
    gf_jpeg_leave(t);
}

/* Level -1 is a warning. What can be shown in spite of damage is shown. */
static void emit(j_common_ptr c, int level)
{
    struct gf_jpeg_errors *t = (struct gf_jpeg_errors *)(void *)c->err;

    if (level >= 0)
        return;
    if (c->err->msg_code == JWRN_HIT_MARKER)
        t->starved = true;
    if (++c->err->num_warnings > MOST_WARNINGS) {
        gf_fail(t->err, GF_FAILED, "%s: can't be %s: it is damaged all over", t->name, t->doing);
        gf_jpeg_leave(t);
    }
}

static void say_nothing(j_common_ptr c)
{
    (void)c;
}

struct jpeg_error_mgr *gf_jpeg_errors_open(struct gf_jpeg_errors *t, const char *name, const char *doing)
{
    jpeg_std_error(&t->manager);
    t->manager.error_exit = leave;
    t->manager.emit_message = emit;
    t->manager.output_message = say_nothing;
    t->name = name;
    t->doing = doing;
    return &t->manager;
}
