package dev.outrider.serving;

import dev.outrider.common.Ticker;
import dev.outrider.engine.assembly.Pairing;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.util.Optional;

/// A way of decoding that requests choose.
///
/// @param name    distinct within an engine
/// @param decoder drafts for its requests; the rule that decides is chosen for each request
/// @param rule    the rule of its configuration; empty for the lossless one that fits drafter and sampling
/// @param lossy   whether requests may be served whose output is not the target's
public record ServedVariant(
        String name, Decoder decoder, Optional<AcceptanceRule> rule, LossyPairings lossy) {
    /// Name of plain decoding.
    public static final String PLAIN = "plain";

    /// Plain decoding of a target.
    ///
    /// @param processors applied to the target's logits
    public static ServedVariant plain(
            TargetModel target, ProcessorChain processors, Ticker ticker) {
        var rule = Pairing.plain(SamplingPolicy.argmax()).rule();
        return new ServedVariant(
                PLAIN,
                Decoder.plain(target, rule, ticker).withProcessors(processors),
                Optional.empty(),
                LossyPairings.inFile(false));
    }

    /// The same with another rule.
    public ServedVariant withRule(AcceptanceRule other) {
        return new ServedVariant(name, decoder, Optional.of(other), lossy);
    }

    /// The rule and the promise for requests with this sampling.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `LOSSY_NOT_ALLOWED`, `CAPABILITY_MISSING`
    public Pairing pairing(SamplingPolicy policy) {
        return decoder.drafter()
                .map(Drafter::traits)
                .map(traits -> Pairing.of(traits, rule, policy, lossy))
                .orElseGet(() -> Pairing.plain(policy));
    }
}
