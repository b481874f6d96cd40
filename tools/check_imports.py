"""Check who imports whom: the rooms of the code and what each may import.

    .venv/bin/python -m tools.check_imports

Every Python file has a room. A room may import the standard library and what its line here says,
nothing else, wherever in the file the import stands. As each room keeps to its own line, what a
room reaches through others is right too. (import-linter can forbid modules to packages. It cannot
say "only these", and cannot read pages, which are scripts in no package.)
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Container, Iterator
from fnmatch import fnmatchcase
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final, NamedTuple

# The folders of mha_core in the order of the lesson: each may import itself and those before it.
CORE: Final = (
    "checks",
    "terms",
    "options",
    "mask_rules",
    "scenario",
    "layer",
    "trained",
    "stack",
    "reading",
    "making",
    "examples",
    "changing",
    "comparing",
    "guide",
    "puzzles",
    "worksheets",
    "survey",
)

WORDS: Final = "mha_core.language"  # which every room may import
# A file belongs to the first line that matches it. A module is named with all that is inside it.
ROOMS: Final = {
    "mha_core/puzzles/command.py": "mha_core",  # it reads files
    "mha_core/puzzles/__main__.py": "mha_core.puzzles",
    "mha_core/puzzles/own/*": (  # it reads numbers and files
        " ".join(
            [WORDS, "numpy mha_core.io.matrix mha_core.io.scenario.fields mha_core.io.packed_text"]
        )
        + " mha_core.io.scenario.plain_json "
        + " ".join(f"mha_core.{room}" for room in CORE[: CORE.index("puzzles") + 1])
    ),
    **{
        f"mha_core/{room}/*": " ".join(
            [WORDS, "numpy", *(f"mha_core.{r}" for r in CORE[: place + 1])]
        )
        for place, room in enumerate(CORE)
    },
    "mha_core/models/__init__.py": "mha_core.models",
    "mha_core/language.py": "",
    "mha_core/io/matrix/*": f"{WORDS} mha_core.io.matrix mha_core.checks numpy",
    # What reads formats needs no package, but for quantised numbers and PyTorch's own files.
    **{
        f"mha_core/io/tensors/{file}": (
            f"{WORDS} mha_core.io.tensors mha_core.io.matrix mha_core.checks numpy{package}"
        )
        for file, package in {"quantised.py": " gguf", "torch_file.py": " torch", "*": ""}.items()
    },
    **{  # trained models: out of files only their texts need a package; a running one is PyTorch's
        f"mha_core/models/{file}": (
            f"{WORDS} mha_core.models mha_core.io.tensors mha_core.checks mha_core.options"
            f" mha_core.mask_rules mha_core.scenario mha_core.layer numpy{package}"
        )
        for file, package in {
            "tokenizers_of_models.py": " tokenizers",
            "capturing/*": " torch",
            "by_hand/*": " mha_core.io.scenario",
            "*": "",
        }.items()
    },
    "mha_core/io/latex/*": (
        f"{WORDS} mha_core.io.latex mha_core.checks mha_core.scenario mha_core.layer"
        " mha_core.stack mha_core.reading numpy"
    ),
    "mha_core/io/program/*": (
        f"{WORDS} mha_core.io.program mha_core.io.matrix mha_core.checks mha_core.options"
        " mha_core.mask_rules mha_core.scenario mha_core.layer mha_core.stack numpy"
    ),
    "mha_core/io/scenario/*": (
        f"{WORDS} mha_core.io.scenario mha_core.io.matrix mha_core.checks mha_core.options"
        " mha_core.mask_rules mha_core.scenario mha_core.stack mha_core.making mha_core.examples"
        " mha_core.changing numpy"
    ),
    "mha_core/io/__init__.py": "",
    "mha_core/io/packed_text.py": f"{WORDS} mha_core.checks",
    "mha_core/__init__.py": "mha_core",  # the door: the everyday names of all rooms
    "ui/__init__.py": "",
    "ui/figures*": "mha_core ui.figures* ui.theme ui.number_format numpy PIL plotly",
    "ui/theme.py": "mha_core ui.number_format numpy",
    "ui/number_format.py": "mha_core numpy",
    "ui/mathml.py": "latex2mathml*",
    "ui/reports.py": "streamlit",
    "ui/machine/*": "mha_core ui.machine* numpy streamlit",
    "ui/guards*": (
        "mha_core.checks ui.guards* ui.hosting ui.machine* ui.served_page ui.state*"
        " streamlit starlette"
    ),
    "ui/hosting.py": "starlette",
    "ui/served_page.py": "streamlit starlette",
    "ui/served_scripts.py": "streamlit starlette",
    "ui/edits*": "mha_core ui.edits* numpy",
    "ui/prints*": (
        "mha_core ui.prints* ui.figures* ui.theme ui.number_format numpy PIL fpdf* fontTools*"
        " pypdfium2 pptx* latex2mathml*"
    ),
    "ui/saved/*": (
        "mha_core ui.saved* ui.figures* ui.edits* ui.plot.sent ui.plot.spoken ui.plot.wire"
        " ui.prints.album ui.prints.fonts ui.prints.slides ui.prints.svg ui.mathml numpy"
    ),
    "ui/site/*": ("mha_core ui.site* ui.saved* ui.figures* ui.edits* ui.prints.album numpy"),
    "ui/notebook.py": (
        "mha_core ui.saved* ui.figures* ui.prints.files ui.prints.sizes ui.prints.svg"
    ),
    "ui/plot*": "mha_core ui.plot* ui.figures* ui.reports numpy streamlit starlette",
    "ui/state/*": (
        "mha_core ui.state* ui.machine* ui.edits* ui.reports ui.theme streamlit numpy pandas"
    ),
    "ui/controls/*": (
        "mha_core ui.controls* ui.state* ui.machine* ui.edits* ui.figures* ui.plot ui.theme"
        " ui.number_format ui.reports streamlit numpy segno"
    ),
    "ui/blocks/*": (
        "mha_core ui.blocks* ui.controls* ui.state* ui.machine* ui.edits* ui.figures* ui.prints*"
        " ui.plot* ui.saved* ui.theme ui.mathml ui.number_format ui.reports streamlit numpy"
    ),
    "ui/running/packages.py": "",
    "ui/running/*": (  # Starlette serves
        "mha_core.checks mha_core.language ui.running* ui.machine* ui.state* ui.reports streamlit"
        " starlette"
    ),
    "ui/*": "mha_core ui streamlit numpy pandas",
    "pages/*": "mha_core ui streamlit",
    "attention_explorer/*": (
        "mha_core ui.notebook ui.edits.page_limits ui.machine.own_machine ui.state.opened_first"
        " ui.state.texts_to_read attention_explorer"
    ),
    "app.py": "ui streamlit",
}
HOUSE: Final = sorted({room.partition("/")[0] for room in ROOMS})
IN_NO_CIRCLE: Final = ("mha_core", "ui")  # whose modules never import each other in a circle
NEVER: Final = ("pickle", "marshal", "shelve")  # reading them runs what they hold


class Import(NamedTuple):
    """A module that a file names, and the line where it does."""

    line: int
    module: str


def main() -> int:
    root = Path(__file__).resolve().parent.parent
    files = list(python_files(root))
    faults = [fault for file in files for fault in faults_in(root, file)]
    faults += [fault for folder in IN_NO_CIRCLE for fault in circles_in(root / folder)]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(files)} files in {len(ROOMS)} rooms, {len(faults)} broken contracts")
    return 1 if faults else 0


def python_files(root: Path) -> Iterator[Path]:
    for name in HOUSE:
        place = root / name
        yield from [place] if place.is_file() else sorted(place.rglob("*.py"))


def faults_in(root: Path, file: Path) -> Iterator[str]:
    """What this file imports and may not, one sentence each."""
    name = file.relative_to(root).as_posix()
    room = next((room for room in ROOMS if fnmatchcase(name, room)), None)
    if room is None:
        yield f"{name}: stands in no room; give its folder a line in ROOMS."
        return
    for line, module in imports_in(file.read_text("utf-8")):
        if not may_import(room, module):
            allowed = ", ".join(ROOMS[room].split()) or "nothing"
            yield f"{name}:{line}: imports {module}; {room} may import {allowed}."


def circles_in(folder: Path) -> Iterator[str]:
    """The first circle of modules that import each other, wherever the imports stand."""
    modules = {
        ".".join(file.relative_to(folder.parent).with_suffix("").parts): file
        for file in folder.rglob("*.py")
    }
    modules = {name.removesuffix(".__init__"): file for name, file in modules.items()}
    imported = {
        name: {_module_of(each.module, modules) for each in imports_in(file.read_text("utf-8"))}
        - {"", name}
        for name, file in modules.items()
    }
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as error:
        yield f"{' -> '.join(error.args[1])}: they import each other in a circle."


def _module_of(name: str, modules: Container[str]) -> str:
    """The module that an import names, or one that holds what it names."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name


