package dev.outrider.drafter.smallmodel;

/// Opens draft checkpoints with the tensor engine.
final class DraftCheckpoints {
    private DraftCheckpoints() {}

    static DraftModel load(SmallModelConfig config) {
        throw new UnsupportedOperationException("no network yet for " + config.path());
    }
}
