/* Runs the same function on several threads. */
#ifndef GF_BASE_THREADS_H
#define GF_BASE_THREADS_H

/*
 * Runs work(argument, 0 … count - 1) at the same time, number 0 on the thread of the caller. If
 * the system cannot create a thread, the remaining numbers are not run.
 */
void gf_threads_run(int count, void (*work)(void *argument, int number), void *argument);

#endif
