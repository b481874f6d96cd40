"""Files of named tensors, as models are saved: safetensors, .npz, GGUF."""
