/* Runs the inputs in the named files and folders, for compilers without libFuzzer: TAP, one line for each target. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static FILE *said;                       /* standard output; targets use that for their results */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int run_file(const char *path, double *slowest)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = NULL;
    struct stat st;
    double start;
    size_t size = 0;

    if (f == NULL || fstat(fileno(f), &st) != 0 || (bytes = malloc((size_t)st.st_size + 1)) == NULL) {
        perror(path);
        exit(1);
    }
    size = fread(bytes, 1, (size_t)st.st_size, f);
    fclose(f);
    fprintf(stderr, "%s\n", path);               /* a crash shows which input it was */
    start = now();
    LLVMFuzzerTestOneInput(bytes, size);
    if (now() - start > *slowest)
        *slowest = now() - start;
    free(bytes);
    return 1;
}

/* Runs a file, or the files of a folder. Returns their number. */
static int run_path(const char *path, double *slowest)
{
    struct dirent **names;
    const int count = scandir(path, &names, NULL, alphasort);
    int done = 0;

    if (count < 0)
        return run_file(path, slowest);
    for (int i = 0; i < count; i++) {
        char file[4096];

        snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.')
            done += run_file(file, slowest);
        free(names[i]);
    }
    free(names);
    return done;
}

int main(int argc, char **argv)
{
    double slowest = 0;
    int done = 0;

    said = fdopen(dup(STDOUT_FILENO), "w");
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; said != NULL && i < argc; i++)
        if (argv[i][0] != '-')
            done += run_path(argv[i], &slowest);
    fprintf(said, "%s: %d inputs, the slowest took %.2f s\n", gf_fuzz_chosen()->name, done, slowest);
    fclose(said);
    return done > 0 ? 0 : 1;
}
