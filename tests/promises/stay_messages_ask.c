/* Sends requests to a device of the process that stays, and makes honest plans for them. */
#include "tests/promises/stay_messages_ask.h"

#include "device/stay/stay_wire.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- requests ---- */

/* Sends a request and reads the whole answer; returns its type, or 0 if the connection is lost. */
int gf_ask(int socket, enum gf_stay_type type, const struct gf_stay_part *parts, int count, void *answer, size_t room,
           int *descriptor)
{
    struct gf_stay_head head;
    static char rest[1 << 16];

    if (gf_stay_send(socket, type, parts, count, -1) != 0)
        return 0;
    for (;;) {
        if (gf_stay_receive(socket, &head, descriptor) != 1 || head.bytes > sizeof rest
            || gf_stay_read(socket, rest, head.bytes) != 0)
            return 0;
        if (head.type == GF_STAY_FETCH && gf_stay_send_done(socket) != 0)
            return 0;
        if (head.type == GF_STAY_DONE || head.type == GF_STAY_FAILED)
            break;
    }
    if (answer != NULL && head.bytes <= room)
        memcpy(answer, rest, head.bytes);
    return (int)head.type;
}

int gf_ask_simply(int socket, enum gf_stay_type type, const void *payload, size_t bytes)
{
    const struct gf_stay_part part = { payload, bytes };

    return gf_ask(socket, type, &part, 1, NULL, 0, NULL);
}

/* Closes a connection, and waits for the process to have closed it too. */
void gf_ask_end(int socket)
{
    char none;

    shutdown(socket, SHUT_WR);
    while (read(socket, &none, 1) > 0)
        ;
    close(socket);
}

int gf_ask_room(int socket, uint64_t bytes, int32_t *number)
{
    const struct gf_stay_room request = { .bytes = bytes };
    const struct gf_stay_part part = { &request, sizeof request };
    struct gf_stay_room answer = { .number = -1 };
    int descriptor = -1;
    const int type = gf_ask(socket, GF_STAY_ROOM, &part, 1, &answer, sizeof answer, &descriptor);

    if (descriptor >= 0)
        close(descriptor);
    *number = answer.number;
    return type;
}

int gf_ask_room_close(int socket, int32_t number)
{
    const struct gf_stay_room request = { .number = number };

    return gf_ask_simply(socket, GF_STAY_ROOM_CLOSE, &request, sizeof request);
}

int gf_ask_lane(int socket, const struct gf_pass *pass, size_t bytes, int number, int *lane)
{
    const struct gf_stay_lane request = { .pass_number = number };
    const struct gf_stay_part parts[] = { { &request, sizeof request }, { pass, bytes } };

    *lane = -1;
    return gf_ask(socket, GF_STAY_LANE, parts, 2, NULL, 0, lane);
}

int gf_ask_keep(int socket, enum gf_keep what, int pass, uint64_t bytes)
{
    const struct gf_stay_keep request = { .what = (int32_t)what, .pass = pass, .bytes = bytes };

    return gf_ask_simply(socket, GF_STAY_KEEP, &request, sizeof request);
}

int gf_ask_pools(int socket, const struct gf_binding *b)
{
    const struct gf_stay_pools counts = { b->masks.count, b->tables.count };
    const struct gf_stay_part parts[] = { { &counts, sizeof counts },
                                          { b->masks.data, (size_t)b->masks.count * sizeof(float) },
                                          { b->tables.data, (size_t)b->tables.count * sizeof(float) } };

    return gf_ask(socket, GF_STAY_POOLS, parts, 3, NULL, 0, NULL);
}

/* ---- plans ---- */

bool gf_asked_plan_make(struct gf_asked_plan *f, const struct gf_format *in, const char *const *words, int count,
                        struct gf_error *err)
{
    const struct gf_bind_options none = { .words = 0 };
    const struct gf_limits limits = { .lanes = 1, .threads = 1, .segment_bytes = 4000 };
    const struct gf_device_facts no_gpu = { .present = false };
    struct gf_plan_request request = { .binding = &f->binding, .outputs = &f->outputs, .limits = &limits,
                                       .where = GF_CPU, .cuda = &no_gpu, .source.again = true };
    struct gf_device_facts cpu;

    gf_device_cpu.facts(0, &cpu, NULL, 0);
    request.cpu = &cpu;
    memset(f, 0, sizeof *f);
    if (gf_chain_parse(&f->chain, words, NULL, count, 0, err) != 0 || gf_chain_load(&f->chain, NULL, err) != 0
        || gf_bind(&f->binding, &f->chain, in, &none, "test", err) != 0)
        return false;
    f->outputs.table = f->binding.table;
    for (int k = 0; k < f->binding.exits; k++)
        f->outputs.stored[k] = f->binding.exit[k].format;
    return gf_plan_make(&f->plan, &request, err) == 0;
}

void gf_asked_plan_release(struct gf_asked_plan *f)
{
    gf_plan_release(&f->plan);
    gf_binding_release(&f->binding);
    gf_chain_release(&f->chain);
}

/* Returns true if these bytes of a pass are the operation of a step, its parts or its need, which have one meaning. */
bool gf_asked_is_meaning(const struct gf_pass *pass, size_t at, size_t width)
{
    for (int k = 0; k < pass->steps + pass->measure.used; k++) {
        const size_t step = (size_t)((const char *)&pass->step[k] - (const char *)pass);

        if ((at + width > step && at < step + offsetof(struct gf_step, in))
            || (at + width > step + offsetof(struct gf_step, need) && at < step + offsetof(struct gf_step, side)))
            return true;
    }
    return false;
}
