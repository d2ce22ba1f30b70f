/* The control group that the program runs in: a container has less memory than its machine. */
#ifndef GF_BASE_CGROUP_H
#define GF_BASE_CGROUP_H

#include <stdint.h>

/*
 * The least ceiling of memory among the group and those it lies in, in bytes; 0 where there is
 * none. `list` is the process's own list of groups, /proc/self/cgroup; `mount` is where groups
 * are folders, /sys/fs/cgroup. Of version 2 of groups, and of version 1.
 */
int64_t gf_cgroup_memory(const char *list, const char *mount);

#endif
