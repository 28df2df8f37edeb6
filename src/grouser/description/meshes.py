"""Finding the file that a mesh names: relative paths, file:// and package:// addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

__all__ = ["MESH_SUFFIXES", "MeshFinder", "MeshNotFoundError"]

MESH_SUFFIXES = (".stl", ".obj", ".dae", ".ply", ".glb", ".off", ".msh")
"""Mesh files that are read, in any case."""
OTHER_MESH_SUFFIXES = (".gltf", ".3ds", ".3mf", ".fbx", ".stp", ".step", ".iges", ".wrl", ".usd", ".mesh")
"""Mesh files that are not: the message says to convert them. A .gltf would name further files."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?://)?", re.ASCII)
_PACKAGE_NAME = re.compile(r"<name>\s*([^<\s]+)\s*</name>")
MAX_MANIFEST_BYTES = 1_000_000
MAX_NAME_LENGTH = 4096


class MeshNotFoundError(Exception):
    """No file for a mesh.

    Attributes:
        hint: Where it was looked for, or what to do.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass
class MeshFinder:
    """Looks for mesh files by the rules of robot files, and never opens anything but what they name.

    A mesh is a regular file with the suffix of a mesh. Relative names start from `folders`;
    package://NAME/REST is searched in the folders and all above them, where a folder is the package if
    it is called NAME, holds it, or has a package.xml that names it; failing that, REST is looked for in
    each of those folders itself. Names are tried as written first and percent-decoded second, with
    backslashes read as separators.

    Args:
        folders: Where relative names start, in order of preference; empty for a robot given as text.
    """

    folders: tuple[Path, ...]
    _packages: dict[str, list[Path]] = field(default_factory=dict)
    _manifests: dict[Path, str] = field(default_factory=dict)
    _found: dict[str, Path] = field(default_factory=dict)

    def find(self, filename: str) -> Path:
        """Return the absolute path of a mesh file.

        Raises:
            MeshNotFoundError: if there is none, or it is not a mesh that is read.
        """
        if filename not in self._found:
            self._found[filename] = self._find(filename)
        return self._found[filename]

    def _find(self, filename: str) -> Path:
        if not filename.strip() or "\0" in filename or len(filename) > MAX_NAME_LENGTH:
            raise MeshNotFoundError("that is not the name of a file")
        candidates = list(self._candidates(filename))
        suffix = Path(filename.replace("\\", "/")).suffix.lower()
        if suffix in OTHER_MESH_SUFFIXES:
            raise MeshNotFoundError(
                f"'{suffix}' meshes are not read", f"convert it to one of {', '.join(MESH_SUFFIXES)}"
            )
        if suffix not in MESH_SUFFIXES:
            raise MeshNotFoundError(
                "that is not a mesh file",
                f"the name of a mesh ends in {', '.join(MESH_SUFFIXES)}, in any case",
            )
        for candidate in candidates:
            # is_file is false for folders, pipes, devices and what may not be looked at.
            if _is_file(candidate):
                return candidate.resolve()
        if not candidates:
            raise MeshNotFoundError(
                "a robot given as text has no folder to look in",
                "pass resource_dir, or write an absolute path",
            )
        tried = ", ".join(f"'{path}'" for path in candidates[:4])
        raise MeshNotFoundError("there is no such file", f"looked for {tried}{', ...' if len(candidates) > 4 else ''}")

    def _candidates(self, filename: str) -> list[Path]:
        names = dict.fromkeys(name for raw in (filename, unquote(filename)) for name in (raw, raw.replace("\\", "/")))
        paths: list[Path] = []
        for name in names:
            if "\0" in name:
                continue
            scheme = _SCHEME.match(name)
            # A scheme has two letters or more: "C:\part.stl" is a path.
            kind = scheme.group(1).lower() if scheme else ""
            rest = name[scheme.end() :] if scheme else name
            if kind in ("package", "model"):
                paths += self._in_package(rest)
            elif kind in ("", "file"):
                paths += [folder / rest for folder in self.folders] or (
                    [Path(rest)] if Path(rest).is_absolute() else []
                )
            else:
                raise MeshNotFoundError(
                    f"'{kind}' addresses are not fetched", "download the mesh and name the local file"
                )
        return list(dict.fromkeys(paths))

    def _in_package(self, rest: str) -> list[Path]:
        package, _, inner = rest.replace("\\", "/").partition("/")
        if package not in self._packages:
            self._packages[package] = self._roots_of(package)
        loose = [above for folder in self.folders for above in (folder, *folder.parents)]
        return [root / inner for root in (*self._packages[package], *loose)] if inner else []

    def _roots_of(self, package: str) -> list[Path]:
        roots: list[Path] = []
        for folder in self.folders:
            for above in (folder, *folder.parents):
                if above.name == package or self._manifest_name(above) == package:
                    roots.append(above)
                if package not in ("", ".", ".."):
                    roots.append(above / package)
        return roots

    def _manifest_name(self, folder: Path) -> str:
        """Return the name in a folder's package.xml, or ""."""
        if folder not in self._manifests:
            path = folder / "package.xml"
            name = ""
            try:
                if path.is_file():
                    with path.open("rb") as file:
                        found = _PACKAGE_NAME.search(file.read(MAX_MANIFEST_BYTES).decode("utf-8", "replace"))
                    name = found.group(1) if found else ""
            except OSError:
                name = ""  # A manifest that may not be read names no package.
            self._manifests[folder] = name
        return self._manifests[folder]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
