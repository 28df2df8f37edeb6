"""Belts: what the engine plugin is told about them."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from build.files import joint, link, robot, track
from grouser.build import add_contact_plugin, add_robot, compile_robot, configure, to_mjcf
from grouser.errors import ParameterError, UnsupportedError


def config(spec: mujoco.MjSpec, name: str) -> dict[str, str]:
    return dict(spec.plugin(name).config)


def numbers(text: str) -> list[float]:
    return [float(word) for word in text.split()]


TURNED = '<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>'
SPROCKET = (joint("drive", "continuous", "base", "sprocket"), link("sprocket", 0))


def test_axis_and_centre_are_those_of_the_body_that_carries_the_belt():
    spec = mujoco.MjSpec()
    configure(spec, 0.002, (0, 0, -9.81))
    built = add_robot(
        spec,
        robot(
            link("base", 20), *SPROCKET, joint("f", "fixed", "base", "pod", TURNED), link("pod"),
            track("left", "pod", "drive", y=0.25),
        ),
        prefix="r/",
    )  # fmt: skip
    said = config(spec, "r/left")
    assert said["name"] == "left"
    assert said["geoms"].split() == ["pod/0", "pod/1", "pod/2", "pod/3"]
    np.testing.assert_allclose(numbers(said["axis"]), (-1, 0, 0), atol=1e-12)
    np.testing.assert_allclose(numbers(said["center"]), (0.75, 2, 3), atol=1e-12)
    assert said["drives"].split() == ["drive", "0.1"]
    assert built.tracks["left"].sensor == "r/track/left"


def test_belts_on_a_fixed_base_run_and_report_their_speed():
    stand = robot(
        link("world", 0), joint("mount", "fixed", "world", "base", '<origin xyz="0 0 0.5"/>'),
        link("base", 0), *SPROCKET[:1], link("sprocket", 1), track("belt", "base", "drive"),
    )  # fmt: skip
    model, built = compile_robot(stand)
    data = mujoco.MjData(model)
    data.joint(built.joints["drive"]).qvel[0] = 3.0
    mujoco.mj_step(model, data)
    speed, traction = data.sensor(built.tracks["belt"].sensor).data
    assert speed == pytest.approx(0.3, rel=1e-6)
    assert traction == 0


def test_the_shapes_lie_where_the_plugin_expects_them():
    """Axes of every geom against the axis and centre in the plugin's configuration."""
    spec = mujoco.MjSpec()
    configure(spec, 0.002, (0, 0, -9.81))
    built = add_robot(
        spec,
        robot(
            link("base", 20), *SPROCKET, joint("f", "fixed", "base", "pod", TURNED), link("pod"),
            track("left", "pod", "drive", y=0.25),
        ),
    )  # fmt: skip
    add_contact_plugin(spec)
    said = config(spec, "left")
    axis, center = np.array(numbers(said["axis"])), np.array(numbers(said["center"]))
    model = spec.compile()
    for name in built.tracks["left"].geoms:
        geom = model.geom(name)
        rotation = np.empty(9)
        mujoco.mju_quat2Mat(rotation, geom.quat)
        x, y, z = rotation.reshape(3, 3).T
        assert (geom.pos - center) @ axis == pytest.approx(0, abs=1e-12)
        if geom.type == mujoco.mjtGeom.mjGEOM_CYLINDER:
            np.testing.assert_allclose(z, axis, atol=1e-12)
        else:
            np.testing.assert_allclose(y, axis, atol=1e-12)
            assert z @ (geom.pos - center) > 0
            np.testing.assert_allclose(x, np.cross(axis, z), atol=1e-12)


def test_awkward_names_reach_the_plugin():
    odd = "a b,c;d=e%f/ü"
    model, built = compile_robot(
        robot(
            link(odd, 20),
            joint(odd, "continuous", odd, "wheel;=, %20"),
            link("wheel;=, %20", 0),
            track(odd, odd, odd, 'material="m n,o;p=q"'),
        )
    )
    data = mujoco.MjData(model)
    data.joint(built.joints[odd]).qvel[0] = 2.0
    mujoco.mj_step(model, data)
    assert data.sensor(built.tracks[odd].sensor).data[0] == pytest.approx(0.2, rel=1e-3)
    assert set(built.materials.values()) == {"m n,o;p=q"}


def test_a_track_called_contact_does_not_clash_with_the_contact_plugin():
    model, built = compile_robot(robot(link("base", 20), *SPROCKET, track("contact", "base", "drive")))
    mujoco.MjData(model)
    assert built.tracks["contact"].sensor == "track/contact"


def test_a_track_whose_drives_are_locked_is_an_ordinary_surface():
    limit = '<limit lower="0.5" upper="0.5" effort="1"/>'
    model, built = compile_robot(
        robot(
            link("base", 20), joint("drive", "revolute", "base", "sprocket", limit), link("sprocket"),
            track("left", "base", "drive"),
        )
    )  # fmt: skip
    assert built.tracks["left"].sensor == ""
    assert len(built.tracks["left"].geoms) == 4
    assert mujoco.MjData(model).sensordata.size == 2


def test_a_track_model_that_is_not_realised_is_refused_before_anything_is_added():
    spec = mujoco.MjSpec()
    with pytest.raises(UnsupportedError, match="'pads'"):
        add_robot(spec, robot(link("base")), track_model="pads")
    assert len(spec.bodies) == 1


def test_materials_go_to_the_contact_plugin_without_the_prefix():
    spec = mujoco.MjSpec()
    configure(spec, 0.002, (0, 0, -9.81))
    geom = mujoco.mjtGeom.mjGEOM_SPHERE
    for name in ("r/a", "r/b", "r/c"):
        spec.worldbody.add_geom(name=name, type=geom, size=[0.1, 0, 0])
    members, pairs = {"my rubber": ("r/a", "r/b"), "ice": ("r/c",)}, {("my rubber", "ice"): 0.1}
    add_contact_plugin(spec, prefix="r/", members=members, pairs=pairs)
    said = config(spec, "r/contact")
    assert said["members"] == "my%20rubber=a,b;ice=c"
    assert said["pairs"] == "my%20rubber,ice,0.1"
    mujoco.MjData(spec.compile())
    with pytest.raises(ParameterError, match="geom 'a'"):
        add_contact_plugin(spec, prefix="q/", members={"m": ("a",)})


def test_an_exported_robot_can_be_attached_twice():
    text = to_mjcf(robot(link("base", 20), *SPROCKET, track("left", "base", "drive", 'material="rubber"')))
    scene = mujoco.MjSpec()
    configure(scene, 0.002, (0, 0, -9.81))
    for prefix in ("one/", "two/"):
        scene.attach(mujoco.MjSpec.from_string(text), prefix=prefix, frame=scene.worldbody.add_frame())
    model = scene.compile()
    data = mujoco.MjData(model)
    data.joint("two/drive").qvel[0] = 2.0
    mujoco.mj_step(model, data)
    assert data.sensor("one/track/left").data[0] == pytest.approx(0, abs=1e-9)
    assert data.sensor("two/track/left").data[0] == pytest.approx(0.2, rel=1e-3)
