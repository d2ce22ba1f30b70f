/*
 * Leaves a process whose end takes long. A GPU's driver needs 0.1 s to release what a process had,
 * however it exits.
 */
#ifndef GF_BASE_LEAVE_H
#define GF_BASE_LEAVE_H

#include <stdbool.h>

/*
 * Exits at once with this status, without exit handlers. A second process, which shares memory and
 * descriptors with this one, outlives it, so the release happens there. All output must be complete.
 *
 * Returns if this has no advantage or is not possible; the caller then exits as usual. `slow`: the
 * end of this process takes long.
 */
void gf_leave(int status, bool slow);
/* Returns true if gf_leave() will want a second process, as far as is known now. */
bool gf_leave_wants_process(bool slow);

#endif
