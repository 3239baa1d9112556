package dev.outrider.spi.target;

import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Changes the target's logits before the [SamplingPolicy][dev.outrider.spi.sampling.SamplingPolicy] makes a distribution of them: bans tokens, adds biases, follows a grammar.
///
/// Its result counts as the target's distribution: results are compared with plain decoding that uses the same processors. Drafters
/// read the model's own logits; guesses that the processor makes impossible are rejected.
///
/// A pure function of its arguments, so that a position that is scored twice has the same distribution. Thread-safe.
@API(status = Status.EXPERIMENTAL, since = "2")
public interface LogitsProcessor {
    /// Changes the logits of one position in place.
    ///
    /// Shape: `[V]` 32-bit floats in native byte order, natural-log scale, temperature not applied. Minus infinity makes a
    /// token impossible; at least one logit must stay finite, and none may become NaN or plus infinity. Owner: the engine, a copy made for
    /// this call.
    ///
    /// @param logits  changed in place
    /// @param history the tokens before the position
    void process(MemorySegment logits, TokenHistory history);

    /// Makes logits processors from configuration. Thread-safe; does no I/O.
    ///
    /// @param <C> the record a configuration binds to
    interface Factory<C extends Record> extends ComponentFactory<C> {
        /// Makes a processor.
        ///
        /// @param config the bound configuration
        /// @param target the target whose logits it will change
        /// @return the processor
        LogitsProcessor create(C config, TargetModel target);
    }
}
