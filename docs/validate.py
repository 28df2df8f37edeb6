"""Measures what Grouser claims against closed forms, and writes the tables of docs/validation.md and the README.

python docs/validate.py            # measure, print and write both
python docs/validate.py --check    # measure and print; exit 1 if a claim misses its bound
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import grouser as gr

DOCS = Path(__file__).parent
GRAVITY = 9.81
BEGIN, END = "<!-- validation: begin -->", "<!-- validation: end -->"


@dataclass(frozen=True)
class Claim:
    """One measured claim: what the closed form says, what the simulation gave, and how far it may be off."""

    text: str
    oracle: float
    measured: float
    unit: str
    bound: float
    relative: bool = True
    headline: bool = False

    @property
    def error(self) -> float:
        """Relative error, or the absolute one where the oracle is zero."""
        difference = abs(self.measured - self.oracle)
        return difference / abs(self.oracle) if self.relative else difference

    @property
    def row(self) -> str:
        """The claim as a row of a Markdown table."""
        error = f"{self.error:.1e}" + ("" if self.relative else f" {self.unit}")
        return f"| {self.text} | {self.oracle:.5g} {self.unit} | {self.measured:.5g} {self.unit} | {error} |"


def robot(
    *,
    length: float = 0.8,
    separation: float = 0.5,
    mass: float = 20.0,
    rotor: float = 0.01,
    effort: float | None = None,
) -> str:
    """Return a box on two tracks; its drives `left` and `right` have rotor inertia alone."""
    limit = "" if effort is None else f'<limit effort="{effort}" velocity="1000"/>'
    sides = "".join(
        f"""
  <link name="{name}_sprocket"/>
  <joint name="{name}" type="continuous">
    <parent link="base"/><child link="{name}_sprocket"/>
    <origin xyz="{length / 2} {y} 0"/><axis xyz="0 1 0"/>{limit}<dynamics rotor_inertia="{rotor}"/>
  </joint>
  <track name="{name}" link="base" width="0.08" thickness="0" material="rubber">
    <axis xyz="0 1 0"/>
    <wheel joint="{name}" radius="0.1"/><wheel xyz="{-length / 2} {y} 0" radius="0.1"/>
    <drive joint="{name}" gain="0.1"/>
  </track>"""
        for name, y in (("left", separation / 2), ("right", -separation / 2))
    )
    return f"""<robot name="box_on_tracks"><link name="base"><inertial><origin xyz="0 0 0.05"/><mass value="{mass}"/>
  <inertia ixx="0.5" iyy="1.2" izz="1.5" ixy="0" ixz="0" iyz="0"/></inertial></link>{sides}</robot>"""


def conveyor() -> str:
    """Return a belt 4 m long on a fixed frame, driven by `roller`; its top runs towards +x."""
    return """<robot name="conveyor"><link name="world"/><link name="frame"/><link name="roller_link"/>
  <joint name="mount" type="fixed"><parent link="world"/><child link="frame"/><origin xyz="0 0 0.5"/></joint>
  <joint name="roller" type="continuous"><parent link="frame"/><child link="roller_link"/>
    <origin xyz="2 0 0"/><axis xyz="0 1 0"/><dynamics rotor_inertia="0.05"/></joint>
  <track name="belt" link="frame" width="0.5" thickness="0.02" material="rubber"><axis xyz="0 1 0"/>
    <wheel joint="roller" radius="0.1"/><wheel xyz="-2 0 0" radius="0.1"/><drive joint="roller" gain="0.12"/></track>
