package dev.outrider.engine.beam;

/// When a search ends that has as many hypotheses as beams. It ends in any case where no beam is left.
public enum EarlyStopping {
    /// When the best live beam, if it ended now, would not beat the worst hypothesis.
    FALSE,
    /// At once.
    TRUE,
    /// When no live beam can beat the worst hypothesis any more, whatever its length.
    NEVER
}
