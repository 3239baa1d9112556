package dev.outrider.drafter.mtp;

import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.target.HiddenState;
import java.util.Optional;

/// Configuration of the drafter `mtp`. The number of threads is the process', set by the target.
@Doc(
        "Drafts with multi-token prediction modules that read the target's last hidden state. The folder has the modules alone, or the whole model with its modules.")
public record MtpConfig(
        @Inline HeadKeys head,
        @Inline BackendKey engine,
        @Doc(
                        "Modules used, at least 1, one a step; the last one is chained for the steps that remain. All of the"
                                + " checkpoint's when it is not given.")
                Optional<Integer> modules,
        @Doc(
                        "Whether the first module reads the target's hidden state from before (pre) or after (post) the final"
                                + " norm; what the checkpoint says, else post.")
                Optional<FeedNorm> feedNorm,
        @Doc(
                        "What a chained module reads where the target's state is not known: its own output before (pre) or after"
                                + " (post) its final norm, or the newest known state of the target (target); what the"
                                + " checkpoint says, else post.")
                Optional<Recycle> recycle,
        @Doc(
                        "Order of the halves of a module's input, embedding-first or hidden-first; the layout's when it is not"
                                + " given. The wrong one guesses at chance.")
                Optional<ConcatOrder> halfOrder) {
    public MtpConfig {
        engine.backend().require(head.precision());
        if (modules.isPresent() && modules.get() < 1) {
            throw new IllegalArgumentException(
                    "'modules' must be at least 1, got " + modules.get());
        }
    }

    /// The order in which a module joins the halves of its input. A matrix for one order runs with the other without an
    /// error, and its guesses are random.
    public enum ConcatOrder {
        /// Embedding, then feature: DeepSeek-V3, GLM-4.5, Qwen3-Next.
        EMBEDDING_FIRST,
        /// Feature, then embedding: MiMo.
        HIDDEN_FIRST
    }

    /// The hidden state of the target that the first module reads. Public implementations differ; the right one for a checkpoint is
    /// the one with the higher acceptance.
    public enum FeedNorm {
        /// The residual stream before the target's final norm.
        PRE,
        /// The output of the final norm, which is the head's input.
        POST;

        /// The state's name for a target of so many layers.
        HiddenState state(int layers) {
            return switch (this) {
                case PRE -> new HiddenState.AfterLayer(layers);
                case POST -> new HiddenState.AfterFinalNorm();
            };
        }
    }

    /// The state that a module reads in place of the target's hidden state if that is not known yet.
    public enum Recycle {
        /// The module's own output before its final norm.
        PRE,
        /// The output of the final norm, which is the head's input.
        POST,
        /// The newest known hidden state of the target, for every guess.
        TARGET
    }
}
