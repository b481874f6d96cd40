"""The modules of the plot and its styles as one: a browser asks once, not for each of them.

The modules stand in one file, one after the other, without the words `import` and `export`. So they
share one scope: no name may be used twice at their top level. A browser refuses such a script.
Comments that have a line of their own stay here: they would be a fifth of what is sent.

Streamlit would send the styles of a component with each of its messages. They were a third of all
that a small change sends.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";\n', re.MULTILINE)
_COMMENT: Final = re.compile(r"^ *//.*\n", re.MULTILINE)
_REMARK: Final = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) )", re.MULTILINE)


def bundle(entry: Path, *styles: Path) -> str:
    """The entry and all that it imports, each behind what it imports. Styles take effect at once.

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
    parts = {file.name: _adopted(file.read_text("utf-8")) for file in styles} | texts
    return "\n".join(f"// {name}\n{text.lstrip()}" for name, text in parts.items())


def _adopted(style: str) -> str:
    """What gives a style to the document."""
    return f"""\
{{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync({json.dumps(_REMARK.sub("", style))});
  document.adoptedStyleSheets.push(sheet);
}}
"""
