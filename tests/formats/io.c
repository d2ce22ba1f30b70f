/* Tests of readers and writers. They run in a folder of their own. */
#define _GNU_SOURCE
#include "io_common.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void remove_all(const char *folder)
{
    DIR *d = opendir(".");
    const struct dirent *e;

    while (d != NULL && (e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && unlink(e->d_name) != 0)
            rmdir(e->d_name);
    }
    if (d != NULL)
        closedir(d);
    if (chdir("/") == 0)
        rmdir(folder);
}

int main(void)
{
    char folder[] = "/tmp/gpufilter-io-XXXXXX";

    signal(SIGPIPE, SIG_IGN);
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    gf_test_pnm_known();
    gf_test_y4m_known();
    gf_test_wav_known();
    gf_test_pictures_known();
    gf_test_refused();
    gf_test_refused_names();
    gf_test_written();
    gf_test_png_stored();
    gf_test_identity();
    gf_test_fit();
    gf_test_lossy();
    gf_test_whole_or_not();
    gf_test_pipes();
    gf_test_standard_output();
    gf_test_broken_input();
    gf_test_several();
    gf_test_rf64();
    gf_test_tables();
    remove_all(folder);
    return gf_tap_end();
}
