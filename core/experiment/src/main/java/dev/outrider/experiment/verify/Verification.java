package dev.outrider.experiment.verify;

import dev.outrider.common.Ticker;
import dev.outrider.engine.beam.BeamDecoder;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation.Hypothesis;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.run.ComparisonResult.Mismatch;
import dev.outrider.experiment.run.GreedyCheck;
import dev.outrider.experiment.run.GreedyCheck.Beams;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.verify.Evidence.DistributionTest;
import dev.outrider.experiment.verify.Evidence.Greedy;
import dev.outrider.experiment.verify.Evidence.Verdicts;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;

/// Puts every variant of a comparison to the test: its argmax output against plain decoding, and the distribution of its
/// sampled output against the target's. Confined to one thread.
///
/// The tests of all variants share the run's false-alarm rate evenly (Bonferroni).
public final class Verification {
    private final List<Variant> variants;
    private final List<Prompt> prompts;
    private final VerificationSettings settings;
    private final Ticker ticker;
    private final BooleanSupplier cancelled;

    /// @param variants     variants of a comparison; plain decoding is passed over
    /// @param prompts   at least one
    /// @param cancelled asked before every round; once it is true the evidence so far has to do
    public Verification(
            List<Variant> variants,
            List<Prompt> prompts,
            VerificationSettings settings,
            Ticker ticker,
            BooleanSupplier cancelled) {
        this.variants = variants.stream().filter(variant -> !variant.plain()).toList();
        this.prompts = List.copyOf(prompts);
        this.settings = settings;
        this.ticker = ticker;
        this.cancelled = cancelled;
    }

    /// Told how far a verification has come.
    @FunctionalInterface
    public interface Progress {
        /// @param variant what is looked at
        /// @param share   how much of it is done, 0 to 1
        void at(Variant variant, double share);
    }

    /// Variants that are looked at.
    public List<Variant> variants() {
        return variants;
    }

    /// Tests greedy output and, for variants that sample, the distribution; by name of the variant.
    public Map<String, Evidence> run(Progress progress) {
        var evidence = new LinkedHashMap<String, Evidence>();
        for (var variant : variants) {
            progress.at(variant, 0);
            var greedy = greedy(variant);
            evidence.put(
                    variant.name(),
                    evidence(variant, greedy, share -> progress.at(variant, share)));
        }
        return evidence;
    }

    /// Tests the distribution alone, of the variants that sample; for output whose greedy variant is known already.
    public Map<String, Evidence> distributions(Progress progress) {
        var evidence = new LinkedHashMap<String, Evidence>();
        for (var variant : variants) {
            if (!variant.policy().greedy()) {
                evidence.put(
                        variant.name(),
                        evidence(variant, Optional.empty(), share -> progress.at(variant, share)));
            }
        }
        return evidence;
    }

    private Evidence evidence(Variant variant, Optional<Greedy> greedy, DoubleConsumer progress) {
        long sampled = variants.stream().filter(each -> !each.policy().greedy()).count();
        double level = settings.alpha() / Math.max(1, sampled * DistributionVerification.TESTS);
        if (variant.policy().greedy()) {
            return judged(List.of(), 0, 0, greedy, level);
        }
        var distribution = new DistributionVerification(variant, prompts, settings, level);
        distribution.sample(ticker, progress, cancelled);
        return judged(
                distribution.tests(),
                distribution.impossible(),
                distribution.acrossRounds(),
                greedy,
                level);
    }

    private Evidence judged(
            List<DistributionTest> tests,
            long impossible,
            double acrossRounds,
            Optional<Greedy> greedy,
            double level) {
        var verdict = Verdicts.of(tests, greedy, acrossRounds, settings);
        return new Evidence(
                verdict.verdict(),
                verdict.reason(),
                level,
                tests,
                impossible,
                acrossRounds,
                greedy);
    }

