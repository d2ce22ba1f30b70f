/* Jobs whose calls fail in turn, and what each of their runs leaves. */
#ifndef GF_TESTS_TORTURE_H
#define GF_TESTS_TORTURE_H

#include "tests/promises/failing_calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MOST_OUTPUTS   8
#define MOST_ARGUMENTS 60

struct content {
    char *bytes;
    size_t size;
    bool exists;
};

/* A line of the file of jobs, with tabs between its fields: name, outputs, flags, stdin, arguments. */
struct job {
    char *name;
    char *output[MOST_OUTPUTS + 1];
    bool free[MOST_OUTPUTS];             /* "?NAME": its content varies, because it has times */
    bool many;                           /* "many": an error line for each input, and some outputs may be complete */
    bool rows;                           /* "rows": an output may lack lines after an error */
    bool old;                            /* "old": the outputs exist before each run */
    char *input;                         /* piped to standard input; "-": none */
    char *argument[MOST_ARGUMENTS + 1];
    /* of a run in which no call fails */
    long calls[CALL_KINDS];
    struct content wanted[MOST_OUTPUTS], messages;
};

/* A process that runs a job in a folder of its own. */
struct run {
    pid_t process;
    char folder[32];
    char how[40];                        /* of FAILING_CALLS */
    int memory;                          /* descriptor of the report */
    struct call_report *report;
};

struct content torture_read(const char *folder, const char *name);
int torture_open(struct run *run, int number);
/* Empties the folder except old outputs, and starts the job. */
int torture_start(struct run *run, const struct job *job, const char *how);
/* Writes what is wrong about a run that ended into `wrong`, or an empty string. */
void torture_judge(const struct run *run, const struct job *job, int status, char *wrong, size_t room);

#endif
