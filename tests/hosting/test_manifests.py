"""What cannot be run here is checked against the schemas of those who run it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from benchmarks.load.crowd import PICTURE
from benchmarks.load.visitor import visiting
from mha_core import language
from tests.coroutines import run
from tests.fronting import fronted
from tests.serving import ROOT
from tools.serve import HOSTING
from ui.guards import headers
from ui.machine import own_machine
from ui.machine.limits import PREFIX, MachineLimits
from ui.running import logs, tuning

COMPOSE = HOSTING / "compose.yaml"
DOCKERFILE = (HOSTING / "Dockerfile").read_text("utf-8")
MANIFESTS: dict[str, Any] = {
    manifest["kind"]: manifest
    for file in sorted((HOSTING / "kubernetes").glob("*.yaml"))
    for manifest in yaml.safe_load_all(file.read_text("utf-8"))
}
NEWEST = kubernetes_validate.latest_version()
NAME = "attention-explorer"
VARIABLES = {PREFIX + field.name.upper() for field in fields(MachineLimits)}
VARIABLES |= {headers.FRAME_ANCESTORS, logs.VARIABLE, tuning.VARIABLE, *language.VARIABLES}
# MiB: 250 of a process without visitors, 110 of those whom it carries (docs/hosting.md), and what
# large layers take while they are computed, which was up to 150 each (docs/measured.md).
OF_A_PROCESS = 768


def test_all_kinds_are_there() -> None:
    kinds = {"Deployment", "Service", "Ingress", "HorizontalPodAutoscaler", "PodDisruptionBudget"}
    assert set(MANIFESTS) == kinds


@pytest.mark.parametrize("kind", MANIFESTS)
def test_kubernetes_knows_every_word_of_a_manifest(kind: str) -> None:
    kubernetes_validate.validate(MANIFESTS[kind], NEWEST, strict=True)


@pytest.mark.parametrize("kind", MANIFESTS)
def test_a_planted_word_is_caught(kind: str) -> None:
    planted = MANIFESTS[kind] | {"spec": MANIFESTS[kind]["spec"] | {"planted": 1}}
    with pytest.raises(kubernetes_validate.ValidationError, match="planted"):
        kubernetes_validate.validate(planted, NEWEST, strict=True)


def test_the_manifests_speak_of_one_another() -> None:
    spec = {kind: manifest["spec"] for kind, manifest in MANIFESTS.items()}
    pod = spec["Deployment"]["template"]
    (container,) = pod["spec"]["containers"]
    (port,) = container["ports"]
    (rule,) = spec["Ingress"]["rules"]
    labels = {"app": NAME}
    assert {manifest["metadata"]["name"] for manifest in MANIFESTS.values()} == {NAME}
    assert pod["metadata"]["labels"] == spec["Service"]["selector"] == labels
    for kind in ("Deployment", "PodDisruptionBudget"):
        assert spec[kind]["selector"]["matchLabels"] == labels
    assert spec["Service"]["ports"][0]["targetPort"] == port["name"]
    assert rule["http"]["paths"][0]["backend"]["service"]["name"] == NAME
    assert spec["HorizontalPodAutoscaler"]["scaleTargetRef"]["name"] == NAME
    assert f"USER {pod['spec']['securityContext']['runAsUser']}:" in DOCKERFILE
    assert f"EXPOSE {port['containerPort']}\n" in DOCKERFILE


def test_what_a_pod_gives_to_its_visitors_fits_into_its_memory() -> None:
    (container,) = MANIFESTS["Deployment"]["spec"]["template"]["spec"]["containers"]
    environment = {each["name"]: each["value"] for each in container["env"]}
    limits = MachineLimits.from_environment(environment)
    memory = re.fullmatch(r"(\d+)Mi", container["resources"]["limits"]["memory"])
    assert memory
    assert limits.history_mb + limits.arrays_mb + OF_A_PROCESS <= int(memory[1])
    assert environment["REPLICAS"] == "1"
    cores = float(container["resources"]["limits"]["cpu"])
    assert limits.heavy_at_once <= max(1, cores / 2)


def test_compose_passes_every_variable_on() -> None:
    passed = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]["explorer"]["environment"]
    assert set(passed) == {"REPLICAS"} | VARIABLES
    assert all(passed[name] is None for name in VARIABLES)  # as it is set outside


def test_the_docs_list_every_variable() -> None:
    text = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    listed = re.findall(r"^\| `(EXPLORER_\w+)` \|", text, re.MULTILINE)
    assert sorted(listed) == sorted({own_machine.VARIABLE} | VARIABLES)  # never in a container


def compose_faults(text: str, folder: Path) -> str:
    """What the schema of compose files has against this one; "" where it is right."""
    file = folder / "compose.yaml"
    file.write_text(text, "utf-8")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    checked = subprocess.run([*command, file], capture_output=True, text=True, check=False)
    return checked.stdout + checked.stderr if checked.returncode else ""


def test_compose_knows_every_word_of_its_file(tmp_path: Path) -> None:
    text = COMPOSE.read_text("utf-8")
    assert compose_faults(text, tmp_path) == ""
    assert "planted" in compose_faults(text.replace("restart:", "planted:"), tmp_path)


def test_the_image_is_built_from_what_is_there() -> None:
    build = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]["explorer"]["build"]
    folder = HOSTING / build["context"]
    assert (folder / build["dockerfile"]).samefile(HOSTING / "Dockerfile")


@pytest.mark.usefixtures("nginx")
def test_the_files_of_the_image_are_enough_to_serve(tmp_path: Path) -> None:
    for line in (HOSTING / "Dockerfile.dockerignore").read_text("utf-8").splitlines():
        if line.startswith("!"):
            copy(ROOT / line[1:], tmp_path / "image" / line[1:])
    image = tmp_path / "image"
    with fronted(tmp_path / "front.log", replicas=1, folder=image) as front:
        assert is_healthy(image, front.url)
        run(open_the_first_page(front.url))
    assert not is_healthy(image, front.url)


def is_healthy(image: Path, url: str) -> bool:
    """What the image's own check says."""
    (check,) = re.findall(
        r'HEALTHCHECK .*\n.*CMD \["sh", "-c", "exec python (.*) \$PORT"\]', DOCKERFILE
    )
    command = [sys.executable, *check.split(), url.rpartition(":")[2]]
    return subprocess.run(command, cwd=image, check=False).returncode == 0


@pytest.mark.parametrize("probe", ["startupProbe", "readinessProbe", "livenessProbe"])
def test_a_pod_is_asked_what_the_app_itself_answers(probe: str) -> None:
    (container,) = MANIFESTS["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container[probe]["httpGet"] == {"path": "/healthz", "port": "http"}


async def open_the_first_page(url: str) -> None:
    async with visiting(url) as visitor:
        await visitor.open("", PICTURE)
        assert PICTURE in visitor.ids


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)
