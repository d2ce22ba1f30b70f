/* The executor: runs a plan over one signal, segment by segment, in lanes. */
#ifndef GF_RUN_EXECUTE_H
#define GF_RUN_EXECUTE_H

#include "chain/chain.h"
#include "io/io.h"
#include "plan/plan.h"
#include "run/engine.h"

/*
 * Reads the signal at hand, and writes what comes of it; or fills `table`, whose arrays
 * belong to the bound chain. Tables of the chain change where a stage settles on what it measured.
 */
int gf_execute(struct gf_engine *e, struct gf_plan *plan, struct gf_chain *chain, struct gf_reader *reader,
               struct gf_writer *writer, struct gf_table *table, struct gf_error *err) GF_MUST_CHECK;

#endif
