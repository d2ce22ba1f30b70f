/* The process that waits for children whose parent is gone, usually init. */
#ifndef GF_BASE_REAPER_H
#define GF_BASE_REAPER_H

#include <stdbool.h>

/*
 * Returns true if it seems to wait for them. In some containers process 1 never does; then each
 * child that outlives this process would stay in the table of processes.
 */
bool gf_reaper_works(void);

#endif
