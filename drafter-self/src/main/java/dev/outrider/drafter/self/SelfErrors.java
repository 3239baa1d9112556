package dev.outrider.drafter.self;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;

/// The errors of self-speculation.
final class SelfErrors {
    private SelfErrors() {}

    static void requireOffered(String drafter, TargetModel target) {
        if (!target.sessionCapabilities().contains(PartialPasses.class)) {
            throw new OutriderException(
                    ErrorCode.CAPABILITY_MISSING,
                    "drafter '%s' guesses with some of the target's own layers, but target '%s' (%s) runs all of them or none"
                            .formatted(
                                    drafter,
                                    target.description().name(),
                                    target.description().backend()),
                    "Set 'target: {use: vector}', which can for every decoder alone; or choose another drafter.");
        }
    }

    static OutriderException apart(String drafter) {
        return new OutriderException(
                ErrorCode.CAPABILITY_MISSING,
                "drafter '%s' guesses within the target's own sequence, but the texts of this request are drafted for apart from it"
                        .formatted(drafter),
                "Search for beams with another drafter, or without one.");
    }

    static OutriderException noSuchLayer(int layer, TargetDescription target) {
        return new OutriderException(
                ErrorCode.CONFIG_INVALID,
                "drafter 'swift' skips a sub-layer of layer %d, but target '%s' has %d layers, expected 0 to %d"
                        .formatted(layer, target.name(), target.layers(), target.layers() - 1),
                "Name layers that the target has in 'skip'.");
    }

    static OutriderException nothingToSkip(TargetDescription target) {
        return new OutriderException(
                ErrorCode.CONFIG_INVALID,
                "drafter 'swift' keeps the first and the last layer, and target '%s' has %d layers, expected at least 3"
                        .formatted(target.name(), target.layers()),
                "Name the sub-layers in 'skip', or choose a target with more layers.");
    }

    static OutriderException noEarlyExit(int layer, TargetDescription target) {
        return new OutriderException(
                ErrorCode.CONFIG_INVALID,
                "drafter 'early-exit' exits after layer %d, but target '%s' has %d layers, expected 1 to %d"
                        .formatted(layer, target.name(), target.layers(), target.layers() - 1),
                "Set a smaller 'layer'.");
    }
}
