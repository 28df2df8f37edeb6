"""The process that renders a video: `python -m grouser.view.render_job SCENE.xml FRAMES.npy VIDEO.mp4 FPS`."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

PROGRESS = "share "
"""What lines of its output start with; the share done follows."""

PATIENCE = 60.0
"""Rendering that would take longer leaves out frames [s]."""
LARGEST_STRIDE = 3
QUALITY = 8
"""Of the encoder, 0 to 10."""


def main(model_file: str, frames_file: str, video_file: str, fps: str) -> None:
    """Render the frames and encode them."""
    import imageio.v2 as imageio
    import mujoco
    import numpy as np

    from grouser.build import load_plugin
    from grouser.view.stage import CAMERA, FRAME_HEIGHT, FRAME_WIDTH

    load_plugin()
    model = mujoco.MjModel.from_xml_string(Path(model_file).read_text(encoding="utf-8"))
    data = mujoco.MjData(model)
    frames = np.load(frames_file)
    with mujoco.Renderer(model, FRAME_HEIGHT, FRAME_WIDTH) as renderer:

        def picture(index: int) -> np.ndarray:
            data.qpos[:] = frames[index]
            mujoco.mj_forward(model, data)
            renderer.update_scene(data, camera=CAMERA)
            return renderer.render()

        picture(0)  # The first one also compiles shaders.
        begin = time.perf_counter()
        picture(0)
        took = (time.perf_counter() - begin) * len(frames)
        stride = min(LARGEST_STRIDE, max(1, math.ceil(took / PATIENCE)))
        with imageio.get_writer(video_file, fps=float(fps) / stride, quality=QUALITY, macro_block_size=4) as video:
            for index in range(0, len(frames), stride):
                video.append_data(picture(index))
                print(f"{PROGRESS}{(index + 1) / len(frames)}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
