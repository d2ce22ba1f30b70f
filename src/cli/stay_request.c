/*
 * Decides whether a run uses a device that stays ready, before its sandbox closes; and confines the process that has
 * the device, which opens no file of a user.
 */
#include "cli/stay_request.h"

#include "base/terminal.h"
#include "device/driver_files.h"
#include "device/stay/stay.h"

#include <stdio.h>

/*
 * Returns true if the process has what the run needs. It has one GPU, and no codec for JPEG. Its time is not that of
 * the run, which --max-seconds limits.
 */
static bool is_enough(const struct gf_request *r)
{
    return r->stay_seconds > 0 && !r->untrusted && r->limits.max_seconds == 0 && r->jpeg == GF_JPEG_BY_SOFTWARE
        && r->cuda.count == 1 && (r->where == GF_CPU || (gf_device_cuda.missing == NULL && gf_driver_files_exist()));
}

void gf_stay_request_use(const struct gf_request *r, const struct gf_stage *windowed, struct gf_notices *notices)
{
    /* a process would have the limits of this one */
    const struct gf_stay_wish wish = { .cuda = r->where != GF_CPU, .index = r->cuda.index[0],
                                       .idle_seconds = r->stay_seconds,
                                       .may_start = !r->explain && r->max_output == 0 };
    const char *why;

    if (is_enough(r) && windowed != NULL && wish.may_start)
        gf_note(notices, "stay", NULL, "--stay: %s %s, so this run has a device of its own", windowed->name,
                windowed->kind == GF_AUDIO ? "reads its input twice"
                : windowed->look != NULL ? "looks at whole images first" : "works on consecutive frames");
    else if (is_enough(r) && !gf_stay_use(&wish, &why) && wish.may_start)
        gf_note(notices, "stay", NULL, "--stay: %s, so this run has a device of its own", why);
}

int gf_stay_request_serve(const struct gf_request *r, struct gf_error *err)
{
    struct gf_stay_service service = { .cuda = r->where != GF_CPU, .index = r->cuda.index[0],
                                       .idle_seconds = r->stay_seconds > 0 ? r->stay_seconds : GF_STAY_MOST_SECONDS };
    const struct gf_sandbox_needs needs = { .gpu = service.cuda, .connects = service.cuda && gf_driver_files_mps(),
                                            .serves = true };
    struct gf_sandbox box;
    char text[200];

    if (r->cuda.count != 1)
        return gf_fail(err, GF_MISUSED, "--serve: needs one device;; use --device cuda:N");
    if (service.cuda && gf_device_cuda.missing != NULL)
        return gf_fail(err, GF_FAILED, "no GPU: %s", gf_device_cuda.missing);
    if (gf_stay_find_socket(&service, err) != 0)
        return -1;
    if (r->no_sandbox)
        return gf_stay_serve(&service, err);
    gf_sandbox_begin(&box);
    if (service.cuda)
        gf_driver_files_allow(&box, true);
    gf_stay_allow_folder(&box);
    gf_sandbox_enter(&box, &needs, text, sizeof text);
    if (r->verbose)
        gf_terminal_print("sandbox: %s\n", text);
    return gf_stay_serve(&service, err);
}
