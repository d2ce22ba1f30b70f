/* A call of the program that another process makes; call_many.c is that process. */
#ifndef GF_TESTS_CALL_MANY_H
#define GF_TESTS_CALL_MANY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/un.h>

#define GF_CALL_STREAMS 3
#define GF_NOT_CALLED 99                 /* status if the process that makes calls has ended */

/* The header of a call. Strings follow, each with a NUL: the folder, the arguments, the environment. */
struct gf_call {
    size_t bytes;
    int arguments, variables;
};

/* False, with errno set, if the name is too long. */
bool gf_call_address(const char *server, struct sockaddr_un *a);

/*
 * Sends a call with this process's folder and environment, and with copies of the streams. Returns a socket for
 * gf_call_end(), or -1 with errno set.
 */
int gf_call_begin(const char *server, char **argument, const int *streams);

/* Waits until the call has ended, and returns its exit status, or GF_NOT_CALLED. */
int gf_call_end(int socket);

#endif
