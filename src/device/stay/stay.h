/*
 * A device that stays ready between runs (--stay): it belongs to a process that ends when no run has used it for some
 * time. Starting CUDA takes most of a short run; a process that has started it serves the next runs of the same user.
 */
#ifndef GF_STAY_STAY_H
#define GF_STAY_STAY_H

#include "base/error.h"
#include "base/sandbox.h"

#include <stdbool.h>
#include <stdio.h>

#define GF_STAY_MOST_SECONDS 86400

/* The wish of a run. */
struct gf_stay_wish {
    bool cuda;                   /* a GPU, else the CPU */
    int index;                   /* number of the GPU */
    double idle_seconds;         /* the process stays for so long after this run, or longer for other runs */
    bool may_start;              /* starts the process if there is none */
};

/*
 * Connects to the process for such a device, and makes it run the plans of this one. If that is not possible, nothing
 * changes, and *why says so, for people. Call it before any thread starts and before the sandbox closes.
 */
bool gf_stay_use(const struct gf_stay_wish *wish, const char **why);
/* Returns true if gf_stay_use() has connected. */
bool gf_stay_is_used(void);

/* The process itself. */
struct gf_stay_service {
    bool cuda;
    int index;
    int socket;                  /* that it listens to */
    bool any_group;              /* it serves runs of other control groups, too */
    double idle_seconds;         /* how long it waits for the first run */
};

/* Finds the socket that this process was started with, by another run or by systemd. */
int gf_stay_find_socket(struct gf_stay_service *service, struct gf_error *err) GF_MUST_CHECK;
/* Allows the folder of sockets, from which the process removes its own at the end. */
void gf_stay_allow_folder(struct gf_sandbox *box);
/* Serves runs until none has come for the time. */
int gf_stay_serve(const struct gf_stay_service *service, struct gf_error *err) GF_MUST_CHECK;

/* Prints a line for each process of this user. */
void gf_stay_list(FILE *to);
/* Ends all processes of this user when no run uses them, and prints how many; fails if one does not answer. */
int gf_stay_stop(FILE *to, struct gf_error *err) GF_MUST_CHECK;

#endif
