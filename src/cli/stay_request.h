/* --stay: connects a run to the process that keeps its device ready, and is that process. */
#ifndef GF_CLI_STAY_REQUEST_H
#define GF_CLI_STAY_REQUEST_H

#include "base/notice.h"
#include "chain/stage.h"
#include "cli/request.h"

/*
 * Connects the run if --stay is given and the process can do its work. Otherwise it has a device of its own, as with
 * `windowed`, a stage that needs the images around each one or looks at images first; NULL: the chain has none.
 */
void gf_stay_request_use(const struct gf_request *r, const struct gf_stage *windowed, struct gf_notices *notices);
/* --serve: is the process. */
int gf_stay_request_serve(const struct gf_request *r, struct gf_error *err) GF_MUST_CHECK;

#endif
