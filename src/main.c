/* gpufilter: a request to its answer, and its only exit(). */
#include "base/file_limit.h"
#include "base/leave.h"
#include "cli/answer_request.h"
#include "cli/program.h"
#include "cli/run_request.h"
#include "device/device.h"

#include <stdlib.h>

static int answer(const struct gf_request *r, struct gf_error *err)
{
    if (r->ask != GF_ASK_RUN && r->ask != GF_ASK_INFO)
        return gf_answer_request(r, err);
    if (r->max_output > 0 && gf_file_limit_set(r->max_output, err) != 0)
        return -1;
    return r->ask == GF_ASK_INFO ? gf_run_info(r, err) : gf_run_request(r, err);
}

int main(int argc, char **argv)
{
    const struct gf_cli_program gpufilter = gf_program_gpufilter(answer);
    const int status = gf_program_run(&gpufilter, argc, argv);

    gf_leave(status, gf_device_cuda.asked());
    gf_device_cuda.settle();
    exit(status);
}
