/* A device in another process, which stays between runs: a kind of device that works by messages. */
#ifndef GF_STAY_STAY_REMOTE_H
#define GF_STAY_STAY_REMOTE_H

#include "device/device.h"

/*
 * Makes the process at the other end of `socket` run the plans for its kind of device from now on. The connection has
 * been greeted; it stays open until this process ends.
 */
void gf_stay_remote_use(int socket, bool cuda);

#endif
