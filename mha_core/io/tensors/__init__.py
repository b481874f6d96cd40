"""Files of named tensors, as models are saved: safetensors, .npz, GGUF. Only what is asked for is read."""
