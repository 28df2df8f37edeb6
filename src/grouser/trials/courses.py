"""Courses to drive over, by name: what is added to a world in front of the robot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from grouser.errors import ParameterError, UnknownNameError
from grouser.sim.world import World

MATERIAL = "course"
"""Contact material of everything that `add_course` adds."""

MARGIN = 0.5
"""From the robot's foremost point to the first obstacle, unless `distance` says otherwise [m]."""


@dataclass(frozen=True, slots=True)
class Course:
    """A course by name, and what differs from its usual numbers.

    Attributes:
        name: One of `COURSES`.
        options: Values by name, such as `{"rise": 0.12}`.
    """

    name: str = "flat"
    options: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class _Kind:
    add: Callable[[World, Mapping[str, float]], None]
    defaults: Mapping[str, float]
    about: str


def parse_course(text: str) -> Course:
    """Return the course that `NAME` or `NAME:key=value,key=value` asks for.

    Raises:
        UnknownNameError: if there is no such course.
        ParameterError: if an option is unknown to it, or its value is no finite number.
    """
    name, _, rest = text.partition(":")
    options: dict[str, float] = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        try:
            options[key.strip()] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise ParameterError(f"course '{text}': '{item}' is not of the form key=number")
    course = Course(name.strip(), options)
    options_of(course, 0.0)
    return course


def options_of(course: Course, front: float) -> dict[str, float]:
    """Return all numbers of a course.

    Args:
        course: The course.
        front: x of the robot's foremost point [m].

    Raises:
        UnknownNameError: if there is no such course.
        ParameterError: if it has no option of a given name, or the value is not finite.
    """
    if course.name not in COURSES:
        raise UnknownNameError("course", course.name, COURSES)
    usual = {"distance": front + MARGIN, **COURSES[course.name].defaults}
    for key, value in (course.options or {}).items():
        if key not in usual:
            raise ParameterError(f"course '{course.name}' has no option '{key}'; it has: {', '.join(usual)}")
        if not np.isfinite(value):
            raise ParameterError(f"course '{course.name}': {key} is {value}; it must be a finite number")
    return {**usual, **(course.options or {})}


def add_course(world: World, course: Course, front: float) -> None:
    """Add a course along W's x to a world, ground included.

    Args:
        world: The world.
        course: The course.
        front: x of the robot's foremost point [m].

    Raises:
        UnknownNameError: if there is no such course.
        ParameterError: if a number is out of its range.
    """
    numbers = options_of(course, front)
    COURSES[course.name].add(world, numbers)


def _flat(world: World, _n: Mapping[str, float]) -> None:
    world.add_ground(material=MATERIAL)


def _stairs(world: World, n: Mapping[str, float]) -> None:
    world.add_ground(material=MATERIAL)
    steps = _whole("stairs", "steps", n["steps"])
    world.add_stairs(n["rise"], n["run"], steps, n["width"], (n["distance"], 0.0, 0.0), material=MATERIAL)
    top = steps * n["rise"]
    start = n["distance"] + steps * n["run"]
    world.add_box((n["landing"], n["width"], top), position=(start + n["landing"] / 2, 0, top / 2), material=MATERIAL)


def _steps(world: World, n: Mapping[str, float]) -> None:
    world.add_ground(material=MATERIAL)
    for i in range(_whole("steps", "count", n["count"])):
        x = n["distance"] + n["length"] / 2 + i * (n["length"] + n["gap"])
        size = (n["length"], n["width"], n["height"])
        world.add_box(size, position=(x, 0.0, n["height"] / 2), material=MATERIAL)


def _ramp(world: World, n: Mapping[str, float]) -> None:
    world.add_ground(material=MATERIAL)
    slope = np.radians(n["slope_deg"])
    world.add_ramp(n["length"], slope, n["width"], (n["distance"], 0.0, 0.0), material=MATERIAL)


def _rough(world: World, n: Mapping[str, float]) -> None:
    """Add smooth random hills, level up to `distance`."""
    nodes = _whole("rough", "nodes", n["nodes"])
    size, relief = n["size"], n["relief"]
    random = np.random.default_rng(_whole("rough", "seed", n["seed"], least=0))
    coarse = random.uniform(-relief / 2, relief / 2, (nodes, nodes))
    fine = np.linspace(0.0, nodes - 1.0, 4 * nodes)
    rows = np.array([np.interp(fine, np.arange(nodes), row) for row in coarse])
    heights = np.array([np.interp(fine, np.arange(nodes), column) for column in rows.T]).T
    x = np.linspace(-size / 2, size / 2, heights.shape[1])
    heights = heights * np.clip((x - n["distance"]) / MARGIN, 0.0, 1.0)
    world.add_heightmap(heights, size, size, material=MATERIAL)


def _whole(course: str, key: str, value: float, least: int = 1) -> int:
    if value != int(value) or value < least:
        raise ParameterError(f"course '{course}': {key} is {value:g}; it must be a whole number, {least} or more")
    return int(value)


COURSES: dict[str, _Kind] = {
    "flat": _Kind(_flat, {}, "an endless plane"),
    "stairs": _Kind(
        _stairs, {"rise": 0.15, "run": 0.3, "steps": 6, "width": 2.0, "landing": 4.0}, "stairs and a landing"
    ),
    "steps": _Kind(_steps, {"height": 0.1, "length": 1.0, "gap": 1.0, "count": 3, "width": 3.0}, "a row of boxes"),
    "ramp": _Kind(_ramp, {"slope_deg": 20.0, "length": 6.0, "width": 3.0}, "a board that rises"),
    "rough": _Kind(_rough, {"relief": 0.15, "size": 16.0, "nodes": 48, "seed": 0}, "random hills"),
}
"""The courses by name. Lengths in metres; `distance` of the first obstacle is an option of all."""
