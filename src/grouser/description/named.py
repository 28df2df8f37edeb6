"""An immutable mapping by name whose failed lookups list the names it knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from grouser.errors import UnknownNameError

T = TypeVar("T")


class Named(Mapping[str, T], Generic[T]):
    """Ordered, immutable, picklable mapping from name to item.

    Args:
        what: What the items are, for error messages ("link", "track").
        items: Pairs of name and item, in order.

    Raises:
        UnknownNameError: on a lookup by a name that is not there.
    """

    __slots__ = ("_items", "_what")

    def __init__(self, what: str, items: Iterable[tuple[str, T]] = ()) -> None:
        self._what = what
        self._items = dict(items)

    def __getitem__(self, name: str) -> T:
        try:
            return self._items[name]
        except (KeyError, TypeError):
            raise UnknownNameError(self._what, name, self._items) from None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._items

    def get(self, name: str, default: T | None = None) -> T | None:  # type: ignore[override]
        """Return the item, or `default` where there is none of that name."""
        return self._items.get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Named):
            return self._items == other._items and list(self._items) == list(other._items)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._items))

    def __repr__(self) -> str:
        return f"Named({self._what!r}, {list(self._items)})"

    def __reduce__(self) -> tuple[type, tuple[str, tuple[tuple[str, T], ...]]]:
        return (type(self), (self._what, tuple(self._items.items())))
