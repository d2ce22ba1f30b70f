/* Requests and their answers, as a run sees them. */
#include "device/stay/stay_call.h"

#include "device/used.h"

#include <string.h>
#include <unistd.h>

int gf_stay_call_lost(struct gf_error *err)
{
    gf_fail(err, GF_FAILED, "the process that keeps the device ready (--stay) has ended;; run it again, or use "
                            "--stay 0");
    err->cause = GF_CAUSE_DEVICE;
    gf_device_lose();
    return -1;
}

int gf_stay_call_begin(int socket, enum gf_stay_type type, const struct gf_stay_part *parts, int count,
                       struct gf_error *err)
{
    return gf_stay_send(socket, type, parts, count, -1) != 0 ? gf_stay_call_lost(err) : 0;
}

int gf_stay_call_end(int socket, const struct gf_stay_head *head, void *answer, size_t bytes, struct gf_error *err)
{
    if (head->type == GF_STAY_FAILED) {
        if (gf_stay_read_failure(socket, head, err) != 0)
            return gf_stay_call_lost(err);
        if (err->cause == GF_CAUSE_DEVICE)
            gf_device_lose();
        return -1;
    }
    return head->type != GF_STAY_DONE || head->bytes != bytes || gf_stay_read(socket, answer, bytes) != 0
               ? gf_stay_call_lost(err) : 0;
}

int gf_stay_call(int socket, enum gf_stay_type type, const struct gf_stay_part *parts, int count, void *answer,
                 size_t bytes, int *descriptor, struct gf_error *err)
{
    struct gf_stay_head head;
    int result;

    if (descriptor != NULL)
        *descriptor = -1;
    if (gf_stay_call_begin(socket, type, parts, count, err) != 0)
        return -1;
    if (gf_stay_receive(socket, &head, descriptor) != 1)
        return gf_stay_call_lost(err);
    result = gf_stay_call_end(socket, &head, answer, bytes, err);
    if (descriptor == NULL || (result == 0 && *descriptor >= 0))
        return result;
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
    return result == 0 ? gf_stay_call_lost(err) : -1;
}
