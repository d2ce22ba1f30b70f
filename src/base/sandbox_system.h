/* The files of the system that a confined run may use. */
#ifndef GF_BASE_SANDBOX_SYSTEM_H
#define GF_BASE_SANDBOX_SYSTEM_H

#include "base/sandbox.h"

/* Allows libraries and facts about the system. */
void gf_sandbox_allow_system(struct gf_sandbox *s);

#endif
