"""Trained models out of files: recognised, read layer by layer, and run in NumPy.

model = open_model("model.safetensors")
text = model.read_text("the cat sat on the mat")
scenario = model.scenario(3, text)
"""

from mha_core.models.capturing.captured import Captured, capture
from mha_core.models.model import Model, open_model
from mha_core.models.packages import PACKAGES, ModelPackage, installed_models, open_installed
from mha_core.models.reading import read_layer, scenario_from_layer
from mha_core.models.run import ModelRun
from mha_core.models.stored import LayerNames, Stored
from mha_core.models.text import Text
from mha_core.models.weights import LayerWeights

__all__ = [
    "PACKAGES",
    "Captured",
    "LayerNames",
    "LayerWeights",
    "Model",
    "ModelPackage",
    "ModelRun",
    "Stored",
    "Text",
    "capture",
    "installed_models",
    "open_installed",
    "open_model",
    "read_layer",
    "scenario_from_layer",
]
