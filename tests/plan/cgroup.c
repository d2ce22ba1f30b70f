/*
 * Tests the memory limit of a control group: the smallest limit up to the root, for both versions,
 * and invalid files.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "tests/tap.h"

static void put(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0) {
        perror(name);
        exit(99);
    }
}

static int64_t told(const char *list)
{
    put("list", list);
    return gf_cgroup_memory("list", "mount");
}

static void test_version_2(void)
{
    gf_is(told("0::/a/b\n"), 0, "no limit is set");
    put("mount/a/b/memory.max", "max\n");
    gf_is(told("0::/a/b\n"), 0, "\"max\" is no limit");
    put("mount/a/b/memory.max", "5000000\n");
    gf_is(told("0::/a/b\n"), 5000000, "the group's own limit");
    put("mount/a/memory.max", "4000000\n");
    gf_is(told("0::/a/b\n"), 4000000, "the lower limit of the parent group");
    put("mount/a/memory.max", "6000000\n");
    gf_is(told("0::/a/b\n"), 5000000, "or not");
    put("mount/memory.max", "3000000\n");
    gf_is(told("0::/elsewhere/c\n"), 3000000, "a group outside the mount: the limit of the mount");
    gf_is(told("0::/../a\n"), 3000000, "and one beyond it");
    gf_is(told("0::/\n"), 3000000, "the root of the mount");
    put("mount/memory.max", "-1\n");
    gf_is(told("0::/\n"), 0, "a negative number is no limit");
    put("mount/memory.max", "99999999999999999999\n");
    gf_is(told("0::/\n"), 0, "neither is a number that is too large");
}

static void test_version_1(void)
{
    put("mount/memory/x/memory.limit_in_bytes", "7000000\n");
    put("mount/memory/memory.limit_in_bytes", "9223372036854771712\n");
    gf_is(told("5:cpu,cpuacct:/y\n4:hugetlb,memory:/x\n1:name=systemd:/z\n"), 7000000,
          "version 1, one of several controllers");
    gf_is(told("4:memoryless:/x\n"), 0, "a controller of a longer name");
    gf_is(told("memory\n:\n\n4:memory\n"), 0, "invalid lines");
    gf_is(gf_cgroup_memory("missing", "mount"), 0, "no list at all");
}

int main(void)
{
    char folder[] = "/tmp/gpufilter-test.XXXXXX";

    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || mkdir("mount", 0700) != 0 || mkdir("mount/a", 0700) != 0
        || mkdir("mount/a/b", 0700) != 0 || mkdir("mount/memory", 0700) != 0 || mkdir("mount/memory/x", 0700) != 0) {
        perror(folder);
        return 99;
    }
    test_version_2();
    test_version_1();
    unlink("list");
    unlink("mount/memory.max");
    unlink("mount/a/memory.max");
    unlink("mount/a/b/memory.max");
    unlink("mount/memory/memory.limit_in_bytes");
    unlink("mount/memory/x/memory.limit_in_bytes");
    rmdir("mount/memory/x");
    rmdir("mount/memory");
    rmdir("mount/a/b");
    rmdir("mount/a");
    rmdir("mount");
    if (chdir("/") == 0)
        rmdir(folder);
    return gf_tap_end();
}