</robot>"""


def on_ground(
    text: str, *, friction: float = 0.8, slope: float = 0.0, heading: float = 0.0
) -> tuple[gr.World, gr.ArticulatedSystem]:
    """Return a settled robot on a plane that rises along +x by `slope` [rad]."""
    world = gr.World(timestep=0.002, gravity=(-GRAVITY * math.sin(slope), 0, -GRAVITY * math.cos(slope)))
    world.add_ground()
    world.set_material_pair("rubber", "default", friction=friction)
    bot = world.add_articulated_system(text, position=(0, 0, 0.1))
    if heading:
        q = bot.generalized_coordinate
        q[3:7] = math.cos(heading / 2), 0, 0, math.sin(heading / 2)
        bot.set_state(q, np.zeros(bot.dof))
    world.step(200)
    return world, bot


def servo(bot: gr.ArticulatedSystem, kd: float = 50.0, **speeds: float) -> None:
    """Hold joints at these velocities [rad/s]."""
    gains, target = np.zeros(bot.dof), np.zeros(bot.dof)
    for joint, speed in speeds.items():
        gains[bot.velocity_index(joint)], target[bot.velocity_index(joint)] = kd, speed
    bot.set_pd_gains(np.zeros(bot.dof), gains)
    bot.set_pd_target(bot.generalized_coordinate, target)


def push(bot: gr.ArticulatedSystem, torque: float) -> None:
    """Drive both sprockets with this torque [N m]."""
    tau = np.zeros(bot.dof)
    tau[[bot.velocity_index("left"), bot.velocity_index("right")]] = torque
    bot.set_generalized_force(tau)


def acceleration(world: gr.World, bot: gr.ArticulatedSystem, steps: int = 100) -> float:
    """Return the mean acceleration along x over some steps [m/s2]."""
    before = bot.base_velocity[0]
    world.step(steps)
    return float((bot.base_velocity[0] - before) / (steps * world.timestep))


def spin_ratio(length: float, separation: float, heading: float = 0.0) -> float:
    """Return the rate of a turn in place over that of ideal tracks, omega B / (2 v)."""
    world, bot = on_ground(robot(length=length, separation=separation), heading=heading)
    servo(bot, 500.0, left=-4.0, right=4.0)
    world.step(500)
    turned = 0.0
    for _ in range(1500):
        world.step()
        turned += bot.base_velocity[5] * world.timestep
    belt = (bot.track_speed("right") - bot.track_speed("left")) / 2
    return turned / 3.0 * separation / (2 * belt)


def driving() -> Iterator[Claim]:
    """Grip, traction, reflected inertia, energy, sliding."""
    world, bot = on_ground(robot())
    servo(bot, left=5.0, right=5.0)
    world.step(1000)
    yield Claim(
        "A gripping robot drives at its belts' speed",
        bot.track_speed("left"),
        bot.base_velocity[0],
        "m/s",
        1e-6,
        headline=True,
    )
    yield Claim("and does not hop: vertical speed", 0.0, bot.base_velocity[2], "m/s", 1e-6, relative=False)
    for rotor, torque in ((0.01, 4.0), (0.5, 4.0)):
        world, bot = on_ground(robot(rotor=rotor))
        push(bot, torque)
        oracle = (2 * torque / 0.1) / (20 + 2 * rotor / 0.01)
        yield Claim(
            f"a = (Σ τ/g)/(m + Σ I/g²), rotors of {rotor} kg m²",
            oracle,
            acceleration(world, bot),
            "m/s²",
            1e-3,
            headline=rotor > 0.1,
        )
    world, bot = on_ground(robot(effort=3.0))
    servo(bot, left=100.0, right=100.0)
    yield Claim(
        "a servo at its effort limit accelerates the real rotor", (6 / 0.1) / 22, acceleration(world, bot), "m/s²", 1e-3
    )
    world, bot = on_ground(robot(mass=10.0, rotor=0.05))
    push(bot, 1.0)
    before = bot.base_velocity[0]
    world.step(500)
    yield Claim("2 N m for 1 s on 10 kg and 0.1 kg m²", 1.0, bot.base_velocity[0] - before, "m/s", 1e-3, headline=True)
    world, bot = on_ground(robot())
    push(bot, 40.0)
    yield Claim("a sliding belt pulls with μ N", 0.8 * GRAVITY, acceleration(world, bot), "m/s²", 1e-3, headline=True)


def turning() -> Iterator[Claim]:
    """Turning in place on the four ends of the footprints."""
    for ratio in (0.5, 1.0, 1.6, 2.0):
        oracle = 1 / (1 + ratio**2)
        yield Claim(
            f"Turn in place, load on four ends, L/B = {ratio}: ω B/(2 v) = B²/(B² + L²)",
            oracle,
            spin_ratio(0.5 * ratio, 0.5),
            "",
            0.01,
            headline=ratio == 1.6,
        )
    rates = [spin_ratio(0.8, 0.5, heading) for heading in (0.0, 0.7, 2.0)]
    yield Claim("and at any heading the same: spread", 0.0, max(rates) - min(rates), "", 1e-3, relative=False)


def standing() -> Iterator[Claim]:
    """Stalled against a wall, held on a slope, sliding down it."""
    world = gr.World(timestep=0.002)
    world.add_ground()
    world.add_box((0.2, 4.0, 2.0), position=(1.0, 0, 1.0), material="ice")
    world.set_material_pair("rubber", "ice", friction=0.0)
    bot = world.add_articulated_system(robot(effort=3.0), position=(0.38, 0, 0.1))
    servo(bot, left=5.0, right=5.0)
    world.step(2000)
    yield Claim("A blocked robot's belts stand still", 0.0, bot.track_speed("left"), "m/s", 1e-3, relative=False)
    yield Claim(
        "its drives stall at their limit and read what they transmit",
        3.0,
        abs(bot.joint_torque("left")),
        "N m",
        1e-3,
        headline=True,
    )
    world, bot = on_ground(robot(), slope=math.radians(30))
    servo(bot, 1e5, left=0.0, right=0.0)
    world.step(500)
    before = bot.base_position[0]
    world.step(2500)
    yield Claim(
        "Held on 30°, creep", 0.0, (bot.base_position[0] - before) / 5 * 1e3, "mm/s", 0.1, relative=False, headline=True
    )
    world, bot = on_ground(robot(), slope=math.radians(30), friction=0.3)
    servo(bot, 1e5, left=0.0, right=0.0)
    oracle = -GRAVITY * (math.sin(math.radians(30)) - 0.3 * math.cos(math.radians(30)))
    yield Claim(
        "Sliding down 30° at μ = 0.3: g (sin θ − μ cos θ)",
        oracle,
        acceleration(world, bot),
        "m/s²",
        1e-3,
        headline=True,
    )


def carrying() -> Iterator[Claim]:
    """A box on a conveyor."""
    world = gr.World(timestep=0.002)
    world.set_material_pair("rubber", "default", friction=0.5)
    belt = world.add_articulated_system(conveyor())
    servo(belt, 1e4, roller=1.0 / 0.12)
    box = world.add_box((0.1, 0.1, 0.1), mass=1.0, position=(-1.5, 0.1, 0.67))
    world.step(1000)
    # it slides until 1 m/s at mu g, then rides
    oracle = 2.0 - 0.5 * 1.0 / (0.5 * GRAVITY)
    yield Claim(
        "A box on a belt at 1 m/s, μ = 0.5: travel in 2 s", oracle, box.position[0] + 1.5, "m", 5e-3, headline=True
    )
    yield Claim("then it rides at the belt's speed", 1.0, box.velocity[0], "m/s", 1e-3)


PARTS: tuple[Callable[[], Iterator[Claim]], ...] = (driving, turning, standing, carrying)


def table(claims: list[Claim]) -> str:
    """Return claims as a Markdown table."""
    return "\n".join(
        ["| claim | closed form | Grouser | error |", "|---|---|---|---|", *(claim.row for claim in claims)]
    )


def write(path: Path, text: str) -> None:
    """Put a table between the markers of a file."""
    whole = path.read_text(encoding="utf-8")
    before, _, rest = whole.partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


def main() -> int:
    """Measure every claim; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    arguments = parser.parse_args()
    claims = [claim for part in PARTS for claim in part()]
    print(table(claims))
    if not arguments.check:
        write(DOCS / "validation.md", table(claims))
        write(DOCS.parent / "README.md", table([claim for claim in claims if claim.headline]))
    missed = [claim for claim in claims if not claim.error <= claim.bound]
    for claim in missed:
        print(f"missed its bound of {claim.bound:g}: {claim.text}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
