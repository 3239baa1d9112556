package dev.outrider.experiment.verify;

import dev.outrider.common.Ticker;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.SharedPrompts;
import dev.outrider.engine.exactness.GoodnessOfFit;
import dev.outrider.engine.exactness.JointDistribution;
import dev.outrider.engine.exactness.SequenceCells;
import dev.outrider.engine.exactness.TokenQuantiles;
import dev.outrider.engine.exactness.Trace;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.verify.Evidence.DistributionTest;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;

/// Samples one variant and tests its output's distribution. Confined to one thread.
///
/// The joint distribution of the first tokens is tested after one prompt: of the first few prompts, the one after which the
/// target's own distribution has the highest entropy over the cells. Prefixes are distinguished only as finely as the samples can
/// find the wanted effect: many small cells hide a deviation of all of them. They are two tokens longer than the deepest draft, so
/// that no round can decide all of them. Long generations use all prompts in turn.
final class DistributionVerification {
    /// The number of tests of a variant's distribution.
    static final int TESTS = 4;

    private static final int PROMPTS_TRIED = 6;
    private static final int MAX_BEGINNING = 9;
    private static final int FEWEST = 64;
    private static final long NANOS_A_SECOND = 1_000_000_000L;

    private final Variant variant;
    private final List<Prompt> prompts;
    private final VerificationSettings settings;
    private final double level;
    private final SharedPrompts shared;
    private final int positions;
    private final JointDistribution joint;
    private final TokenQuantiles quantiles;

    /// @param level  significance level of each test
    /// @param shared reads every prompt once
    DistributionVerification(
            Variant variant,
            List<Prompt> prompts,
            VerificationSettings settings,
            double level,
            SharedPrompts shared) {
        var target = variant.decoder().target();
        this.variant = variant;
        this.prompts = fitting(prompts, target);
        this.settings = settings;
        this.level = level;
        this.shared = shared;
        this.positions = target.description().maxPositions();
        this.joint = joint(level);
        this.quantiles =
                new TokenQuantiles(
                        target,
                        variant.decoder().processors(),
                        new SplittableRandom(settings.seed() ^ 0x5eed));
    }

    private static List<Prompt> fitting(List<Prompt> prompts, TargetModel target) {
        int most = target.description().maxPositions() - MAX_BEGINNING;
        var fitting = prompts.stream().filter(prompt -> prompt.ids().size() <= most).toList();
        if (fitting.isEmpty()) {
            throw ErrorCode.CONTEXT_EXCEEDED.error(
                    "none of %d prompts leaves room for %d tokens in the %d positions of target '%s'"
                            .formatted(
                                    prompts.size(),
                                    MAX_BEGINNING,
                                    target.description().maxPositions(),
                                    target.description().name()),
                    "Choose shorter prompts.");
        }
        return fitting;
    }

    private JointDistribution joint(double level) {
        var decoder = variant.decoder();
        int depth = decoder.drafter().map(drafter -> drafter.traits().maxDepth()).orElse(0);
        int tokens = Math.min(depth + 2, MAX_BEGINNING);
        record Candidate(Prompt prompt, SequenceCells cells) {}
        var best =
                prompts.stream()
                        .limit(PROMPTS_TRIED)
                        .map(prompt ->
                                new Candidate(
                                        prompt,
                                        cells(beginning(prompt, tokens), settings.samples())))
                        .max(Comparator.comparingDouble(each -> each.cells.entropy()))
                        .orElseThrow();
        var cells = best.cells;
        for (int as = settings.samples() / 2; as >= FEWEST && !findsEffect(cells, level); as /= 2) {
            cells = cells(beginning(best.prompt, tokens), as);
        }
        return new JointDistribution(
                new BatchDecoder(decoder, settings.batch()),
                beginning(best.prompt, tokens),
                cells,
                settings.seed());
    }

    /// @param samples the number of samples that the cells are made for
    private SequenceCells cells(DecodeRequest beginning, int samples) {
        return SequenceCells.of(
                variant.decoder().target(), variant.decoder().processors(), beginning, samples);
    }

    private DecodeRequest beginning(Prompt prompt, int tokens) {
        shared.read(prompt.array());
        return prompt.request(tokens, variant.policy(), List.of(), true);
    }

    private boolean findsEffect(SequenceCells cells, double level) {
        var test = new GoodnessOfFit(settings.samples(), cells.size(), 0, 1, level);
        return test.found(DistributionTest.POWER) <= settings.effect();
    }

    /// Samples until there are enough samples, time is up, or the run is cancelled. Both kinds of samples grow at the same rate, so that
    /// neither is missing when time is short.
    ///
    /// @param progress told the share of the work that is done, 0 to 1
    void sample(Ticker ticker, DoubleConsumer progress, BooleanSupplier cancelled) {
        long deadline = ticker.nanos() + settings.seconds() * NANOS_A_SECOND;
        int generation = 0;
        while (!cancelled.getAsBoolean() && ticker.nanos() < deadline) {
            double jointShare = (double) joint.samples() / settings.samples();
            double tokenShare = (double) quantiles.tokens() / settings.tokens();
            progress.accept(Math.min(1, Math.min(jointShare, tokenShare)));
            if (jointShare >= 1 && tokenShare >= 1) {
                return;
            }
            if (tokenShare <= jointShare && tokenShare < 1) {
                generate(generation, cancelled);
                generation += settings.batch();
            } else {
                joint.sample(cancelled);
            }
        }
    }

    /// Adds long generations, as many as are decoded together.
    ///
    /// @param first number of the first of them
    private void generate(int first, BooleanSupplier cancelled) {
        var items = new ArrayList<BatchDecoder.Item>();
        var traces = new ArrayList<Trace>();
        for (int number = first; number < first + settings.batch(); number++) {
            var prompt = prompts.get(number % prompts.size());
            int tokens = VerificationSettings.longest(positions, prompt);
            traces.add(new Trace());
            items.add(
                    new BatchDecoder.Item(
                            beginning(prompt, tokens),
                            RandomnessSource.of(new KeyedRandomStreams(~settings.seed(), number)),
                            traces.getLast()));
        }
        var generations =
                new BatchDecoder(variant.decoder(), settings.batch()).decode(items, cancelled);
        if (!BatchDecoder.complete(generations)) {
            return;
        }
        for (int index = 0; index < items.size(); index++) {
            var generation = generations.get(index).orElseThrow();
            quantiles.add(items.get(index).request(), generation.tokens(), traces.get(index));
        }
    }

    /// The tests of the samples so far.
    List<DistributionTest> tests() {
        return List.of(
                DistributionTest.of("first tokens", joint.test(level)),
                DistributionTest.of("all by p", quantiles.byProbability(level)),
                DistributionTest.of("firsts by draft", quantiles.byDraft(level)),
                DistributionTest.of("pairs of firsts", quantiles.roundPairs(level)));
    }

    /// Tokens of probability 0 that were written.
    long impossible() {
        return quantiles.impossible();
    }

    /// Share of the joint distribution's samples whose cell was decided by tokens of two rounds or more.
    double acrossRounds() {
        return joint.samples() == 0 ? 0 : (double) joint.acrossRounds() / joint.samples();
    }
}
