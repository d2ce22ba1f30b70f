/* The sockets of processes that stay: their folder, their names, and whose they are. */
#ifndef GF_STAY_STAY_PLACE_H
#define GF_STAY_STAY_PLACE_H

#include "device/stay/stay_messages.h"

#define GF_STAY_PATH 108                 /* room for the path of a socket */

/* Finds what must be equal for a run and its process. */
void gf_stay_place_key(bool cuda, int index, struct gf_stay_key *key);
/*
 * Finds the folder of this user's sockets: $XDG_RUNTIME_DIR/gpufilter, or without that variable
 * /run/user/UID/gpufilter, else /tmp/gpufilter-UID. Nobody else can use it; false: there is none. `make` creates it.
 */
bool gf_stay_place_folder(char folder[GF_STAY_PATH], bool make);
/* Makes the path of the socket for a key; false: it is too long. */
bool gf_stay_place_path(const struct gf_stay_key *key, char path[GF_STAY_PATH]);
/* Connects to a socket, whose process is this user's. Returns the descriptor, or -1. */
int gf_stay_place_connect(const char *path);
/* Makes a socket that listens. */
int gf_stay_place_listen(const char *path);
/* Returns true if a process of the same user is at the other end. */
bool gf_stay_place_is_own(int socket);
/* Takes the lock of the folder, which is held while a socket appears or goes. close() unlocks it; -1: not soon. */
int gf_stay_place_lock(void);

/* Returns true if the process that stays keeps this variable of the environment, "NAME=value"; or if the key has it. */
bool gf_stay_place_keeps(const char *variable, bool for_key);

/* Remembers the socket that this process listens to, and removes it once. */
void gf_stay_place_remember(int socket);
void gf_stay_place_remove(void);

#endif
