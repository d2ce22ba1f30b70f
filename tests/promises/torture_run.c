/* One run of a job in which calls fail: its folder, its process, and the verdict. */
#define _GNU_SOURCE
#include "tests/promises/torture.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define OLD          "an older output"
#define MOST_SECONDS 30

struct content torture_read(const char *folder, const char *name)
{
    struct content content = { 0 };
    char path[600];
    struct stat st;
    int fd;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return content;
    content.exists = true;
    content.bytes = fstat(fd, &st) == 0 ? calloc(1, (size_t)st.st_size + 1) : NULL;
    if (content.bytes != NULL && read(fd, content.bytes, (size_t)st.st_size) == st.st_size)
        content.size = (size_t)st.st_size;
    close(fd);
    return content;
}

int torture_open(struct run *run, int number)
{
    snprintf(run->folder, sizeof run->folder, "run-%d", number);
    run->memory = memfd_create("report", MFD_CLOEXEC);
    if (run->memory < 0 || ftruncate(run->memory, sizeof *run->report) != 0 || mkdir(run->folder, 0777) != 0)
        return -1;
    run->report = mmap(NULL, sizeof *run->report, PROT_READ | PROT_WRITE, MAP_SHARED, run->memory, 0);
    return run->report != MAP_FAILED ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    return at->level == 0 ? 0 : kind == FTW_DP ? rmdir(path) : unlink(path);
}

