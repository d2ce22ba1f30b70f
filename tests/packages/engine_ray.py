"""Runs a chain in a pool of two actors of Ray, on pieces of an image with their halo, and kills one of the actors.

It prints TAP; ray.sh calls it in a folder of its own.
"""
import os
import pathlib
import signal
import sys
import tempfile
import threading
import time

sys.path.insert(1, str(pathlib.Path(__file__).parent.parent / "library"))
import gpufilter as gf
import large_image
import numpy as np
import ray
from ray.util import ActorPool

import halo
from halo import ok

ROWS, COLUMNS, SIDE = 3000, 2500, 300
STAGES = "median:2 unsharp:3"


@ray.remote(max_restarts=-1, max_task_retries=-1)
class Filter:
    """An actor that prepares its chain once; Ray starts it again if it is killed, and repeats its task."""

    def __init__(self, stages):
        self.chain = gf.Chain(stages, device="cpu", threads=1)

    def process(self):
        return os.getpid()

    def run(self, begun, y, x):
        """Return the piece of the result at this place."""
        (above, below), (left, right) = self.chain.halo(np.broadcast_to(np.uint8(), (ROWS, COLUMNS))).depth
        pathlib.Path(begun, "%d-%d-%d" % (y, x, os.getpid())).touch()
        time.sleep(0.03)
        top, start = max(y - above, 0), max(x - left, 0)
        part = large_image.part((top, min(y + SIDE + below, ROWS)), (start, min(x + SIDE + right, COLUMNS)))
        return y, x, self.chain(part)[y - top:, x - start:][:SIDE, :SIDE]


def kill_later(process, begun):
    """Kill this process when it has begun eight pieces."""
    while sum(name.endswith("-%d" % process) for name in os.listdir(begun)) < 8:
        time.sleep(0.005)
    os.kill(process, signal.SIGKILL)


def main():
    begun = tempfile.mkdtemp(dir=".")
    begun = os.path.abspath(begun)
    # Names of Ray's sockets must be short.
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp") as folder:
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200 << 20,
                 _temp_dir=folder, runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}})
        actors = [Filter.remote(STAGES) for _ in range(2)]
        victim = ray.get([actor.process.remote() for actor in actors])[0]
        threading.Thread(target=kill_later, args=(victim, begun), daemon=True).start()
        places = [(y, x) for y in range(0, ROWS, SIDE) for x in range(0, COLUMNS, SIDE)]
        result = np.zeros((ROWS, COLUMNS), "uint8")
        pieces = 0
        for y, x, piece in ActorPool(actors).map_unordered(lambda actor, at: actor.run.remote(begun, *at), places):
            result[y:y + SIDE, x:x + SIDE] = piece
            pieces += 1
        again = [process for process in ray.get([actor.process.remote() for actor in actors])]
        ray.shutdown()
    print("# %d pieces, %d begun" % (len(places), len(os.listdir(begun))))
    ok(victim not in again and pieces == len(places) < len(os.listdir(begun)),
       "an actor is killed in the middle, starts again, and repeats its piece")
    whole = gf.apply(STAGES, large_image.part((0, ROWS), (0, COLUMNS)), device="cpu")
    ok(np.array_equal(result, whole), "pieces of actors of Ray have the bytes of one run")
    print("1..%d" % halo.count)
    sys.exit(halo.failed > 0)


if __name__ == "__main__":
    main()
