"""Small robots for the tests of the simulator, as URDF text."""

from __future__ import annotations

LINK = """<link name="{name}"><inertial><origin xyz="{com}"/><mass value="{mass}"/>
<inertia ixx="{i}" iyy="{i}" izz="{i}" ixy="0" ixz="0" iyz="0"/></inertial></link>"""


def link(name: str, mass: float = 1.0, inertia: float = 0.1, com: str = "0 0 0") -> str:
    """A link with the same inertia about every axis."""
    return LINK.format(name=name, mass=mass, i=inertia, com=com)


def joint(name: str, parent: str, child: str, kind: str = "continuous", xyz: str = "0 0 0", inside: str = "") -> str:
    """A joint about y (or along it)."""
    return f"""<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
<origin xyz="{xyz}"/><axis xyz="0 1 0"/>{inside}</joint>"""


ARM = f"""<robot name="arm"><link name="world"/>
{joint("mount", "world", "base", "fixed", "0 0 2")}{link("base")}
{joint("shoulder", "base", "upper", inside='<limit effort="20" velocity="100"/>')}
{link("upper", 2.0, 0.05, "0 0 -0.25")}
{
    joint(
        "elbow",
        "upper",
        "lower",
        "revolute",
        "0 0 -0.5",
        '<limit lower="0.2" upper="2.5" effort="10" velocity="100"/>',
    )
}
{link("lower", 1.0, 0.02, "0 0 -0.25")}</robot>"""
"""Two links that hang from a fixed base 2 m up; the elbow bends from 0.2 to 2.5 rad."""


def wheel(kind: str = "continuous", mass: float = 2.0, inertia: float = 0.05, inside: str = "") -> str:
    """One body on one joint of a fixed base; nothing pulls at it but gravity through its axis."""
    moved = link("body", mass, inertia) if mass else '<link name="body"/>'
    return f"""<robot name="wheel"><link name="world"/>
{joint("mount", "world", "base", "fixed")}{link("base")}
{joint("axle", "base", "body", kind, inside=inside)}{moved}</robot>"""


def ball(mass: float = 2.0, inertia: float = 0.1) -> str:
    """One free body."""
    return f"""<robot name="ball">{link("body", mass, inertia)}</robot>"""


def tracked(
    length: float = 0.6,
    between: float = 0.4,
    radius: float = 0.08,
    mass: float = 12.0,
    rotor: float = 0.02,
    effort: float | None = None,
    axis: str = "0 1 0",
) -> str:
    """A box on two tracks of material "belt"; its drives `port` and `starboard` have rotor inertia only.

    The centre of mass lies over the middle of the footprints; the ground is at z = -radius.
    """
    limit = "" if effort is None else f'<limit effort="{effort}" velocity="1000"/>'
    parts = "".join(
        f"""<link name="{side}_wheel"/><joint name="{side}" type="continuous"><parent link="hull"/>
<child link="{side}_wheel"/><origin xyz="{length / 2} {y} 0"/><axis xyz="{axis}"/>{limit}
<dynamics rotor_inertia="{rotor}"/></joint>
<track name="{side}" link="hull" width="0.06" thickness="0" material="belt"><axis xyz="{axis}"/>
<wheel joint="{side}" radius="{radius}"/><wheel xyz="{-length / 2} {y} 0" radius="{radius}"/>
<drive joint="{side}" gain="{radius}"/></track>"""
        for side, y in (("port", between / 2), ("starboard", -between / 2))
    )
    return f"""<robot name="tracked">{link("hull", mass, 0.6)}{parts}</robot>"""


def belt_on_frame(length: float = 2.0, radius: float = 0.1, height: float = 1.0) -> str:
    """A conveyor along x whose upper run lies at `height`, driven by the joint `roll`."""
    return f"""<robot name="feeder"><link name="world"/>
{joint("mount", "world", "frame", "fixed", f"0 0 {height - radius}")}<link name="frame"/>
<link name="drum"/>{joint("roll", "frame", "drum", xyz=f"{length / 2} 0 0", inside='<dynamics rotor_inertia="0.05"/>')}
<track name="top" link="frame" width="0.4" thickness="0" material="belt"><axis xyz="0 1 0"/>
<wheel joint="roll" radius="{radius}"/><wheel xyz="{-length / 2} 0 0" radius="{radius}"/>
<drive joint="roll" gain="{radius}"/></track></robot>"""
