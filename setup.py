"""Builds the package: all that is declared stands in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).resolve().parent))

from tools.package import write_app


class BuildWithApp(build_py):
    """The core is a package as it stands; the app becomes one."""

    def run(self) -> None:
        super().run()
        write_app(Path(self.build_lib))


setup(cmdclass={"build_py": BuildWithApp})
