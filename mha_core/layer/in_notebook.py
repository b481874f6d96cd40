"""How a notebook shows a trace: as text, until somebody who can paint gives `Trace.painter`."""

from __future__ import annotations

import html


def as_text(shown: object) -> str:
    """What `print` says of it, as HTML.

    >>> as_text(1 < 2), as_text("<b>")
    ('<pre>True</pre>', "<pre>'&lt;b&gt;'</pre>")
    """
    return f"<pre>{html.escape(repr(shown), quote=False)}</pre>"
