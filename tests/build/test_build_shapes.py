"""Shapes of links: what collides, what is drawn, and what may touch what."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from build.files import drawn, joint, link, robot, solid, track
from grouser.build import BuildOptions, add_robot, compile_robot, configure
from grouser.description.robot import Robot

GEOM = mujoco.mjtGeom


def touching(model: mujoco.MjModel) -> set[frozenset[str]]:
    """Return the pairs of geoms that touch as the model starts."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return {frozenset(model.geom(int(g)).name for g in contact.geom) for contact in data.contact}


@pytest.mark.parametrize(
    ("text", "kind", "size"),
    [
        ('<box size="1 2 3"/>', GEOM.mjGEOM_BOX, (0.5, 1.0, 1.5)),
        ('<sphere radius="0.5"/>', GEOM.mjGEOM_SPHERE, (0.5,)),
        ('<cylinder radius="0.5" length="3"/>', GEOM.mjGEOM_CYLINDER, (0.5, 1.5)),
        ('<capsule radius="0.5" length="3"/>', GEOM.mjGEOM_CAPSULE, (0.5, 1.5)),
    ],
)
def test_each_shape_has_its_size(text, kind, size):
    model, _ = compile_robot(robot(link("base", 1, solid(text))))
    geom = model.geom("base/0")
    assert geom.type == kind
    np.testing.assert_allclose(geom.size[: len(size)], size)
    np.testing.assert_allclose(geom.friction, (0.8, 0.005, 0.0001))


def test_visuals_are_drawn_only_and_hide_what_collides():
    model, built = compile_robot(
        robot(
            link("base", 1, drawn(rgba="1 0.5 0.25 1") + drawn() + solid() + solid(material="ice")),
            joint("j", "continuous", "base", "bare"),
            link("bare", 1, solid()),
        )
    )
    visuals = [model.geom(i) for i in range(model.ngeom) if model.geom(i).contype[0] == 0]
    assert [geom.group[0] for geom in visuals] == [2, 2]
    np.testing.assert_allclose(visuals[0].rgba, (1, 0.5, 0.25, 1))
    assert all(geom.conaffinity[0] == 0 for geom in visuals)
    assert list(built.collisions) == ["base/0", "base/1", "bare/0"]
    assert model.geom("base/0").group[0] == 3
    assert model.geom("bare/0").group[0] == 1
    assert built.materials == {"base/1": "ice"}


def test_merged_links_keep_their_collision_names_and_places():
    model, built = compile_robot(
        robot(
            link("base", 1, solid()),
            joint("f", "fixed", "base", "arm", '<origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/>'),
            link("arm", 2, solid('<box size="0.2 0.4 0.6"/>')),
        )
    )
    assert built.collisions["arm/0"] == ("arm", "arm/0")
    assert built.bodies["arm"] == "base"
    geom = model.geom("arm/0")
    np.testing.assert_allclose(geom.pos, (1, 0, 0))
    np.testing.assert_allclose(geom.quat, (np.sqrt(0.5), 0, 0, np.sqrt(0.5)))
    assert model.body("base").mass == 3


def family(root: str = "base") -> Robot:
    """Return grandparent, parent and child, all in one place."""
    first = (link(root, 1, solid()),) if root != "world" else (link("world", 0), joint("m", "fixed", "world", "base"))
    base = () if root != "world" else (link("base", 1, solid()),)
    return robot(
        *first,
        *base,
        joint("a", "continuous", "base", "parent"),
        link("parent", 1, solid()),
        joint("b", "continuous", "parent", "child"),
        link("child", 1, solid()),
    )


@pytest.mark.parametrize("root", ["base", "world"])
def test_links_do_not_touch_their_parent_even_one_that_stands_still(root):
    model, _ = compile_robot(family(root))
    assert touching(model) == {frozenset(("base/0", "child/0"))}


def test_links_touch_their_parent_if_asked_to():
    model, _ = compile_robot(family(), options=BuildOptions(collide_with_parent=True))
    assert len(touching(model)) == 3


def test_self_collision_can_be_off():
    model, _ = compile_robot(family(), options=BuildOptions(self_collision=False))
    assert not touching(model)


def test_two_robots_touch_each_other_whatever_their_options():
    spec = mujoco.MjSpec()
    configure(spec, 0.002, (0, 0, 0))
    add_robot(spec, robot(link("base", 1, solid())), prefix="a/", options=BuildOptions(self_collision=False))
    add_robot(spec, robot(link("base", 1, solid())), prefix="b/")
    assert touching(spec.compile()) == {frozenset(("a/base/0", "b/base/0"))}


def tracked(attributes: str = "", shell: str = "") -> Robot:
    return robot(
        link("base", 20, solid('<box size="0.3 0.3 0.1"/>')),
        joint("drive", "continuous", "base", "sprocket"),
        link("sprocket", 0),
        joint("hold", "fixed", "base", "shell", '<origin xyz="0 0.5 0"/>'),
        link("shell", 1, shell),
        track("left", "shell", "drive", attributes),
    )


def test_belts_come_after_the_links_own_shapes_and_are_drawn_as_rubber():
    model, built = compile_robot(tracked(shell=solid()))
    assert [name for name in built.collisions if name.startswith("shell")] == [f"shell/{i}" for i in range(5)]
    assert built.tracks["left"].geoms == ("shell/1", "shell/2", "shell/3", "shell/4")
    assert built.tracks["left"].body == "base"
    for name in built.tracks["left"].geoms:
        geom = model.geom(name)
        assert geom.group[0] == 1
        assert geom.rgba[:3].max() < 0.3
        assert geom.contype[0] == geom.conaffinity[0] == 1
        np.testing.assert_allclose(geom.pos[1], 0.5)


def test_colour_and_visual_of_a_track():
    model, built = compile_robot(tracked('color="1 0 0 1"'))
    np.testing.assert_allclose(model.geom(built.tracks["left"].geoms[0]).rgba, (1, 0, 0, 1))
    model, built = compile_robot(tracked('visual="false"'))
    assert model.geom(built.tracks["left"].geoms[0]).group[0] == 3


def test_a_belt_stands_in_for_the_shapes_it_replaces():
    model, built = compile_robot(tracked('replaces="base"'))
    assert "base" not in {link for link, _ in built.collisions.values()}
    assert model.body_mass.sum() == pytest.approx(21)
