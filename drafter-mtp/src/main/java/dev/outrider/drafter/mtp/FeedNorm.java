package dev.outrider.drafter.mtp;

import dev.outrider.spi.target.HiddenState;

/// Which of the target's hidden states the first module reads. Public implementations contradict each other; the
/// right one for a checkpoint is the one that is accepted more often.
public enum FeedNorm {
    /// The residual stream before the target's final norm.
    PRE,
    /// The output of the final norm, which the head reads.
    POST;

    /// The state's name for a target of so many layers.
    HiddenState state(int layers) {
        return switch (this) {
            case PRE -> new HiddenState.AfterLayer(layers);
            case POST -> new HiddenState.AfterFinalNorm();
        };
    }
}
