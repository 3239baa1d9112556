package dev.outrider.experiment.report;

import dev.outrider.engine.check.Losslessness;

/// How reports spell enum values.
final class Labels {
    private Labels() {}

    static String of(Losslessness losslessness) {
        return switch (losslessness) {
            case LOSSLESS_IN_LAW -> "lossless-in-law";
            case GREEDY_EQUAL -> "greedy-equal";
            case LOSSY -> "lossy";
        };
    }
}
