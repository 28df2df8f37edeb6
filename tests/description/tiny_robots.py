"""Tiny robots for the tests of the description."""

from __future__ import annotations

BODY = '<inertial><mass value="2"/><inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial>'
CRAWLER = f"""<robot name="crawler">
<link name="base">{BODY}</link>
<link name="sprocket"/>
<joint name="left" type="continuous">
  <parent link="base"/><child link="sprocket"/><origin xyz="0.4 0.25 0"/>
  <axis xyz="0 1 0"/><dynamics rotor_inertia="0.01"/></joint>
<track name="belt" link="base" width="0.08" thickness="0.01">
  <axis xyz="0 1 0"/>
  <wheel joint="left" radius="0.1"/>
  <wheel xyz="-0.4 0.25 0" radius="0.1"/>
  <drive joint="left" gain="0.11"/>
</track>
</robot>"""
"""One belt on two wheels; line numbers matter to the tests."""


def robot(*elements: str) -> str:
    """A robot with a base of some mass on line 2, and each element on a line of its own from line 3."""
    return "\n".join(['<robot name="r">', f'<link name="base">{BODY}</link>', *elements, "</robot>"])


def joined(kind: str, inner: str = "", name: str = "j", child: str = "arm") -> tuple[str, str]:
    """A link with mass, and a joint from the base to it."""
    return (
        f'<link name="{child}">{BODY}</link>',
        f'<joint name="{name}" type="{kind}"><parent link="base"/><child link="{child}"/>{inner}</joint>',
    )


def spoilt(old: str, new: str, text: str = CRAWLER) -> str:
    """The text with one thing changed."""
    assert text.count(old) >= 1, old
    return text.replace(old, new, 1)
