package dev.outrider.drafting.head;

import dev.outrider.common.Require;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Settings that a checkpoint's own file may leave out: captured layers and the mask token.
public final class LayoutKeys {
    private LayoutKeys() {}

    /// Returns a copy of captured layers.
    ///
    /// @param least the least number of layers that a state may have passed
    /// @throws IllegalArgumentException if there are none, or one is below the least
    public static List<Integer> captured(List<Integer> layers, int least) {
        Require.that(
                !layers.isEmpty() && layers.stream().allMatch(passed -> passed >= least),
                "'capturedLayers' must be at least one number of at least %d, got %s",
                least,
                layers);
        return List.copyOf(layers);
    }

    /// Refuses a negative mask token.
    ///
    /// @throws IllegalArgumentException if the token is negative
    public static void requireToken(Optional<Integer> maskToken) {
        maskToken.ifPresent(
                token -> Require.that(token >= 0, "'maskToken' must be a token, got %d", token));
    }

    /// Returns the mask token.
    ///
    /// @param given      the setting, which replaces the file's
    /// @param file       the file, with one of the keys
    /// @param keys       names of the token in the file, in the order of preference
    /// @param vocabulary number of tokens
    /// @throws OutriderException if the token is missing or outside the vocabulary
    public static int maskToken(
            Optional<Integer> given, ConfigNode file, List<String> keys, int vocabulary) {
        if (given.isPresent() && given.get() >= vocabulary) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "'maskToken' is %d, the vocabulary has %d tokens"
                            .formatted(given.get(), vocabulary),
                    "Give the token that the checkpoint was trained with, or leave it out.");
        }
        return given.orElseGet(() -> {
            var key = keys.stream().filter(file::has).findFirst().orElse(keys.getFirst());
            int token = file.natural(key, -1);
            if (token < 0 || token >= vocabulary) {
                throw file.wrong(key, "a token below %d".formatted(vocabulary));
            }
            return token;
        });
    }

    /// Returns the layer ids of a file, each with an offset added.
    ///
    /// @param least the least id
    /// @throws OutriderException `MODEL_CONFIG_INVALID` if there are none, or one is below the least
    public static List<Integer> ids(ConfigNode file, String key, int least, int offset) {
        var layers = new ArrayList<Integer>();
        for (var value : file.node().path(key)) {
            if (!value.isInt() || value.intValue() < least) {
                throw file.wrong(key, "a list of layer numbers of at least " + least);
            }
            layers.add(value.intValue() + offset);
        }
        if (layers.isEmpty()) {
            throw file.wrong(key, "a list of layer numbers of at least " + least);
        }
        return layers;
    }

    /// Returns numbers of layers that captured states have passed, after a check that the target has these layers.
    ///
    /// @throws OutriderException `MODEL_CONFIG_INVALID` if the target has fewer layers
    public static List<Integer> within(
            TargetDescription target, ConfigNode file, List<Integer> layers) {
        int all = target.layers();
        if (layers.stream().anyMatch(layer -> layer < 0 || layer > all)) {
            throw file.invalid(
                    "asks for the residual stream after %s layers of target '%s', which has %d"
                            .formatted(layers, target.name(), all));
        }
        return layers;
    }

    /// Returns the hidden size of a file's target, after a check that it is this target's.
    ///
    /// @throws OutriderException `MODEL_CONFIG_INVALID` if it differs
    public static int targetHidden(TargetDescription target, ConfigNode file) {
        var key = "target_hidden_size";
        int size = file.positive(key, target.hiddenSize());
        if (size != target.hiddenSize()) {
            throw file.wrong(
                    key,
                    "%d, the hidden size of target '%s'"
                            .formatted(target.hiddenSize(), target.name()));
        }
        return size;
    }
}
