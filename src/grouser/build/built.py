"""What building a robot takes and gives: the options, and the names that things have in the model."""

from __future__ import annotations

from dataclasses import dataclass, field

from grouser.description.named import Named
from grouser.description.robot import Quaternion

__all__ = ["BuildOptions", "BuiltRobot", "BuiltTrack"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """How a robot is built.

    Attributes:
        collide_with_parent: Whether a link collides with the link that its joint hangs on.
        self_collision: Whether the links of the robot collide with each other at all.
        convexify_collision_meshes: Whether collision meshes are their convex hulls. In this version they are
            either way: MuJoCo collides hulls only. Author several convex meshes for a hollow shape.
    """

    collide_with_parent: bool = False
    self_collision: bool = True
    convexify_collision_meshes: bool = False


@dataclass(frozen=True, slots=True)
class BuiltTrack:
    """A track in the model.

    Attributes:
        geoms: Its collision shapes.
        sensor: The sensor of belt speed [m/s] and traction [N]; "" if no joint can move the belt, because all
            of its drives are locked.
        body: The body that carries it.
    """

    geoms: tuple[str, ...]
    sensor: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltRobot:
    """A robot in a spec. All names are MuJoCo's, prefix included.

    Attributes:
        prefix: What all its names start with.
        root_body: The body of its base.
        root_joint: The free joint of a floating base, else "".
        floating: Whether its base moves freely.
        bodies: By link, the body that carries it. Links joined by fixed joints share one.
        frames: By link, what has its frame: its own body, or a site where the link was merged into another's
            body.
        joints: By joint, those that move, in the order of MuJoCo's velocities. A planar joint J is the three
            `J/x`, `J/y`, `J/yaw`; a floating joint that is not the base's is `J/x`, `J/y`, `J/z`,
            `J/rotation`.
        actuators: By joint, for revolute, continuous and prismatic joints.
        collisions: By geom, its link and its name within the robot, `LINK/index`.
        materials: By geom, its contact material, where it is not the default.
        tracks: By track.
        total_mass: [kg], links without mass left out.
        initial_positions: By joint, where a joint has to start if that is not 0 [rad or m]: where its limits
            leave 0 out, and where it follows another joint with an offset.
        spring_rests: By spherical joint, the quaternion at which its spring rests, where that is not the
            identity. MuJoCo has no place for it in a spec: `write_spring_rests` puts it into the compiled
            model.
    """

    prefix: str
    root_body: str
    root_joint: str
    floating: bool
    bodies: Named[str]
    frames: Named[str]
    joints: Named[str]
    actuators: Named[str]
    collisions: dict[str, tuple[str, str]]
    materials: dict[str, str]
    tracks: Named[BuiltTrack]
    total_mass: float
    initial_positions: dict[str, float] = field(default_factory=dict)
    spring_rests: dict[str, Quaternion] = field(default_factory=dict)
