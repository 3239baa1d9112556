package dev.outrider.experiment.run;

import dev.outrider.common.Ticker;
import dev.outrider.engine.beam.BeamDecoder;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.decode.SharedPrompts;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.run.DecodeEvent.Prefilled;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// One variant of a comparison: plain decoding, or a variant.
///
/// @param name         distinct within a comparison
/// @param baseline     name of the plain decoding it is compared with; its own name if it is plain decoding itself
/// @param drafter      name of the drafter in its configuration, `none` for plain decoding
/// @param rule         name of the acceptance rule that decides
/// @param policy       how tokens are chosen
/// @param losslessness the promise about its output
/// @param decoder      its decoder
/// @param beams        settings of its search; empty if it writes one text token by token
public record Variant(
        String name,
        String baseline,
        String drafter,
        String rule,
        SamplingPolicy policy,
        Losslessness losslessness,
        Decoder decoder,
        Optional<BeamSettings> beams) {
    /// The promise of a variant whose output may differ from what the target alone would write.
    public static final String LOSSY = "lossy";

    private static final int PROBE_TOKENS = 16;
    private static final int PROBES = 4;
    private static final double NANOS_PER_SECOND = 1e9;

    /// Generates one sequence, or searches for the best.
    ///
    /// @param cancelled asked before every pass of the target
    /// @throws dev.outrider.spi.error.OutriderException as [Decoder#decode] and [BeamDecoder#decode]
    public Generation generate(
            DecodeRequest request,
            RandomnessSource randomness,
            DecodeListener listener,
            BooleanSupplier cancelled) {
        return beams.isPresent()
                ? new BeamDecoder(decoder, beams.get())
                        .decode(request, randomness, listener, cancelled)
                : decoder.decode(request, randomness, listener, cancelled);
    }

    /// Whether this is plain decoding.
    public boolean plain() {
        return name.equals(baseline);
    }

    /// Returns its sampling, such as `T = 1, top-p 0.9`.
    public String sampling() {
        var operators = decoder.processors().operators().label();
        return VariantList.settings(policy) + (operators.isEmpty() ? "" : ", " + operators);
    }

    /// Returns the promise about its output, in the spelling of reports.
    public String exactness() {
        return switch (losslessness) {
            case LOSSLESS_IN_DISTRIBUTION -> "lossless-in-distribution";
            case GREEDY_EQUAL -> "greedy-equal";
            case BEAM_EQUAL -> "beam-equal";
            case LOSSY -> LOSSY;
        };
    }

    /// Returns the fastest of a few short generations, because the first ones also compile code.
    public Probe probe(Prompt prompt, Ticker ticker) {
        var request = prompt.request(PROBE_TOKENS, policy, List.of(), true);
        return Stream.generate(() -> probe(request, ticker))
                .limit(PROBES)
                .min(Comparator.comparingDouble(Probe::secondsPerToken))
                .orElseThrow();
    }

    private Probe probe(DecodeRequest request, Ticker ticker) {
        var reading = new AtomicLong();
        long begin = ticker.nanos();
        var generation =
                generate(
                        request,
                        RandomnessSource.of(new KeyedRandomStreams(0, 0)),
                        event ->
                                reading.addAndGet(
                                        event instanceof Prefilled read ? read.targetNanos() : 0),
                        () -> false);
        long nanos = ticker.nanos() - begin;
        return new Probe(
                SharedPrompts.possible(decoder.target()),
                reading.get() / NANOS_PER_SECOND,
                nanos / NANOS_PER_SECOND,
                Math.max(1, generation.tokens().length));
    }

    /// A short generation.
    ///
    /// @param shared  whether the target can read prompts once for all variants
    /// @param reading seconds in which the target read the prompt
    /// @param seconds of the whole generation
    /// @param tokens  at least 1
    public record Probe(boolean shared, double reading, double seconds, int tokens) {
        /// Seconds of a token, with its part of the other time.
        public double secondsPerToken() {
            return seconds / tokens;
        }

        /// The same without the target's reading.
        public double decoding() {
            return (seconds - reading) / tokens;
        }
    }
}
