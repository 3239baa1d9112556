package dev.outrider.drafting.feature;

import dev.outrider.nn.network.ScriptedNetwork;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;

/// What a draft layer takes over from the target it is loaded for, and what both must agree on. Immutable.
///
/// @param drafter name of the drafter, for messages
/// @param target  whom it drafts for
public record TargetFit(String drafter, TargetModel target) {
    /// {@return the target's number format, or f32 if it has none of ours}
    public ElementType precision() {
        return target.capability(ScriptedNetwork.class)
                .map(ScriptedNetwork::type)
                .orElse(ElementType.F32);
    }

    /// Refuses a layer that guesses other tokens than the target has.
    ///
    /// @param path       where the layer lies
    /// @param vocabulary number of tokens it was trained for
    /// @throws OutriderException `DRAFTER_VOCABULARY_MISMATCH`
    public void requireVocabulary(Path path, int vocabulary) {
        var description = target.description();
        if (vocabulary != description.vocabularySize()) {
            throw new OutriderException(
                    ErrorCode.DRAFTER_VOCABULARY_MISMATCH,
                    "drafter '%s' at %s was trained for %d tokens, but target '%s' has %d."
                            .formatted(
                                    drafter,
                                    path,
                                    vocabulary,
                                    description.name(),
                                    description.vocabularySize()),
                    "Choose one that was trained for this target.");
        }
    }
}
