/* Sends and receives messages on a socket. */
#ifndef GF_STAY_STAY_WIRE_H
#define GF_STAY_STAY_WIRE_H

#include "base/error.h"
#include "device/stay/stay_messages.h"

/* A part of a payload. */
struct gf_stay_part {
    const void *data;
    size_t bytes;
};

#define GF_STAY_MOST_PARTS 4

/* Sends a message of `count` parts, and a descriptor unless that is -1. Returns 0, or -1 if the connection is lost. */
int gf_stay_send(int socket, enum gf_stay_type type, const struct gf_stay_part *parts, int count,
                 int descriptor) GF_MUST_CHECK;
/*
 * Waits for a message and reads its head. If `descriptor` is not NULL, it gets the descriptor that came along, or
 * -1. Returns 1; 0 if the other side has closed the connection; -1 if it is lost.
 */
int gf_stay_receive(int socket, struct gf_stay_head *head, int *descriptor) GF_MUST_CHECK;
/* Reads bytes of the payload. Returns 0, or -1 if the connection is lost. */
int gf_stay_read(int socket, void *to, size_t bytes) GF_MUST_CHECK;
/* Sends an error, or that a request is done. */
int gf_stay_send_failure(int socket, const struct gf_error *err) GF_MUST_CHECK;
int gf_stay_send_done(int socket) GF_MUST_CHECK;
/* Reads the payload of GF_STAY_FAILED into *err; it is checked. Returns 0, or -1 if the connection is lost. */
int gf_stay_read_failure(int socket, const struct gf_stay_head *head, struct gf_error *err) GF_MUST_CHECK;

#endif
