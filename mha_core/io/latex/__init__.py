"""A forward pass as LaTeX: a document, slides, and single matrices and derivations to paste."""

from mha_core.io.latex.derivations import derivation_as_align
from mha_core.io.latex.files import LATEX_FILES, latex_file, why_no_latex
from mha_core.io.latex.matrices import matrix_as_bmatrix

__all__ = ["LATEX_FILES", "derivation_as_align", "latex_file", "matrix_as_bmatrix", "why_no_latex"]
