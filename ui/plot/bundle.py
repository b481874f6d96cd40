"""The modules of the plot as one: a browser asks once, where it would ask for each of them.

The modules stand in one file, one after the other, without the words `import` and `export`. So they
share one scope: no name may be used twice at their top level. A browser refuses such a script.
Comments that have a line of their own stay here: they would be a fifth of what is sent.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";\n', re.MULTILINE)
_COMMENT: Final = re.compile(r"^ *//.*\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) )", re.MULTILINE)


def bundle(entry: Path) -> str:
    """The entry and all that it imports, each behind what it imports.

    What the entry exports, the bundle exports. Modules that import each other stand in the order in
    which they are met.
    """
    texts: dict[str, str] = {}

    def add(file: Path) -> None:
        if file.name in texts:
            return
        text = file.read_text("utf-8")
        texts[file.name] = ""  # it is on its way: modules may import each other
        for names, imported in _IMPORT.findall(text):
            if " as " in names:
                said = " ".join(names.split())
                raise ValueError(f"{file.name} must import {said} under one name: none is renamed.")
            add(file.with_name(imported))
        del texts[file.name]  # it stands behind those
        text = _COMMENT.sub("", _IMPORT.sub("", text))
        texts[file.name] = text if file == entry else _EXPORT.sub("", text)

    add(entry)
    return "\n".join(f"// {name}\n{text.lstrip()}" for name, text in texts.items())
