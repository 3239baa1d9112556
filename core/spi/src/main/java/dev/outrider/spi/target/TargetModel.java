package dev.outrider.spi.target;

import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.tree.TokenTree;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// A loaded target: weights shared by any number of sequences. Thread-safe, but passes may be serialised.
///
/// Its [capabilities][#capability] are for example shared embedding weights, for drafters that run on the same network library.
@API(status = Status.STABLE, since = "2")
public interface TargetModel extends Capabilities, AutoCloseable {
    /// {@return its description}
    TargetDescription description();

    /// {@return its tokenizer}
    Tokenizer tokenizer();

    /// Starts a sequence with an empty cache. An encoder-decoder reads the source here, once.
    ///
    /// @param request capacity, hidden states and source of the sequence
    /// @return the session, which the caller closes
    /// @throws dev.outrider.spi.error.OutriderException `CONTEXT_EXCEEDED` if the capacity or the source exceeds the model's positions,
    ///                           `SOURCE_MISSING`, `SOURCE_UNEXPECTED`, `TOKEN_OUT_OF_RANGE` for the source, `OUT_OF_MEMORY` if the cache does not fit
    TargetSession open(SessionRequest request);

    /// Scores several sequences in one forward pass. Each result equals that session's own
    /// [TargetSession#score].
    ///
    /// @param requests sessions of this model, each at most once
    /// @return scores in the order of the requests
    List<TargetScores> scoreAll(List<ScoreRequest> requests);

    /// {@return the optional facilities that its sessions offer by [TargetSession#capability]}
    default Set<Class<?>> sessionCapabilities() {
        return Set.of();
    }

    /// Releases weights. Sessions must be closed first. Idempotent.
    @Override
    void close();

    /// One sequence's share of a batched pass.
    ///
    /// @param session the session that scores
    /// @param tree its tree
    record ScoreRequest(TargetSession session, TokenTree tree) {}

    /// Opens targets from configuration. Thread-safe.
    ///
    /// @param <C> the record a configuration binds to
    interface Factory<C extends Record> extends ComponentFactory<C> {
        /// Loads a target.
        ///
        /// @param config the bound configuration
        /// @return the target, which the caller closes
        /// @throws dev.outrider.spi.error.OutriderException if its files are missing or broken, or the back end is missing
        TargetModel open(C config);
    }
}
