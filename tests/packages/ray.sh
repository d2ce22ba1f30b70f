# Ray on this machine: actors that keep a prepared chain filter pieces of an image; one of them is killed in the middle.
. "$(dirname "$0")/../lib.sh"
. "$here/lib_venv.sh"
new_venv ray numpy
HOME=$scratch RAY_AUTH_MODE=disabled RAY_USAGE_STATS_ENABLED=0
export HOME RAY_AUTH_MODE RAY_USAGE_STATS_ENABLED
python_cases "$here/engine_ray.py"
finish
