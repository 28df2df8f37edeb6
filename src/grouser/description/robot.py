"""What a robot is: plain frozen dataclasses, in SI units, with the frames of URDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from grouser.description.named import Named
from grouser.description.outline import Outline, outline_of_wheels

Vector3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]  # w, x, y, z

UNLIMITED_BEYOND = 1e10
"""A joint limit beyond this means unlimited."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A pose as URDF writes it: position [m] and fixed-axis roll, pitch, yaw [rad]."""

    xyz: Vector3 = (0.0, 0.0, 0.0)
    rpy: Vector3 = (0.0, 0.0, 0.0)


class JointType(StrEnum):
    """The joint types of URDF, and `spherical`."""

    FIXED = "fixed"
    REVOLUTE = "revolute"
    CONTINUOUS = "continuous"
    PRISMATIC = "prismatic"
    SPHERICAL = "spherical"
    FLOATING = "floating"
    PLANAR = "planar"


@dataclass(frozen=True, slots=True)
class Source:
    """Where in which file something was written; never part of equality."""

    file: str = "<python>"
    line: int = 0


@dataclass(frozen=True, slots=True)
class Inertial:
    """Mass [kg] and inertia [kg m2] about the centre of mass, in the frame of `origin`."""

    mass: float
    origin: Pose = Pose()
    ixx: float = 0.0
    ixy: float = 0.0
    ixz: float = 0.0
    iyy: float = 0.0
    iyz: float = 0.0
    izz: float = 0.0


@dataclass(frozen=True, slots=True)
class Box:
    """A box by its three full side lengths [m]."""

    size: Vector3


@dataclass(frozen=True, slots=True)
class Sphere:
    """A sphere [m]."""

    radius: float


@dataclass(frozen=True, slots=True)
class Cylinder:
    """A cylinder along z [m]."""

    radius: float
    length: float


@dataclass(frozen=True, slots=True)
class Capsule:
    """A capsule along z [m]; `length` is the distance between the two sphere centres."""

    radius: float
    length: float


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A mesh file as written, where it was found (None if it was not), and its scale.

    Two meshes are equal if they are the same file at the same scale, however its name was written.
    """

    filename: str
    path: Path | None = None
    scale: Vector3 = (1.0, 1.0, 1.0)

    def __eq__(self, other: object) -> bool:
        """Compare the files found; where none was found, the names as written."""
        return isinstance(other, Mesh) and self._identity == other._identity

    def __hash__(self) -> int:
        """Hash what is compared."""
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[str, Vector3]:
        return (str(self.path) if self.path else self.filename, self.scale)


Geometry = Box | Sphere | Cylinder | Capsule | Mesh


@dataclass(frozen=True, slots=True)
class Collision:
    """A collision shape of a link. `material` is the contact material, "" for the default."""

    geometry: Geometry
    origin: Pose = Pose()
    name: str = ""
    material: str = ""
    source: Source = field(default=Source(), compare=False)


@dataclass(frozen=True, slots=True)
class Visual:
    """A visual shape of a link, with its colour (r, g, b, a) or None."""

    geometry: Geometry
    origin: Pose = Pose()
    name: str = ""
    rgba: tuple[float, float, float, float] | None = None
    source: Source = field(default=Source(), compare=False)


@dataclass(frozen=True, slots=True)
class Link:
    """A link; `inertial` None means it has no mass."""

    name: str
    inertial: Inertial | None = None
    collisions: tuple[Collision, ...] = ()
    visuals: tuple[Visual, ...] = ()
    sensor: str = ""
    source: Source = field(default=Source(), compare=False)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a joint; None means unlimited. Positions [rad or m], effort [N m or N]."""

    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None


