"""The rules for the base: what a root link called `world` makes of a robot, and where it stands."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from build.files import drawn, joint, link, robot, solid
from grouser.build import add_robot, compile_robot, configure
from grouser.errors import ParameterError

ORIGIN = '<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>'


def world_body(model: mujoco.MjModel, name: str) -> np.ndarray:
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return data.body(name).xpos


def test_a_root_of_any_other_name_floats():
    model, built = compile_robot(robot(link("base")))
    assert built.floating
    assert built.root_body == "base"
    assert built.root_joint == "root"
    assert model.jnt_type.tolist() == [mujoco.mjtJoint.mjJNT_FREE]


def test_a_fixed_joint_makes_the_child_the_fixed_base_at_its_origin():
    model, built = compile_robot(
        robot(link("world", 0, solid()), joint("mount", "fixed", "world", "frame", ORIGIN), link("frame"))
    )
    assert not built.floating
    assert built.root_body == "frame"
    assert built.root_joint == ""
    assert model.nv == 0
    np.testing.assert_allclose(world_body(model, "frame"), (1, 2, 3))
    # the world's shapes stay where they were, and its frame has a name
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(data.geom("world/0").xpos, 0, atol=1e-12)
    np.testing.assert_allclose(data.site(built.frames["world"]).xpos, 0, atol=1e-12)


def test_a_locked_joint_is_a_fixed_one_at_its_value():
    limit = '<limit lower="0.5" upper="0.5" effort="1"/>'
    model, built = compile_robot(
        robot(
            link("world", 0),
            joint("mount", "prismatic", "world", "frame", ORIGIN + limit, axis="1 0 0"),
            link("frame"),
        )
    )
    assert not built.floating
    assert built.root_body == "frame"
    np.testing.assert_allclose(world_body(model, "frame"), (1, 2.5, 3), atol=1e-12)


def test_a_floating_joint_makes_the_child_the_floating_base_that_starts_at_its_origin():
    model, built = compile_robot(
        robot(link("world", 0), joint("free", "floating", "world", "base", ORIGIN), link("base"))
    )
    assert built.floating
    assert built.root_body == "base"
    np.testing.assert_allclose(model.qpos0[:3], (1, 2, 3))
    np.testing.assert_allclose(model.qpos0[3:], (np.sqrt(0.5), 0, 0, np.sqrt(0.5)))
    assert "world" in built.frames


def test_any_other_joint_keeps_the_world_link_as_a_massless_fixed_base_with_its_shapes():
    cart = robot(
        link("world", 0, solid() + drawn()),
        joint("rail", "prismatic", "world", "cart", ORIGIN + '<limit lower="-1" upper="1" effort="9"/>'),
        link("cart"),
    )
    model, built = compile_robot(cart)
    assert not built.floating
    assert model.body(built.root_body).mass == 0
    assert built.bodies["world"] == built.root_body
    assert built.collisions["world/0"] == ("world", "world/0")
    assert list(built.joints) == ["rail"]

    spec = mujoco.MjSpec()
    configure(spec, 0.002, (0, 0, 0))
    placed = add_robot(spec, cart, prefix="a/", position=(5, 0, 0))
    assert placed.root_body == "a/world"
    np.testing.assert_allclose(world_body(spec.compile(), "a/cart"), (6, 2, 3))


def test_a_world_with_two_children_is_the_fixed_base():
    model, built = compile_robot(
        robot(
            link("world", 0),
            joint("a", "fixed", "world", "left"),
            joint("b", "continuous", "world", "right"),
            link("left"),
            link("right"),
        )
    )
    assert not built.floating
    assert built.bodies["left"] == built.root_body
    assert model.nv == 1


def test_a_given_pose_takes_the_place_of_the_files():
    spec = mujoco.MjSpec()
    configure(spec, 0.002, (0, 0, 0))
    fixed = robot(link("world", 0), joint("mount", "fixed", "world", "frame", ORIGIN), link("frame"))
    add_robot(spec, fixed, prefix="f/", position=(0, 0, 7), quaternion=(2, 0, 0, 0))
    add_robot(spec, robot(link("base")), prefix="m/", position=(4, 0, 0))
    model = spec.compile()
    np.testing.assert_allclose(world_body(model, "f/frame"), (0, 0, 7))
    np.testing.assert_allclose(model.body("f/frame").quat, (1, 0, 0, 0))
    np.testing.assert_allclose(model.qpos0[:3], (4, 0, 0))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"position": (0, float("nan"), 0)}, "position is"),
        ({"position": (0, 0)}, "position is"),
        ({"quaternion": (0, 0, 0, 0)}, "quaternion is"),
    ],
)
def test_a_pose_that_is_none_is_refused(given, said):
    with pytest.raises(ParameterError, match=said):
        add_robot(mujoco.MjSpec(), robot(link("base")), **given)


def test_two_robots_of_one_prefix_are_refused_and_of_two_are_not():
    spec = mujoco.MjSpec()
    add_robot(spec, robot(link("base")), prefix="a/")
    add_robot(spec, robot(link("base")), prefix="b/")
    with pytest.raises(ParameterError, match=r"prefix is 'a/'.*body named 'a/base'"):
        add_robot(spec, robot(link("base")), prefix="a/")


def test_a_joint_called_root_does_not_clash_with_the_base():
    model, built = compile_robot(robot(link("a"), joint("root", "continuous", "a", "b"), link("b")))
    assert built.root_joint != built.joints["root"]
    assert model.joint(built.root_joint).type == mujoco.mjtJoint.mjJNT_FREE
    assert model.joint(built.joints["root"]).type == mujoco.mjtJoint.mjJNT_HINGE
