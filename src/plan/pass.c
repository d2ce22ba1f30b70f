/* Packs the parts of a pass into one block. */
#include "plan/pass.h"

#include <stdlib.h>
#include <string.h>

static size_t whole(size_t bytes)
{
    return (bytes + GF_PASS_GRAIN - 1) / GF_PASS_GRAIN * GF_PASS_GRAIN;
}

/* Appends a part of step s; there is room for it. Returns its offset from the step, or 0 if there is no part. */
static int32_t append(struct gf_pass *pass, const struct gf_step *s, const void *part, size_t bytes)
{
    char *to = (char *)pass + pass->bytes;

    if (bytes == 0)
        return 0;
    memcpy(to, part, bytes);
    pass->bytes += whole(bytes);
    return (int32_t)(to - (const char *)s);
}

static void append_step(struct gf_pass *pass, struct gf_step *s, const struct gf_step_draft *d)
{
    *s = d->step;
    s->operation = gf_operation_index(d->op);
    s->at.stage = append(pass, s, d->stage, strlen(d->stage) + 1);
    s->at.params = append(pass, s, d->params, d->op->params_bytes);
    s->at.load = append(pass, s, &d->load, d->load.count > 0 ? sizeof d->load : 0);
    s->at.store = append(pass, s, &d->store, d->store.count > 0 ? sizeof d->store : 0);
}

int gf_pass_close(struct gf_pass **pass, const struct gf_step_draft *steps, struct gf_error *err)
{
    const int count = (*pass)->steps + (*pass)->measure.used;
    const size_t fixed = whole(sizeof **pass + (size_t)count * sizeof *(*pass)->step);
    size_t room = fixed;
    struct gf_pass *p;

    for (int k = 0; k < count; k++) {        /* skip the unused end of a draft, which is larger than its programs */
        if (gf_operation_index(steps[k].op) < 0)
            return gf_fail(err, GF_FAILED, "the operation '%s' is not part of this build",
                           steps[k].op->word);
        room += sizeof *steps + whole(steps[k].op->params_bytes) + strlen(steps[k].stage) + 1;
    }
    p = realloc(*pass, room);
    if (p == NULL)
        return gf_fail_memory(err, NULL);
    memset(p->step, 0, room - offsetof(struct gf_pass, step));
    p->bytes = fixed;
    for (int k = 0; k < count; k++)
        append_step(p, &p->step[k], &steps[k]);
    *pass = realloc(p, p->bytes);            /* it shrinks and may move: all references inside are offsets */
    *pass = *pass != NULL ? *pass : p;
    return 0;
}
