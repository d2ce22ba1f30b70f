/* Requests of a run: sends one, and waits for the answer. */
#ifndef GF_STAY_STAY_CALL_H
#define GF_STAY_STAY_CALL_H

#include "device/stay/stay_wire.h"

/* Reports that the process has ended, or does not keep to the protocol; returns -1. */
int gf_stay_call_lost(struct gf_error *err);
/* Sends a request. */
int gf_stay_call_begin(int socket, enum gf_stay_type type, const struct gf_stay_part *parts, int count,
                       struct gf_error *err) GF_MUST_CHECK;
/* Reads the rest of an answer with this head, whose payload must have `bytes`. */
int gf_stay_call_end(int socket, const struct gf_stay_head *head, void *answer, size_t bytes,
                     struct gf_error *err) GF_MUST_CHECK;
/*
 * Sends a request and waits for an answer of `bytes`. If `descriptor` is not NULL, the answer must come with one, which
 * the caller closes.
 */
int gf_stay_call(int socket, enum gf_stay_type type, const struct gf_stay_part *parts, int count, void *answer,
                 size_t bytes, int *descriptor, struct gf_error *err) GF_MUST_CHECK;

#endif
