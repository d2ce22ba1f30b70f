/* Lanes of a device in another process. */
#ifndef GF_STAY_STAY_REMOTE_LANE_H
#define GF_STAY_STAY_REMOTE_LANE_H

#include "device/device.h"

int gf_stay_remote_lane_open(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err);
void gf_stay_remote_lane_close(struct gf_lane *lane);
int gf_stay_remote_lane_run(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err);
int gf_stay_remote_lane_result(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err);
int gf_stay_remote_lane_sums(struct gf_lane *lane, uint64_t *counts, int rows, int bins, struct gf_error *err);

#endif
