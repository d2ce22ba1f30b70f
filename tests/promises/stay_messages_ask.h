/* Shared by stay_messages.c and the fuzz target `messages`: requests to a device of the process that stays. */
#ifndef GF_STAY_MESSAGES_ASK_H
#define GF_STAY_MESSAGES_ASK_H

#include "chain/binding.h"
#include "chain/chain.h"
#include "device/stay/stay_wire.h"

/* A chain bound to a signal, and its plan for a CPU. */
struct gf_asked_plan {
    struct gf_chain chain;
    struct gf_binding binding;
    struct gf_outputs outputs;
    struct gf_plan plan;
};

/*
 * Sends a request and reads the whole answer; returns its type, or 0 if the connection is lost. `answer` gets what
 * came, if it has room; *descriptor what came along.
 */
int gf_ask(int socket, enum gf_stay_type type, const struct gf_stay_part *parts, int count, void *answer, size_t room,
           int *descriptor);
int gf_ask_simply(int socket, enum gf_stay_type type, const void *payload, size_t bytes);
/* Closes a connection, and waits for the process to have closed it too. */
void gf_ask_end(int socket);

/* Make one request each; they return the type of the answer. */
int gf_ask_room(int socket, uint64_t bytes, int32_t *number);
int gf_ask_room_close(int socket, int32_t number);
int gf_ask_lane(int socket, const struct gf_pass *pass, size_t bytes, int number, int *lane);
int gf_ask_keep(int socket, enum gf_keep what, int pass, uint64_t bytes);
int gf_ask_pools(int socket, const struct gf_binding *b);

bool gf_asked_plan_make(struct gf_asked_plan *f, const struct gf_format *in, const char *const *words, int count,
                        struct gf_error *err);
void gf_asked_plan_release(struct gf_asked_plan *f);
/* Returns true if these bytes of a pass are the operation of a step, its parts or its need, which have one meaning. */
bool gf_asked_is_meaning(const struct gf_pass *pass, size_t at, size_t width);

#endif
