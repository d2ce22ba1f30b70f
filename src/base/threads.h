/* Runs the same function on several threads. */
#ifndef GF_BASE_THREADS_H
#define GF_BASE_THREADS_H

/* Runs work(argument, 0 … count - 1) at once, the first on the caller's thread; fewer threads where none is left. */
void gf_threads_run(int count, void (*work)(void *argument, int number), void *argument);

#endif
