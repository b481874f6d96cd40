"""Packages that some formats need. The rest works without them."""

from __future__ import annotations

from importlib.util import find_spec

from mha_core.checks.errors import FileError
from mha_core.language import say


def check_installed(thing: str, package: str) -> None:
    """Refuse a file that needs a package which is not there."""
    if find_spec(package) is None:
        raise FileError(
            thing,
            say("must be read with the package {package}").format(package=package),
            say("no such package"),
            say("Install it: pip install {package}.").format(package=package),
        )
