r"""What a document and slides have in common: what they load, and boxes that stay on their page."""

from __future__ import annotations

from typing import Final

from mha_core.io.latex.matrices import MOST_COLUMNS

COMMON: Final = rf"""\usepackage{{amsmath}}
\usepackage{{graphicx}}
\usepackage{{xcolor}}
\setcounter{{MaxMatrixCols}}{{{2 * MOST_COLUMNS}}}
\makeatletter % the columns of matrices stand on the right: decimal points below one another
\renewcommand*\env@matrix{{\hskip-\arraycolsep\let\@ifnextchar\new@ifnextchar
  \array{{*\c@MaxMatrixCols{{r}}}}}}
\makeatother
\newcommand{{\rowname}}[1]{{\text{{\footnotesize\color{{black!60}}#1}}}}
% \fitted{{height}}{{piece}}: a piece in a box, smaller where it is wider than the line, or higher
\newsavebox{{\piece}}
\newcommand{{\fitted}}[2]{{\sbox{{\piece}}{{#2}}%
  \ifdim\wd\piece>\linewidth\sbox{{\piece}}{{\resizebox{{\linewidth}}{{!}}{{\usebox{{\piece}}}}}}\fi
  \ifdim\dimexpr\ht\piece+\dp\piece\relax>#1\relax
    \sbox{{\piece}}{{\resizebox*{{!}}{{#1}}{{\usebox{{\piece}}}}}}\fi
  \usebox{{\piece}}}}"""
FOR_PICTURES: Final = r"\usepackage{tikz}"


def document(preamble: str, has_pictures: bool, body: str) -> str:
    """A whole file. All that differs from trace to trace stands in its body."""
    also = f"\n{FOR_PICTURES}" if has_pictures else ""
    return f"{preamble}{also}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def display(latex: str, height: str) -> str:
    """A formula or matrices in a line of their own, at most this high."""
    return f"\\[\n\\fitted{{{height}}}{{$\\displaystyle\n{latex}\n$}}\n\\]"


def picture(latex: str, height: str) -> str:
    """A picture in the middle of the page. It may end with a comment."""
    return f"\\begin{{center}}\n\\fitted{{{height}}}{{%\n{latex}\n}}\n\\end{{center}}"
