package dev.outrider.experiment.verify;

import dev.outrider.common.Ticker;
import dev.outrider.engine.beam.BeamDecoder;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.decode.SharedPrompts;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.run.ComparisonResult.Mismatch;
import dev.outrider.experiment.run.GreedyCheck;
import dev.outrider.experiment.run.Progress;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.verify.Evidence.Greedy;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;

/// Tests every variant of a comparison: its argmax output against plain decoding, and the distribution of its
/// sampled output against the target's. Confined to one thread.
///
/// The tests of all variants share the run's false-alarm rate evenly (Bonferroni).
public final class Verification {
    /// Steps of the progress of one variant.
    private static final int STEPS = 1000;

    private final List<Variant> variants;
    private final List<Prompt> prompts;
    private final VerificationSettings settings;
    private final Ticker ticker;
    private final BooleanSupplier cancelled;

    /// @param variants     variants of a comparison; plain decoding is skipped
    /// @param prompts   at least one
    /// @param cancelled asked before every round; once it is true the verification ends with the evidence so far
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

    /// The evidence about a variant.
    ///
    /// @param sampling     policy and operators; empty in results of older versions
    /// @param losslessness the promise about its output
    public record Verified(
            String variant,
            String drafter,
            String rule,
            double temperature,
            Optional<String> sampling,
            String losslessness,
            Evidence evidence) {
        private static Verified of(Variant variant, Evidence evidence) {
            return new Verified(
                    variant.name(),
                    variant.drafter(),
                    variant.rule(),
                    variant.policy().temperature(),
                    Optional.of(variant.sampling()),
                    variant.exactness(),
                    evidence);
        }
    }

    /// The output of `outrider verify-exactness --json`.
    ///
    /// @param models   digest of each model by role and name
    /// @param outrider its version
    public record Document(
            boolean rejected,
            List<Verified> variants,
            VerificationSettings settings,
            String configHash,
            SortedMap<String, String> models,
            String outrider) {}

    /// Tests greedy output and, for variants that sample, the distribution.
    public List<Verified> run(Progress progress) {
        var verified = new ArrayList<Verified>();
        try (var shared = shared()) {
            for (var variant : variants) {
                var share = share(progress, variant);
                share.accept(0);
                var evidence = evidence(variant, greedy(variant, shared), shared, share);
                verified.add(Verified.of(variant, evidence));
            }
        }
        return verified;
    }

    /// Tests only the distribution, of the variants that sample; for a comparison that has already compared greedy output.
    public Map<String, Evidence> distributions(Progress progress) {
        var evidence = new LinkedHashMap<String, Evidence>();
        try (var shared = shared()) {
            for (var variant : variants) {
                if (!variant.policy().greedy()) {
                    evidence.put(
                            variant.name(),
                            evidence(variant, Optional.empty(), shared, share(progress, variant)));
                }
            }
        }
        return evidence;
    }

    /// Returns a consumer of the finished share of a variant's work, 0 to 1.
    private DoubleConsumer share(Progress progress, Variant variant) {
        int before = variants.indexOf(variant);
        return share ->
                progress.at(
                        variant.name(),
                        (int) Math.round(STEPS * (before + share)),
                        STEPS * variants.size());
    }

    /// Prompts that are read once for all tests of all variants.
    private SharedPrompts shared() {
        return variants.isEmpty()
                ? SharedPrompts.none()
                : SharedPrompts.of(
                        variants.getFirst().decoder().target(),
                        variants.stream().map(Variant::decoder).toList());
    }

    private Evidence evidence(
            Variant variant,
            Optional<Greedy> greedy,
            SharedPrompts shared,
            DoubleConsumer progress) {
        long sampled = variants.stream().filter(each -> !each.policy().greedy()).count();
        double level = settings.alpha() / Math.max(1, sampled * DistributionVerification.TESTS);
        List<Evidence.DistributionTest> tests = List.of();
        long impossible = 0;
        double acrossRounds = 0;
        if (!variant.policy().greedy()) {
            var distribution =
                    new DistributionVerification(variant, prompts, settings, level, shared);
            distribution.sample(ticker, progress, cancelled);
            tests = distribution.tests();
            impossible = distribution.impossible();
            acrossRounds = distribution.acrossRounds();
        }
        var verdict =
                Evidence.Verdicts.of(
                        tests, greedy, acrossRounds, settings, cancelled.getAsBoolean());
        return new Evidence(
                verdict.verdict(),
                verdict.reason(),
                level,
                tests,
                impossible,
                acrossRounds,
                greedy);
    }

    /// Decodes or searches.
    private interface Generating {
        Generation generate(
                DecodeRequest request,
                RandomnessSource randomness,
                DecodeListener listener,
                BooleanSupplier cancelled);
    }

    /// Compares token ids with those of plain decoding, or hypotheses with those of plain search; empty if it was cancelled at
    /// once.
    private Optional<Greedy> greedy(Variant variant, SharedPrompts shared) {
        var decoder = variant.decoder();
        boolean searches = variant.beams().isPresent();
        var policy = searches ? SamplingPolicy.argmax() : argmax(variant.policy());
        var alone = decoder.withDrafting(Optional.empty(), new FixedLength(0));
        var steps =
                Decoder.plain(decoder.target(), decoder.rule(), ticker)
                        .withProcessors(decoder.processors());
        Generating plain =
                variant.beams()
                        .<Generating>map(beams -> new BeamDecoder(alone, beams)::decode)
                        .orElse(steps::decode);
        int positions = decoder.target().description().maxPositions();
        var tally = new Tally();
        for (var prompt : prompts) {
            int tokens = VerificationSettings.longest(positions, prompt);
            var request = prompt.request(tokens, policy, List.of(), !searches);
            shared.read(request.prompt());
            var expected = generation(plain, request);
            var actual = generation(variant::generate, request);
            if (expected.reason() == FinishReason.CANCELLED
                    || actual.reason() == FinishReason.CANCELLED) {
                break;
            }
            tally.add(
                    searches
                            ? GreedyCheck.Beams.compare(
                                    prompt,
                                    expected.hypotheses(),
                                    variant.name(),
                                    actual.hypotheses())
                            : GreedyCheck.compare(
                                    prompt,
                                    ids(expected),
                                    variant.name(),
                                    ids(actual),
                                    decoder,
                                    policy));
        }
        return tally.greedy();
    }

    private Generation generation(Generating generating, DecodeRequest request) {
        return generating.generate(
                request,
                RandomnessSource.of(new KeyedRandomStreams(settings.seed(), 0)),
                DecodeListener.none(),
                cancelled);
    }

    private static List<Integer> ids(Generation generation) {
        return Arrays.stream(generation.tokens()).boxed().toList();
    }

    /// Counts prompts by the comparison of their outputs.
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
                largest = Math.max(largest, mismatch.get().gap());
                rounding += mismatch.get().rounding(VerificationSettings.ROUNDING_GAP) ? 1 : 0;
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
}
