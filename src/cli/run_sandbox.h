/* Confines a run to its own files before it reads any input. */
#ifndef GF_CLI_RUN_SANDBOX_H
#define GF_CLI_RUN_SANDBOX_H

#include "batch/batch.h"
#include "chain/chain.h"
#include "cli/request.h"

/*
 * Enters the sandbox unless the request refuses it. `chain` has the names of the files of its
 * stages, `b` the inputs. Missing folders of outputs are created. Fails if
 * --untrusted or --sandbox is given and the kernel cannot confine files and system calls.
 */
int gf_run_sandbox_enter(const struct gf_request *q, const struct gf_chain *chain, const struct gf_batch *b,
                         struct gf_error *err) GF_MUST_CHECK;
/* Deletes what the sandbox needed and the run did not use. */
void gf_run_sandbox_tidy(const struct gf_request *q);

#endif
