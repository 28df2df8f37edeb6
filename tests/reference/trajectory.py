"""The bits of a simulated path; as a script, in a process that has no engine plugin loaded.

The script reads MJCF from its standard input and prints the digest.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import sys

import numpy as np

STEPS = 300
PLUGIN_MODEL = (
    '<mujoco><extension><plugin plugin="grouser.contact"><instance name="contact"/></plugin></extension></mujoco>'
)


def digest(xml: str) -> str:
    """Return a hash of every bit of positions, velocities and accelerations along `STEPS` steps."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.3
    bits = hashlib.sha256()
    for _ in range(STEPS):
        mujoco.mj_step(model, data)
        bits.update(np.concatenate((data.qpos, data.qvel, data.qacc)).tobytes())
    return bits.hexdigest()


def _forbid_plugins() -> None:
    """Keep MuJoCo from loading installed plugins, and make sure that none is there."""
    importlib.metadata.entry_points = lambda **_: ()
    import mujoco

    try:
        mujoco.MjModel.from_xml_string(PLUGIN_MODEL)
    except ValueError:
        return
    sys.exit("the plugin is loaded: nothing to compare with")


if __name__ == "__main__":
    _forbid_plugins()
    print(digest(sys.stdin.read()))
