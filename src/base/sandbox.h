/*
 * Confines the process before it reads input: Landlock limits the files that it can open, seccomp
 * the system calls that it can make. Damaged or hostile input then cannot use an error in a decoder
 * to reach anything else.
 */
#ifndef GF_BASE_SANDBOX_H
#define GF_BASE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A sandbox in preparation. */
struct gf_sandbox {
    int rules;               /* descriptor of Landlock's rules; -1: there are none */
    int refused;             /* errno of the call that would have made them */
    int failed;              /* errno of a rule that is missing for lack of descriptors or memory, or 0 */
    int version;             /* of Landlock's interface */
    uint64_t rights;         /* of files and folders that this version controls */
};

enum gf_sandbox_use {
    GF_SANDBOX_READ,         /* read a file, or the files below a folder */
    GF_SANDBOX_LIST,         /* also list the folders */
    GF_SANDBOX_WRITE,        /* write to a file that exists, such as a device or a named pipe */
    GF_SANDBOX_TEMPORARY,    /* create, replace and delete files below a folder */
    GF_SANDBOX_TIDY,         /* delete empty folders below a folder */
    GF_SANDBOX_CREATE        /* create, replace and delete files and folders below a folder */
};

/* A run may need more than its files. */
struct gf_sandbox_needs {
    bool gpu;                /* the system calls of a GPU's driver */
    bool connects;           /* that driver also connects to another process */
    bool stays;              /* it gets descriptors of a process that keeps a device ready */
    bool serves;             /* it is that process */
    bool helper;             /* the second process of gf_leave() */
    bool required;           /* the user requires the sandbox, so no message recommends to leave it out */
};

/* Begins with the files that every run may read: libraries, and facts about the system. */
void gf_sandbox_begin(struct gf_sandbox *s);
/* Allows a use of a file or folder. A name that does not exist is ignored. Other failures set s->failed. */
void gf_sandbox_allow(struct gf_sandbox *s, const char *path, enum gf_sandbox_use use);
/*
 * Confines this thread and all that it starts, for good. Describes the sandbox in `text`, and
 * returns true if both parts of it work.
 */
bool gf_sandbox_enter(struct gf_sandbox *s, const struct gf_sandbox_needs *needs, char *text, size_t room);
/* Gives up a sandbox that will not be entered. */
void gf_sandbox_release(struct gf_sandbox *s);
/*
 * Returns true if a file or folder that could not be used (errno EACCES) is out of reach only because of
 * the sandbox. `mode` is the use, R_OK or W_OK.
 */
bool gf_sandbox_hides(const char *path, int mode);
/* Returns what a message about such a file recommends. */
const char *gf_sandbox_advice(void);

#endif
