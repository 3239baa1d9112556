package dev.outrider.drafting.head;

import dev.outrider.common.Require;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.List;
import java.util.Optional;

/// Settings that say what a checkpoint's own file leaves open: captured layers and the mask token.
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

    /// Refuses a mask token that no vocabulary has.
    ///
    /// @throws IllegalArgumentException if a token is given and negative
    public static void requireToken(Optional<Integer> maskToken) {
        maskToken.ifPresent(
                token -> Require.that(token >= 0, "'maskToken' must be a token, got %d", token));
    }

    /// Returns the token that stands for what is to be guessed.
    ///
    /// @param given      the setting, which takes the place of the file's
    /// @param file       has one of the keys
    /// @param keys       names of the token in the file, in the order in which they are looked for
    /// @param vocabulary number of tokens
    /// @throws OutriderException if the token is missing or outside the vocabulary
    public static int maskToken(
            Optional<Integer> given, ConfigNode file, List<String> keys, int vocabulary) {
        if (given.isPresent() && given.get() >= vocabulary) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
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
}