static int prepare(const struct run *run, const struct job *job)
{
    if (nftw(run->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0)
        return -1;
    for (int i = 0; job->old && job->output[i] != NULL; i++) {
        char path[600];
        FILE *f;

        snprintf(path, sizeof path, "%s/%s", run->folder, job->output[i]);
        if (strchr(job->output[i], '/') != NULL) {
            *strrchr(path, '/') = '\0';
            mkdir(path, 0777);
            snprintf(path, sizeof path, "%s/%s", run->folder, job->output[i]);
        }
        f = fopen(path, "w");
        if (f == NULL || fputs(OLD, f) < 0 || fclose(f) != 0)
            return -1;
    }
    return 0;
}

/* Fills a pipe with a small file, which becomes standard input. */
static void feed(const char *name)
{
    const struct content input = torture_read("..", name);
    int ends[2];

    if (input.size > 60000 || pipe(ends) != 0 || write(ends[1], input.bytes, input.size) != (ssize_t)input.size)
        _exit(98);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
}

static void become(const struct run *run, const struct job *job)
{
    char number[20];
    const int fd = dup(run->memory);     /* without O_CLOEXEC */
    const int out = chdir(run->folder) == 0 ? open("stdout", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    const int said = open("stderr", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

    snprintf(number, sizeof number, "%d", fd);
    if (fd < 0 || out < 0 || said < 0)
        _exit(98);
    dup2(out, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    if (strcmp(job->input, "-") != 0)
        feed(job->input);
    setenv("FAILING_CALLS", run->how, 1);
    setenv("FAILING_CALLS_REPORT", number, 1);
    setenv("LD_PRELOAD", getenv("TORTURE_LIBRARY"), 1);
    alarm(MOST_SECONDS);
    execv(getenv("GPUFILTER"), job->argument);
    _exit(98);
}

int torture_start(struct run *run, const struct job *job, const char *how)
{
    memset(run->report, 0, sizeof *run->report);
    snprintf(run->how, sizeof run->how, "%s", how);
    if (prepare(run, job) != 0)
        return -1;
    run->process = fork();
    if (run->process == 0)
        become(run, job);
    return run->process > 0 ? 0 : -1;
}

static bool is_same(const struct content *a, const struct content *b)
{
    return a->exists == b->exists && a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

/* Returns true if each line of a table is also in the whole one. */
static bool has_only_lines_of(const struct content *found, const struct content *whole)
{
    for (char *line = found->bytes, *end; line != NULL && *line != '\0'; line = end + 1) {
        bool known;

        end = strchr(line, '\n');
        if (end == NULL)
            return false;
        *end = '\0';
        known = whole->bytes != NULL && strstr(whole->bytes, line) != NULL;
        *end = '\n';
        if (!known)
            return false;
    }
    return true;
}

/* Judges one output after a run with this status. */
static const char *judge_output(const struct run *run, const struct job *job, int i, const struct content *found,
                                int status)
{
    const bool whole = is_same(found, &job->wanted[i]);
    const bool kept = job->old ? found->size == strlen(OLD) && memcmp(found->bytes, OLD, found->size) == 0
                               : !found->exists;

    if (job->free[i])
        return found->exists || status != 0 ? NULL : "a missing output";
    if (status == 0)
        return whole ? NULL : "other bytes";
    if (strcmp(run->how, "errno") == 0)
        return "an error, although all calls succeed";
    if (strcmp(job->output[i], "stdout") == 0)
        return NULL;
    if (kept || (job->many && whole) || (job->rows && has_only_lines_of(found, &job->wanted[i])))
        return NULL;
    return whole ? "an error, but the output is replaced" : "a torn output";
}

/* Returns true for a line that a library prints, which gpufilter cannot prevent. */
static bool is_library_line(const char *line)
{
    static const char *const begins[] = { "[src/libmpg123/", "Note: ", "Error: can't allocate " };

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(line, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* Judges standard error: nothing new after a success, and one clear line after an error. */
static const char *judge_messages(const struct run *run, const struct job *job, const struct content *said,
                                  int status)
{
    int lines = 0;

    for (const char *line = said->bytes, *end; line != NULL && *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        if (end == NULL || (strncmp(line, "gpufilter: ", 11) != 0 && !is_library_line(line)))
            return "a line of another kind";
        /* warnings of the job itself are no errors */
        lines += !is_library_line(line)
              && (job->messages.size == 0
                  || memmem(job->messages.bytes, job->messages.size, line, (size_t)(end - line)) == NULL);
    }
    if (status == 0)
        return lines == 0 ? NULL : "status 0, but other messages";
    if (lines == 0)
        return "an error without a message";
    if (lines > 1 && !job->many)
        return "more than one line";
    if (strncmp(run->how, "memory:", 7) == 0 && strstr(said->bytes, "memory") == NULL)
        return "no word about memory";
    if (strstr(said->bytes, "Success") != NULL || strstr(said->bytes, "(null)") != NULL)
        return "a message without a reason";
    return NULL;
}

static const struct job *scanned_job;
static char left_over[300];

static int find_left_over(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    const char *const name = strchr(path, '/') != NULL ? strchr(path, '/') + 1 : path;

    (void)st;
    if (at->level == 0 || strcmp(name, "stdout") == 0 || strcmp(name, "stderr") == 0)
        return 0;
    for (int i = 0; scanned_job->output[i] != NULL; i++) {
        const char *const output = scanned_job->output[i];

        if (strcmp(name, output) == 0 || (kind == FTW_D && strncmp(output, name, strlen(name)) == 0))
            return 0;
    }
    snprintf(left_over, sizeof left_over, "%s", name);
    return 1;
}

void torture_judge(const struct run *run, const struct job *job, int status, char *wrong, size_t room)
{
    const struct content said = torture_read(run->folder, "stderr");
    const int code = WEXITSTATUS(status);
    const char *problem = NULL;

    wrong[0] = left_over[0] = '\0';
    scanned_job = job;
    if (WIFSIGNALED(status)) {
        snprintf(wrong, room, "%s %s", WTERMSIG(status) == SIGALRM ? "hangs" : "crash", run->report->crashed);
    } else if (code > 2) {
        snprintf(wrong, room, "status %d", code);
    } else {
        for (int i = 0; job->output[i] != NULL && problem == NULL; i++) {
            struct content found = torture_read(run->folder, job->output[i]);

            problem = judge_output(run, job, i, &found, code);
            free(found.bytes);
        }
        if (problem == NULL)
            problem = judge_messages(run, job, &said, code);
        if (problem != NULL)
            snprintf(wrong, room, "%s", problem);
        else if (nftw(run->folder, find_left_over, 16, FTW_PHYS) == 1)
            snprintf(wrong, room, "left behind: %s", left_over);
    }
    if (wrong[0] != '\0' && said.size > 0) {
        const size_t used = strlen(wrong);

        snprintf(wrong + used, room - used, "; status %d, said: %.300s", code, said.bytes);
    }
    free(said.bytes);
}