def may_import(room: str, module: str) -> bool:
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names:
        return top not in NEVER
    return any(
        fnmatchcase(module, allowed) or fnmatchcase(module, f"{allowed}.*")
        for allowed in ROOMS[room].split()
    )


@cache
def imports_in(text: str) -> tuple[Import, ...]:
    """The same for the text of a file, which is looked at for its room and for circles."""
    return tuple(imports_of(ast.parse(text)))


def imports_of(tree: ast.AST) -> Iterator[Import]:
    """Every module that the code names in an import, by statement or by call."""
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from (Import(node.lineno, alias.name) for alias in node.names)
            case ast.ImportFrom(level=0, module=str(module)):
                yield from (Import(node.lineno, f"{module}.{alias.name}") for alias in node.names)
            case ast.ImportFrom():
                yield Import(node.lineno, "a module by a relative name")
            case ast.Call(
                func=ast.Name("__import__" | "import_module") | ast.Attribute(attr="import_module")
            ):
                yield Import(node.lineno, called_for(node))
            case _:
                pass


def called_for(call: ast.Call) -> str:
    match call.args:
        case [ast.Constant(str(module)), *_]:
            return module
        case [ast.JoinedStr(values=[ast.Constant(str(folder)), ast.FormattedValue()]), *_] if (
            folder.endswith(".")
        ):
            return folder.removesuffix(".")  # one of the modules of a folder
        case _:
            return "a module whose name is computed"


if __name__ == "__main__":
    sys.exit(main())
