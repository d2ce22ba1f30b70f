/* The memory limit of the control group that the program runs in, as in a container. */
#ifndef GF_BASE_CGROUP_H
#define GF_BASE_CGROUP_H

#include <stdint.h>

/*
 * Returns the lowest memory limit among the group and its parents, in bytes; 0 if there is none.
 * `list` is the list of groups of the process, /proc/self/cgroup. `mount` is the folder of groups,
 * /sys/fs/cgroup. Versions 1 and 2 of control groups are supported.
 */
int64_t gf_cgroup_memory(const char *list, const char *mount);

#endif