    private Optional<Greedy> greedy(Variant variant) {
        return variant.beams().isPresent()
                ? searched(variant, variant.beams().get())
                : argmax(variant);
    }

    /// Hypotheses against those of plain search.
    private Optional<Greedy> searched(Variant variant, BeamSettings beams) {
        var plain =
                new BeamDecoder(
                        variant.decoder().withDrafting(Optional.empty(), new FixedLength(0)),
                        beams);
        var searching = new BeamDecoder(variant.decoder(), beams);
        var tally = new Tally();
        for (var prompt : prompts) {
            var expected = search(plain, prompt);
            var actual = search(searching, prompt);
            if (expected.isEmpty() || actual.isEmpty()) {
                break;
            }
            tally.add(Beams.compare(prompt, expected.get(), variant.name(), actual.get()));
        }
        return tally.greedy();
    }

    private Optional<Greedy> argmax(Variant variant) {
        var policy = argmax(variant.policy());
        var plain =
                Decoder.plain(variant.decoder().target(), variant.decoder().rule(), ticker)
                        .withProcessors(variant.decoder().processors());
        var tally = new Tally();
        for (var prompt : prompts) {
            var expected = argmax(plain, prompt, policy);
            var actual = argmax(variant.decoder(), prompt, policy);
            variant.learn();
            if (expected.isEmpty() || actual.isEmpty()) {
                break;
            }
            tally.add(
                    GreedyCheck.compare(
                            prompt,
                            expected.get(),
                            variant.name(),
                            actual.get(),
                            variant.decoder()));
        }
        return tally.greedy();
    }

    /// Counts prompts by how their outputs compare.
    private static final class Tally {
        private int compared;
        private int equal;
        private int rounding;
        private double largest;

        void add(Optional<Mismatch> mismatch) {
            compared++;
            if (mismatch.isEmpty()) {
                equal++;
            } else {
                double gap = mismatch.get().gap();
                largest = Math.max(largest, gap);
                rounding += gap <= VerificationSettings.ROUNDING_GAP ? 1 : 0;
            }
        }

        /// Returns the counts; empty if there are none.
        Optional<Greedy> greedy() {
            return compared == 0
                    ? Optional.empty()
                    : Optional.of(new Greedy(compared, equal, rounding, largest));
        }
    }

    /// The policy at temperature 0. Truncation and its order do not move the argmax; the repetition penalty does.
    private static SamplingPolicy argmax(SamplingPolicy policy) {
        return new SamplingPolicy(0, 0, 1, 0, policy.repetitionPenalty());
    }

    /// Hypotheses of one search; empty if it was cancelled.
    private Optional<List<Hypothesis>> search(BeamDecoder decoder, Prompt prompt) {
        var generation =
                decoder.decode(
                        request(decoder.decoder(), prompt, SamplingPolicy.argmax(), false),
                        randomness(),
                        DecodeListener.none(),
                        cancelled);
        return generation.reason() == FinishReason.CANCELLED
                ? Optional.empty()
                : Optional.of(generation.hypotheses());
    }

    /// Token ids of one generation; empty if it was cancelled.
    private Optional<List<Integer>> argmax(Decoder decoder, Prompt prompt, SamplingPolicy policy) {
        var generation =
                decoder.decode(
                        request(decoder, prompt, policy, true),
                        randomness(),
                        DecodeListener.none(),
                        cancelled);
        return generation.reason() == FinishReason.CANCELLED
                ? Optional.empty()
                : Optional.of(Arrays.stream(generation.tokens()).boxed().toList());
    }

    private static DecodeRequest request(
            Decoder decoder, Prompt prompt, SamplingPolicy policy, boolean ignoreEnd) {
        int positions = decoder.target().description().maxPositions();
        int tokens = VerificationSettings.longest(positions, prompt);
        return prompt.request(tokens, policy, List.of(), ignoreEnd);
    }

    private RandomnessSource randomness() {
        return RandomnessSource.of(new KeyedRandomStreams(settings.seed(), 0));
    }
}