@dataclass(frozen=True, slots=True)
class Dynamics:
    """Passive behaviour of a joint.

    Attributes:
        damping: Viscous damping [N m s/rad or N s/m].
        friction: Coulomb friction [N m or N].
        rotor_inertia: Reflected rotor inertia at the joint [kg m2 or kg].
        stiffness: Spring stiffness [N m/rad or N/m].
        spring_mount: Where the spring rests: one number, or a quaternion for a spherical joint.
    """

    damping: float = 0.0
    friction: float = 0.0
    rotor_inertia: float = 0.0
    stiffness: float = 0.0
    spring_mount: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Mimic:
    """q = multiplier * q(joint) + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint from `parent` to `child`; `axis` is a unit vector in the joint frame."""

    name: str
    type: JointType
    parent: str
    child: str
    origin: Pose = Pose()
    axis: Vector3 = (1.0, 0.0, 0.0)
    limits: Limits = Limits()
    dynamics: Dynamics = Dynamics()
    mimic: Mimic | None = None
    source: Source = field(default=Source(), compare=False)


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel that a track wraps: its centre in the link frame [m], radius [m], joint or ""."""

    center: Vector3
    radius: float
    joint: str = ""
    source: Source = field(default=Source(), compare=False)


@dataclass(frozen=True, slots=True)
class Drive:
    """A joint that moves a belt; `gain` is belt speed per joint velocity [m/rad or -]."""

    joint: str
    gain: float
    source: Source = field(default=Source(), compare=False)


@dataclass(frozen=True)
class Track:
    """A belt wrapped round wheels of one link.

    Attributes:
        axis: Unit vector the wheels turn about, in the frame of `link`.
        width: Belt width along the axis [m].
        thickness: How far the outer surface lies outside the wheels [m].
        material: Contact material, "" for the default.
        rgba: Colour of the drawn belt, or None.
        visual: Whether the belt is drawn.
        support: Where the load goes: "ends", "wheels" or "even:N".
        replaces: Links whose own collision geometry this belt stands in for.
        efficiency: Share of the drive power that reaches the belt's surface, in (0, 1].
        skip_torque: Torque at which the belt skips a tooth [N m], or None.
    """

    name: str
    link: str
    axis: Vector3
    width: float
    thickness: float
    wheels: tuple[Wheel, ...]
    drives: tuple[Drive, ...]
    material: str = ""
    rgba: tuple[float, float, float, float] | None = None
    visual: bool = True
    support: str = "ends"
    replaces: tuple[str, ...] = ()
    efficiency: float = 1.0
    skip_torque: float | None = None
    source: Source = field(default=Source(), compare=False)

    @cached_property
    def outline(self) -> Outline:
        """The belt's outer surface in the plane of its wheels."""
        return outline_of_wheels(
            [wheel.center for wheel in self.wheels],
            [wheel.radius for wheel in self.wheels],
            axis=self.axis,
            thickness=self.thickness,
            width=self.width,
        )


_exporters: dict[str, Callable[..., str]] = {}


def register_exporter(name: str, function: Callable[..., str]) -> None:
    """Give `Robot` a writer that lives in a part this one may not import."""
    _exporters[name] = function


@dataclass(frozen=True)
class Robot:
    """A robot: links joined into one tree, and the tracks on it.

    Attributes:
        name: The robot's name.
        links: Links by name, in the order of the file.
        joints: Joints by name, in the order of the file.
        tracks: Tracks by name, in the order of the file.
        folder: Where its files are looked for; None for a robot given as text.
    """

    name: str
    links: Named[Link]
    joints: Named[Joint] = field(default_factory=lambda: Named("joint"))
    tracks: Named[Track] = field(default_factory=lambda: Named("track"))
    folder: Path | None = field(default=None, compare=False)

    @cached_property
    def root(self) -> str:
        """Name of the one link that no joint has as its child."""
        children = {joint.child for joint in self.joints.values()}
        return next(name for name in self.links if name not in children)

    @cached_property
    def children(self) -> dict[str, tuple[Joint, ...]]:
        """Joints by the name of their parent link, in the order of the file."""
        table: dict[str, list[Joint]] = {name: [] for name in self.links}
        for joint in self.joints.values():
            table[joint.parent].append(joint)
        return {name: tuple(joints) for name, joints in table.items()}

    @property
    def total_mass(self) -> float:
        """Sum of the masses of all links [kg]."""
        return sum(link.inertial.mass for link in self.links.values() if link.inertial)

    def to_urdf(self) -> str:
        """Return the robot as URDF text with Grouser's elements; it loads again as the same robot."""
        from grouser.description.write import to_urdf  # It imports this module.

        return to_urdf(self)

    def to_mjcf(self, track_model: str = "belt") -> str:
        """Return the robot as MJCF text that runs in MuJoCo with the Grouser plugin installed.

        Args:
            track_model: How its tracks are realised.

        Raises:
            UnsupportedError: if this version does not know that realisation.
        """
        return _exporters["mjcf"](self, track_model=track_model)
