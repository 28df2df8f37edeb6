"""Small robots as URDF text."""

from __future__ import annotations

from grouser.description.read import load
from grouser.description.robot import Robot


def robot(*elements: str) -> Robot:
    """Return the robot of these elements."""
    return load(f'<robot name="tiny">{"".join(elements)}</robot>')


def link(name: str, mass: float = 1.0, inside: str = "") -> str:
    """Return a link; without mass if that is 0."""
    inertia = '<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/>'
    inertial = f'<inertial><mass value="{mass}"/>{inertia}</inertial>' if mass else ""
    return f'<link name="{name}">{inertial}{inside}</link>'


def joint(name: str, kind: str, parent: str, child: str, inside: str = "", axis: str = "0 1 0") -> str:
    """Return a joint; `inside` holds its origin, limits and the like."""
    axis = "" if kind in ("fixed", "floating", "spherical") else f'<axis xyz="{axis}"/>'
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{axis}{inside}</joint>'


def solid(geometry: str = '<sphere radius="0.1"/>', material: str = "") -> str:
    """Return a collision shape."""
    contact = f'<material name=""><contact name="{material}"/></material>' if material else ""
    return f"<collision><geometry>{geometry}</geometry>{contact}</collision>"


def drawn(geometry: str = '<sphere radius="0.1"/>', rgba: str = "") -> str:
    """Return a visual."""
    colour = f'<material name=""><color rgba="{rgba}"/></material>' if rgba else ""
    return f"<visual><geometry>{geometry}</geometry>{colour}</visual>"


def track(name: str, owner: str, drive: str, attributes: str = "", y: float = 0.0) -> str:
    """Return a track with two wheels 0.8 m apart."""
    return f"""<track name="{name}" link="{owner}" width="0.08" thickness="0.015" {attributes}>
      <axis xyz="0 1 0"/><wheel xyz="0.4 {y} 0" radius="0.1"/><wheel xyz="-0.4 {y} 0" radius="0.1"/>
      <drive joint="{drive}" gain="0.1"/></track>"""
