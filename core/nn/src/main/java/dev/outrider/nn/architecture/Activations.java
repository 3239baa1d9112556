package dev.outrider.nn.architecture;

import dev.outrider.nn.network.BlockForm.Activation;

/// What configurations call the functions of feed-forward layers.
final class Activations {
    private Activations() {}

    /// @param key where the name was read
    static Activation named(ConfigNode root, String name, String key) {
        return switch (name) {
            case "gelu" -> Activation.GELU;
            case "gelu_new", "gelu_fast", "gelu_pytorch_tanh" -> Activation.GELU_TANH;
            case "relu" -> Activation.RELU;
            case "silu", "swish" -> Activation.SILU;
            default ->
                    throw root.unsupported(
                            "%s '%s'".formatted(key, name), "gelu, gelu_new, relu and silu");
        };
    }
}
