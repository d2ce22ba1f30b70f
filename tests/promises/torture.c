/*
 * Runs jobs in which one call of the C library fails, or all calls of a kind from one on. Each run
 * must make the same bytes, or print one clear error and leave nothing new.
 *   torture JOBS KNOWN RUNS    RUNS: runs for each job and each kind of calls, about
 * $GPUFILTER is the program, $TORTURE_LIBRARY failing_calls.so. KNOWN lists failures of libraries.
 * $TORTURE_KINDS names the kinds of calls to try; all if it is not set.
 */
#define _GNU_SOURCE
#include "tests/promises/torture.h"
#include "tests/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_RUNS  64
#define MOST_KNOWN 40
#define MOST_NOTES 12

static const char *const kind_names[] = { CALL_KIND_NAMES };
static struct run runs[MOST_RUNS];
static int parallel;

static struct known {
    char *text;
    long seen;
} known[MOST_KNOWN];

/* The problems of a job, without repetitions of a problem at the same caller. */
static struct {
    long wrong, accepted, tried;
    int count;
    char note[MOST_NOTES][1200], key[MOST_NOTES][400];
} found;

static void read_known(const char *name)
{
    FILE *f = fopen(name, "r");
    char *line = NULL;
    size_t room = 0;
    int n = 0;

    while (f != NULL && getline(&line, &room, f) > 0 && n < MOST_KNOWN) {
        line[strcspn(line, "#\n")] = '\0';
        while (line[0] != '\0' && line[strlen(line) - 1] == ' ')
            line[strlen(line) - 1] = '\0';
        if (line[0] != '\0')
            known[n++].text = strdup(line);
    }
    free(line);
    if (f != NULL)
        fclose(f);
}

/*
 * Returns true if the crash is in the list: the innermost caller is in a library, and the function of an
 * entry is among the callers. Some libraries do not export the names of their functions. "static LIBRARY"
 * stands for them.
 */
static bool is_known(const struct call_report *report)
{
    const char *const from = strstr(report->crashed, ": ") != NULL ? strstr(report->crashed, ": ") + 2 : "";
    char text[800];

    if (strncmp(from, "gpufilter", 9) == 0)
        return false;
    /* no caller is known if the stack was overwritten */
    snprintf(text, sizeof text, "static %s after %s", from[0] != '\0' ? from : strstr(report->failed, "lib"),
             report->crashed);
    for (int i = 0; i < MOST_KNOWN && known[i].text != NULL; i++)
        if (strstr(text, known[i].text) != NULL) {
            known[i].seen++;
            return true;
        }
    return false;
}

/* Returns true if one refused allocation was lost without a word, and its caller is in the list. */
static bool is_known_loss(const struct run *run, const char *wrong)
{
    if ((strncmp(wrong, "other bytes", 11) != 0 && strncmp(wrong, "status 127;", 11) != 0)
        || strchr(run->how, '+') != NULL)
        return false;
    for (int i = 0; i < MOST_KNOWN && known[i].text != NULL; i++)
        if (strncmp(known[i].text, "called by ", 10) == 0 && strstr(run->report->failed, known[i].text) != NULL) {
            known[i].seen++;
            return true;
        }
    return false;
}

static void note_end(const struct run *run, const struct job *job, int status)
{
    char wrong[1000], key[400];

    found.tried++;
    torture_judge(run, job, status, wrong, sizeof wrong);
    if (wrong[0] == '\0')
        return;
    if (WIFSIGNALED(status) ? is_known(run->report) : is_known_loss(run, wrong)) {
        found.accepted++;
        return;
    }
    found.wrong++;
    snprintf(key, sizeof key, "%.20s|%s", wrong, run->report->failed);
    for (int i = 0; i < found.count; i++)
        if (strcmp(found.key[i], key) == 0)
            return;
    if (found.count == MOST_NOTES)
        return;
    strcpy(found.key[found.count], key);
    snprintf(found.note[found.count++], sizeof found.note[0], "%s, %.150s: %s", run->how, run->report->failed, wrong);
}

/* Waits for one run to end; returns it. */
static struct run *wait_one(const struct job *job)
{
    int status;
    const pid_t ended = wait(&status);

    for (int i = 0; i < parallel; i++)
        if (ended > 0 && runs[i].process == ended) {
            note_end(&runs[i], job, status);
            runs[i].process = 0;
            return &runs[i];
        }
    exit(99);
}

static void start(const struct job *job, const char *how)
{
    struct run *run = NULL;

    for (int i = 0; i < parallel; i++)
        if (runs[i].process == 0)
            run = &runs[i];
    if (run == NULL)
        run = wait_one(job);
    if (torture_start(run, job, how) != 0)
        exit(99);
}

