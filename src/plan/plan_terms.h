/* The terms on which the parts of a plan agree: a request, and memory that the chain needs under any plan. */
#ifndef GF_PLAN_PLAN_TERMS_H
#define GF_PLAN_PLAN_TERMS_H

#include "plan/plan.h"

struct gf_plan_terms {
    const struct gf_limits *limits;
    struct gf_source_facts source;
    int workers, devices;
    int host_threads;                /* threads that copy for a GPU */
    int64_t pool_bytes;              /* memory of any device for the chain's weights and tables */
    int64_t list_bytes;              /* memory of the host for the weights as they were read */
    int64_t side_bytes;              /* memory of the host for second images that are not on disk */
};

#endif
