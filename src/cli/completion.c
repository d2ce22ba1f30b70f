/* Prints the completion script for a shell, which the build makes from man/completion. */
#include "cli/completion.h"

#include "cli/start_bench.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *shell, *built, *installed;
} scripts[] = {
    { "bash", "completion/gpufilter", GF_BASHCOMPDIR "/gpufilter" },
    { "zsh", "completion/_gpufilter", GF_ZSHCOMPDIR "/_gpufilter" },
    { "fish", "completion/gpufilter.fish", GF_FISHCOMPDIR "/gpufilter.fish" },
};

int gf_completion_print(const char *shell, struct gf_error *err)
{
    char own[PATH_MAX], path[PATH_MAX + 32], bytes[4096];
    size_t i = 0, n;
    FILE *file;

    while (i + 1 < sizeof scripts / sizeof *scripts && strcmp(shell, scripts[i].shell) != 0)
        i++;
    gf_own_folder(own, sizeof own);
    snprintf(path, sizeof path, "%s/%s", own, scripts[i].built);
    file = fopen(path, "r");
    if (file == NULL)
        file = fopen(scripts[i].installed, "r");
    if (file == NULL)
        return gf_fail_system(err, errno, "the completion for %s: looked for it in %s and %s", shell, path,
                              scripts[i].installed);
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0 && fwrite(bytes, 1, n, stdout) == n)
        ;
    fclose(file);
    return 0;
}