static void wait_all(const struct job *job)
{
    for (int i = 0; i < parallel; i++)
        while (runs[i].process != 0)
            wait_one(job);
}

/* Starts runs in which call 1, ..., `calls` fails, or about `most` of them at the same distances. */
static void fail_each(const struct job *job, int kind, long most, const char *later)
{
    const long calls = job->calls[kind], count = calls < most ? calls : most;

    for (long i = 0; i < count; i++) {
        char how[40];

        snprintf(how, sizeof how, "%s:%ld%s", kind_names[kind], 1 + i * calls / count, later);
        start(job, how);
    }
}

static bool learn(struct job *job)
{
    int status;

    if (torture_start(&runs[0], job, "count") != 0 || waitpid(runs[0].process, &status, 0) < 0)
        exit(99);
    runs[0].process = 0;
    for (int kind = 0; kind < CALL_KINDS; kind++)
        job->calls[kind] = atomic_load(&runs[0].report->made[kind]);
    for (int i = 0; job->output[i] != NULL; i++)
        job->wanted[i] = torture_read(runs[0].folder, job->output[i]);
    job->messages = torture_read(runs[0].folder, "stderr");
    if (status != 0)
        printf("# status %d: %s\n", WEXITSTATUS(status), job->messages.bytes);
    for (int i = 0; job->output[i] != NULL; i++)
        if (!job->wanted[i].exists || job->wanted[i].size == 0)
            status = -1;
    return status == 0;
}

static void torture(struct job *job, long most)
{
    const char *const kinds = getenv("TORTURE_KINDS");

    if (!gf_is_chosen(job->name))
        return;
    memset(&found, 0, sizeof found);
    if (!learn(job)) {
        gf_ok(false, "%s", job->name);
        return;
    }
    start(job, "short");
    start(job, "errno");
    for (int kind = 0; kind < CALL_KINDS; kind++) {
        if (kinds != NULL && strstr(kinds, kind_names[kind]) == NULL)
            continue;
        fail_each(job, kind, kind == CALL_MEMORY ? 2 * most : most, "");
        fail_each(job, kind, most / 4 + 1, "+");
    }
    wait_all(job);
    gf_ok(found.wrong == 0, "%s", job->name);
    printf("# %ld runs, %ld known failures of libraries, %ld wrong\n", found.tried, found.accepted, found.wrong);
    for (int i = 0; i < found.count; i++)
        printf("# %s\n", found.note[i]);
    fflush(stdout);
}

/* Splits a line of the file of jobs. */
static struct job parse(char *line)
{
    struct job job = { .argument = { "gpufilter" } };
    char *outputs, *flags;

    line[strcspn(line, "\n")] = '\0';
    job.name = strsep(&line, "\t");
    outputs = strsep(&line, "\t");
    flags = strsep(&line, "\t");
    job.input = strsep(&line, "\t");
    for (int i = 0; outputs != NULL && i < MOST_OUTPUTS; i++)
        if ((job.output[i] = strsep(&outputs, " "))[0] == '?') {
            job.output[i]++;
            job.free[i] = true;
        }
    if (flags == NULL || job.input == NULL)
        exit(99);
    job.many = strstr(flags, "many") != NULL;
    job.rows = strstr(flags, "rows") != NULL;
    job.old = strstr(flags, "old") != NULL;
    for (int i = 1; line != NULL && i < MOST_ARGUMENTS; i++)
        job.argument[i] = strsep(&line, "\t");
    return job;
}

int main(int argc, char **argv)
{
    FILE *f = argc == 4 ? fopen(argv[1], "r") : NULL;
    const long most = argc == 4 ? atol(argv[3]) : 0;
    char *line = NULL;
    size_t room = 0;

    parallel = (int)sysconf(_SC_NPROCESSORS_ONLN);
    parallel = parallel < 1 ? 1 : parallel > MOST_RUNS ? MOST_RUNS : parallel;
    for (int i = 0; i < parallel; i++)
        if (torture_open(&runs[i], i) != 0)
            return 99;
    if (f == NULL)
        return 99;
    read_known(argv[2]);
    while (getline(&line, &room, f) > 0) {
        struct job job = parse(line);

        torture(&job, most);
    }
    if (most >= 100 && getenv("TORTURE_KINDS") == NULL && (getenv("ONLY") == NULL || getenv("ONLY")[0] == '\0'))
        for (int i = 0; i < MOST_KNOWN && known[i].text != NULL; i++)
            gf_ok(known[i].seen > 0, "the known failure %s still happens", known[i].text);
    free(line);
    fclose(f);
    return gf_tap_end();
}
