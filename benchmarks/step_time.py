"""Step time of a tracked robot against stock MuJoCo, and the time from import to the first step.

Both sides run the same body, shapes and solver options, in turn, in one process; what is quoted is the median of the
ratios of neighbouring runs, which a busy machine disturbs least. Absolute times are this machine's.

    python benchmarks/step_time.py [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import mujoco
import numpy as np

import grouser as gr

ROUNDS = 15
STEPS = 2000
LENGTH, SEPARATION, RADIUS, WIDTH, MASS = 0.8, 0.5, 0.1, 0.08, 20.0

START = """
import time, mujoco
start = time.perf_counter()
import grouser as gr
world = gr.World()
world.add_ground()
world.add_articulated_system({robot!r}, position=(0, 0, {radius}))
world.step()
print(time.perf_counter() - start)
"""


def robot_text() -> str:
    """Return a 20 kg box on two tracks, with drives `left` and `right`."""
    sides = []
    for name, y in (("left", SEPARATION / 2), ("right", -SEPARATION / 2)):
        sides.append(f"""
  <link name="{name}_sprocket"/>
  <joint name="{name}" type="continuous">
    <parent link="base"/><child link="{name}_sprocket"/>
    <origin xyz="{LENGTH / 2} {y} 0"/><axis xyz="0 1 0"/><dynamics rotor_inertia="0.1"/>
  </joint>
  <track name="{name}" link="base" width="{WIDTH}" thickness="0">
    <axis xyz="0 1 0"/>
    <wheel joint="{name}" radius="{RADIUS}"/>
    <wheel xyz="{-LENGTH / 2} {y} 0" radius="{RADIUS}"/>
    <drive joint="{name}" gain="{RADIUS}"/>
  </track>""")
    return f"""<robot name="bench"><link name="base"><inertial><origin xyz="0 0 0.05"/><mass value="{MASS}"/>
  <inertia ixx="0.5" iyy="1.2" izz="1.5" ixy="0" ixz="0" iyz="0"/></inertial></link>{"".join(sides)}</robot>"""


def stock_text() -> str:
    """Return the same robot in plain MuJoCo: the same shapes without belts, the same options."""
    sides = ""
    half, across = LENGTH / 2, WIDTH / 2
    for name, y in (("left", SEPARATION / 2), ("right", -SEPARATION / 2)):
        sides += f"""
      <geom type="cylinder" size="{RADIUS} {across}" pos="{half} {y} 0" zaxis="0 1 0"/>
      <geom type="cylinder" size="{RADIUS} {across}" pos="{-half} {y} 0" zaxis="0 1 0"/>
      <geom type="box" size="{half} {across} {RADIUS / 2}" pos="0 {y} {-RADIUS / 2}"/>
      <geom type="box" size="{half} {across} {RADIUS / 2}" pos="0 {y} {RADIUS / 2}"/>
      <body pos="{half} {y} 0"><inertial pos="0 0 0" mass="1e-12" diaginertia="1e-12 1e-12 1e-12"/>
        <joint name="{name}" axis="0 1 0" armature="0.1"/></body>"""
    return f"""<mujoco>
  <option timestep="0.002" cone="elliptic" impratio="100" jacobian="dense" integrator="Euler">
    <flag multiccd="disable" island="disable" eulerdamp="disable"/>
  </option>
  <default><geom friction="0.8 0.005 0.0001" mass="0"/></default>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body pos="0 0 {RADIUS}"><freejoint/>
      <inertial pos="0 0 0.05" mass="{MASS}" diaginertia="0.5 1.2 1.5"/>{sides}
    </body>
  </worldbody>
</mujoco>"""


def grouser_case(left: float, right: float) -> Callable[[], None]:
    """Return a run of `STEPS` steps of the robot with its sprockets at these speeds [rad/s]."""
    world = gr.World(timestep=0.002)
    world.add_ground()
    bot = world.add_articulated_system(robot_text(), position=(0, 0, RADIUS))
    world.step(200)
    gains, target = np.zeros(bot.dof), np.zeros(bot.dof)
    for joint, speed in (("left", left), ("right", right)):
        gains[bot.velocity_index(joint)] = 50.0
        target[bot.velocity_index(joint)] = speed
    bot.set_pd_gains(np.zeros(bot.dof), gains)
    bot.set_pd_target(bot.generalized_coordinate, target)
    world.step(500)
    model, data = world.model, world.data
    return lambda: mujoco.mj_step(model, data, STEPS)


def stock_case() -> Callable[[], None]:
    """Return a run of `STEPS` steps of the stock model at rest."""
    model = mujoco.MjModel.from_xml_string(stock_text())
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 500)
    return lambda: mujoco.mj_step(model, data, STEPS)


def seconds(run: Callable[[], None]) -> float:
    """Return how long one run takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def measure() -> dict[str, float]:
    """Return microseconds a step, ratios to stock MuJoCo, and the start-up time [s]."""
    stock = stock_case()
    result: dict[str, float] = {}
    stock_times: list[float] = []
    for name, speeds in (("driving", (5.0, 5.0)), ("spinning", (-4.0, 4.0))):
        run = grouser_case(*speeds)
        ratios, times = [], []
        for _ in range(ROUNDS):
            ours, theirs = seconds(run), seconds(stock)
            ratios.append(ours / theirs)
            times.append(ours)
            stock_times.append(theirs)
        result[f"{name}_us"] = statistics.median(times) / STEPS * 1e6
        result[f"{name}_ratio"] = statistics.median(ratios)
    result["stock_us"] = statistics.median(stock_times) / STEPS * 1e6
    code = START.format(robot=robot_text(), radius=RADIUS)
    result["start_s"] = statistics.median(start_up(code) for _ in range(5))
    return result


def start_up(code: str) -> float:
    """Return the seconds that a fresh interpreter prints; modules are read compiled, as when installed."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout)


def main() -> None:
    """Print the figures, as a table or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    result = measure()
    if arguments.json:
        print(json.dumps(result, indent=2))
        return
    print(f"stock MuJoCo, no belts, at rest   {result['stock_us']:7.1f} us a step")
    for name in ("driving", "spinning"):
        print(f"Grouser, {name:24s} {result[f'{name}_us']:7.1f} us a step   {result[f'{name}_ratio']:5.2f} x stock")
    print(f"from `import grouser` to the first step, beyond importing mujoco   {result['start_s']:.2f} s")


if __name__ == "__main__":
    main()
