"""How a scene looks when it is rendered: sky, a grid on the ground, lights, and a camera that follows the robot."""

from __future__ import annotations

import mujoco

from grouser.build.engine import compile_spec, exact_numbers, load_plugin
from grouser.errors import ParameterError

__all__ = ["CAMERA", "FRAME_HEIGHT", "FRAME_WIDTH", "stage"]

CAMERA = "follow"
"""Name of the camera that follows the robot."""

FRAME_WIDTH, FRAME_HEIGHT = 960, 540
"""Of a rendered frame [px]."""

GRID = "grid"
TILE = 0.5
"""Distance of the lines on the ground [m]."""

SKY_TOP, SKY_BOTTOM = (0.62, 0.72, 0.82), (0.95, 0.96, 0.97)
GROUND, GROUND_LINE = (0.80, 0.79, 0.76), (0.66, 0.65, 0.62)

PLACE = (0.9, -2.7, 0.95)
"""The camera's place, from the robot's centre of mass, along W's axes [m]."""

FIELD_OF_VIEW = 38.0
"""Vertical [deg]."""


def stage(mjcf: str, body: str) -> str:
    """Return a scene with looks, as MJCF; nothing of its physics changes.

    Args:
        mjcf: The scene.
        body: The body that the camera follows.

    Raises:
        ParameterError: if the scene has no such body.
        PluginError: if the engine plugin does not load.
    """
    load_plugin()
    spec = mujoco.MjSpec.from_string(mjcf)
    followed = spec.body(body)
    if followed is None:
        raise ParameterError(f"the scene has no body '{body}' for the camera to follow")
    _add_sky_and_grid(spec)
    _add_lights(spec)
    followed.add_camera(
        name=CAMERA,
        mode=mujoco.mjtCamLight.mjCAMLIGHT_TRACKCOM,
        pos=PLACE,
        xyaxes=(0.961, 0.278, 0.0, -0.075, 0.260, 0.963),
        fovy=FIELD_OF_VIEW,
    )
    spec.visual.global_.offwidth, spec.visual.global_.offheight = FRAME_WIDTH, FRAME_HEIGHT
    spec.visual.quality.shadowsize = 4096
    spec.visual.map.znear = 0.01
    compile_spec(spec, "the scene")
    with exact_numbers():
        return spec.to_xml()


def _add_sky_and_grid(spec: mujoco.MjSpec) -> None:
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=SKY_BOTTOM,
        rgb2=SKY_TOP,
        width=256,
        height=256 * 6,
    )
    spec.add_texture(
        name=GRID,
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_FLAT,
        mark=mujoco.mjtMark.mjMARK_EDGE,
        rgb1=GROUND,
        rgb2=GROUND,
        markrgb=GROUND_LINE,
        width=256,
        height=256,
    )
    material = spec.add_material(name=GRID, texrepeat=(1.0 / TILE, 1.0 / TILE), texuniform=True)
    textures = list(material.textures)
    textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = GRID
    material.textures = textures
    for geom in spec.geoms:
        if geom.type == mujoco.mjtGeom.mjGEOM_PLANE:
            geom.material = GRID
            geom.rgba = (1.0, 1.0, 1.0, 1.0)


def _add_lights(spec: mujoco.MjSpec) -> None:
    spec.visual.headlight.ambient = (0.38, 0.38, 0.40)
    spec.visual.headlight.diffuse = (0.28, 0.28, 0.28)
    spec.visual.headlight.specular = (0.05, 0.05, 0.05)
    spec.worldbody.add_light(
        name="sun",
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        pos=(0.0, 0.0, 6.0),
        dir=(0.35, 0.55, -1.0),
        diffuse=(0.62, 0.60, 0.56),
        specular=(0.15, 0.15, 0.15),
        castshadow=True,
    )
