package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.beam.BeamDecoder;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.beam.EarlyStopping;
import dev.outrider.engine.check.CheckedDrafter;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.exactness.GoodnessOfFit;
import dev.outrider.engine.exactness.JointDistribution;
import dev.outrider.engine.exactness.SequenceCells;
import dev.outrider.engine.exactness.TokenQuantiles;
import dev.outrider.engine.exactness.Trace;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.run.FinishReason;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.testkit.DraftingSequence.Keep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every drafter must do. Extend it, return a target and your drafter, and run it as a test.
///
/// Drafts are checked against the contract in every round: budget, root, order, declared shape and selection,
/// recorded distributions, and that the drafter reads of the target what it declares and nothing else.
///
/// A target that reads sources is given one with every sequence. On any other target, a drafter that reads no hidden states is also tried
/// beside a table that reads sources: it may read them, or not look at them, or refuse them with a coded error.
///
/// The target may be a table ([TableTarget]). A drafter that reads hidden states needs one that has them, such
/// as a small decoder with random weights; every check here is about the drafter and holds on any target. Rounding
/// of such a target shows as differences of the drafter's distributions: see [#distributionTolerance()].
public abstract class DrafterConformance {
    private static final int TOKENS = 24;
    private static final int PROMPTS = 6;
    private static final int ROUNDS = 6;
    private static final int BEGINNING = 6;
    private static final int SHORT = 8;
    private static final int COMPANY = 4;
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);
    private static final SamplingPolicy FEW = new SamplingPolicy(1, 4, 1, 0, 1);
    private static final double DISTRIBUTION_ALPHA = 1e-4;
    private static final double ROUNDING = 1e-3;
    private static final SamplingPolicy ARGMAX = SamplingPolicy.argmax();

    /// For subclasses, which a test framework makes.
    protected DrafterConformance() {}

    /// {@return the target the drafter drafts for; shared by all tests}
    protected abstract TargetModel target();

    /// {@return the drafter under test; shared by all tests}
    protected abstract Drafter drafter();

    /// {@return whether a draft depends on nothing but the committed tokens and the randomness} Drafters that learn while a
    /// sequence grows (pools, recycled tokens) say no.
    protected boolean dependsOnHistoryOnly() {
        return true;
    }

    /// {@return largest difference between a probability of a distribution the drafter states when it has followed a sequence,
    /// and when it begins at the same place: what the arithmetic of its network explains}
    protected double distributionTolerance() {
        return 1e-5;
    }

    /// {@return generations, and tokens, of the tests of the output's distribution, in which wrong distributions must show: 400 find an
    /// effect (Cohen's w) of about .4}
    protected int distributionSamples() {
        return 400;
    }

    @Test
    void greedyOutputEqualsPlainDecoding() {
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            assertEqualsPlain(target(), request(prompt, ARGMAX), FixedLength.drafterLimit());
        }
    }

    @Test
    void greedyOutputEqualsPlainDecodingForEveryLength() {
        for (int length = 0; length <= 3; length++) {
            assertEqualsPlain(target(), request(length, ARGMAX), new FixedLength(length));
        }
    }

    @Test
    void outputFollowsTheTargetsDistribution() {
        var request =
                new DecodeRequest(prompt(3), BEGINNING, FEW, List.of(), true)
                        .withSource(source(target(), 3));
        var cells =
                SequenceCells.of(target(), ProcessorChain.none(), request, distributionSamples());
        var joint = new JointDistribution(new BatchDecoder(lossless(), 1), request, cells, 11);
        for (int sample = 0; sample < distributionSamples(); sample++) {
            joint.sample(() -> false);
        }
        assertFollows(joint.test(DISTRIBUTION_ALPHA), "the first tokens of many generations");
    }

    @Test
    void everyTokenFollowsTheTargetsDistribution() {
        assertEveryTokenFollows(target());
    }

    private void assertEveryTokenFollows(TargetModel target) {
        var quantiles = new TokenQuantiles(target, ProcessorChain.none(), new SplittableRandom(12));
        for (int request = 0; quantiles.tokens() < distributionSamples(); request++) {
            int prompt = request % PROMPTS;
            var asked =
                    new DecodeRequest(prompt(prompt), 2 * TOKENS, WARM, List.of(), true)
                            .withSource(source(target, prompt));
            var trace = new Trace();
            var generation =
                    lossless(target).decode(asked, randomness(100 + request), trace, () -> false);
            quantiles.add(asked, generation.tokens(), trace);
        }
        assertThat(quantiles.impossible()).describedAs("tokens of probability 0").isZero();
        assertFollows(quantiles.byProbability(DISTRIBUTION_ALPHA), "all tokens by probability");
        assertFollows(
                quantiles.byDraft(DISTRIBUTION_ALPHA),
                "first tokens of rounds by what the draft favours");
        assertFollows(
                quantiles.roundPairs(DISTRIBUTION_ALPHA), "first tokens of consecutive rounds");
    }

    @Test
    void besideASourceGreedyOutputEqualsPlainDecoding() {
        var target = sourced();
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            assertEqualsPlain(target, request(target, prompt, ARGMAX), FixedLength.drafterLimit());
        }
    }

    @Test
    void besideASourceEveryTokenFollowsTheTargetsDistribution() {
        assertEveryTokenFollows(sourced());
    }

    @Test
    void inABatchEverySequenceReadsItsOwnSource() {
        var target = sourced();
        var items = new ArrayList<BatchDecoder.Item>();
        var together = new ArrayList<List<Draft>>();
        for (int prompt = 0; prompt < COMPANY; prompt++) {
            var drafts = new ArrayList<Draft>();
            together.add(drafts);
            items.add(
                    new BatchDecoder.Item(
                            request(target, prompt, WARM), randomness(prompt), noting(drafts)));
        }
        new BatchDecoder(lossless(target), COMPANY).decode(items, () -> false);
        for (int prompt = 0; prompt < COMPANY; prompt++) {
            var item = items.get(prompt);
            var alone = new ArrayList<Draft>();
            lossless(target).decode(item.request(), item.randomness(), noting(alone), () -> false);
            var batched = together.get(prompt);
            for (int round = 0; round < Math.min(batched.size(), alone.size()); round++) {
                Drafts.assertSame(
                        batched.get(round),
                        alone.get(round),
                        distributionTolerance(),
                        "of prompt %d in round %d of a batch, compared with alone"
                                .formatted(prompt, round));
            }
            assertThat(batched.size())
                    .describedAs("rounds of prompt %d of a batch, compared with alone", prompt)
                    .isEqualTo(alone.size());
        }
    }

    private static DecodeListener noting(List<Draft> drafts) {
        return event -> {
            if (event instanceof DecodeEvent.RoundCompleted round) {
                drafts.add(round.draft());
            }
        };
    }

    /// The target, or a table of its vocabulary, that reads sources.
    private TargetModel sourced() {
        if (target().description().sources().isPresent()) {
            return target();
        }
        assumeFalse(drafter().traits().needsHiddenStates(), "this drafter reads hidden states");
        int vocabulary = target().description().vocabularySize();
        var table =
                TableTarget.reading(
                        TableModel.random(vocabulary, DistributionStyle.DENSE, vocabulary));
        try {
            drafter().open(new DraftRequest(SHORT, WARM, source(table, 0))).close();
        } catch (OutriderException e) {
            assumeTrue(false, "this drafter refuses sources: " + e.getMessage());
        }
        return table;
    }

    @Test
    void sampledDraftsKeepTheContractInEveryRound() {
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            var generation = decoder(target()).decode(request(prompt, WARM), randomness(prompt));

            assertThat(generation.tokens()).hasSize(TOKENS);
        }
    }

    @Test
    void theSameSeedGivesTheSameDrafts() {
        try (var one = sequence(1, randomness(7));
                var other = sequence(1, randomness(7))) {
            for (int round = 0; round < ROUNDS; round++) {
                Drafts.assertSame(
                        one.round(budget()), other.round(budget()), 0, "of round " + round);
            }
        }
    }

    @Test
    void theSameSeedGivesTheSameOutput() {
        var request = request(1, WARM);

        assertThat(lossless().decode(request, randomness(7)).tokens())
                .containsExactly(lossless().decode(request, randomness(7)).tokens());
    }

    @Test
    void interleavedSessionsDoNotTouchEachOther() {
        var expected = new ArrayList<Draft>();
        try (var alone = sequence(1, randomness(1))) {
            for (int round = 0; round < ROUNDS; round++) {
                expected.add(alone.round(budget()));
            }
        }
        try (var first = sequence(1, randomness(1));
                var second = sequence(2, randomness(2))) {
            for (int round = 0; round < ROUNDS; round++) {
                var interleaved = first.propose(budget());
                second.round(budget(), Keep.values()[round % Keep.values().length]);
                try (var third = sequence(3, randomness(3))) {
                    third.round(budget());
                }
                first.decide(Keep.SOMETHING);

                Drafts.assertSame(
                        interleaved,
                        expected.get(round),
                        distributionTolerance(),
                        "of round " + round);
            }
        }
    }

    @Test
    void sequencesOnSeveralThreadsEqualThoseRunAlone() {
        new SharedDecoder(target(), this::lossless).assertEqualOnSeveralThreads(company());
    }

    @Test
    void sequencesThatTakeTurnsEqualThoseRunAlone() {
        new SharedDecoder(target(), this::lossless).assertEqualInTurns(company());
    }

    @Test
    void afterAnyVerdictTheSessionProposesWhatAFreshOneWould() {
        assumeTrue(dependsOnHistoryOnly(), "this drafter learns while a sequence grows");
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            try (var sequence = sequence(prompt, randomness(prompt))) {
                for (int round = 0; round < ROUNDS; round++) {
                    var keep = Keep.values()[(prompt + round) % Keep.values().length];
                    sequence.round(budget(), keep);
                    var proposed = sequence.propose(budget());
                    try (var fresh =
                            sequence(prompt, sequence.committed(), sequence.randomnessFromHere())) {
                        Drafts.assertSame(
                                proposed,
                                fresh.propose(budget()),
                                distributionTolerance(),
                                "of prompt %d after a verdict that keeps %s in round %d"
                                        .formatted(prompt, keep, 2 * round));
                    }
                    sequence.decide(Keep.SOMETHING);
                }
            }
        }
    }

    @Test
    void aSessionThatTakesAnotherTextProposesWhatAFreshOneWould() {
        assumeTrue(dependsOnHistoryOnly(), "this drafter learns while a sequence grows");
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            for (int kept = 0; kept < 3; kept++) {
                try (var sequence = sequence(prompt, randomness(prompt))) {
                    sequence.round(budget(), Keep.values()[prompt % Keep.values().length]);
                    sequence.propose(budget());
                    int[] text = otherText(sequence.committed(), kept, prompt);
                    var proposed = sequence.restarted(text, budget());
                    assumeTrue(proposed.isPresent(), "sessions begin once");
                    try (var fresh = sequence(prompt, text, sequence.randomnessFromHere())) {
                        Drafts.assertSame(
                                proposed.get(),
                                fresh.propose(budget()),
                                distributionTolerance(),
                                "of prompt %d for another text".formatted(prompt));
                    }
                }
            }
        }
    }

    /// Another text: the same and more, one that leaves the old one at some place, or one that has nothing to do with it.
    private int[] otherText(int[] text, int kind, int prompt) {
        int[] tail = prompt((prompt + 1) % PROMPTS);
        return switch (kind) {
            case 0 -> IntStream.concat(IntStream.of(text), IntStream.of(tail)).toArray();
            case 1 ->
                    IntStream.concat(IntStream.of(text).limit(text.length - 1), IntStream.of(tail))
                            .toArray();
            default -> tail;
        };
    }

    @Test
    void beamSearchWithItsGuessesEqualsPlainSearch() {
        var traits = drafter().traits();
        assumeFalse(
                traits.needsHiddenStates() || traits.readsRejectedNodes(),
                "this drafter reads more than the text");
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            var request = request(prompt, ARGMAX);
            var settings =
                    new BeamSettings(
                            1 + prompt, 1 + prompt, 1, EarlyStopping.FALSE, 0, 0, List.of());
            var plain = searched(target(), Optional.empty(), settings, request);
            var found = searched(target(), Optional.of(drafter()), settings, request);

            assertThat(found.rounds()).isLessThanOrEqualTo(plain.rounds());
            assertThat(found.hypotheses()).hasSameSizeAs(plain.hypotheses());
            for (int rank = 0; rank < plain.hypotheses().size(); rank++) {
                var expected = plain.hypotheses().get(rank);
                var actual = found.hypotheses().get(rank);
                assertThat(actual.tokens())
                        .describedAs("hypothesis %d of %s", rank, settings)
                        .isEqualTo(expected.tokens());
                assertThat(actual.score()).isCloseTo(expected.score(), within(ROUNDING));
            }
        }
    }

    private static Generation searched(
            TargetModel target,
            Optional<Drafter> drafter,
            BeamSettings settings,
            DecodeRequest request) {
        var decoder =
                new Decoder(
                        target,
                        drafter,
                        new SampleAndMatchRule(),
                        FixedLength.drafterLimit(),
                        true,
                        () -> 0);
        return new BeamDecoder(decoder, settings)
                .decode(request, randomness(0), DecodeListener.none(), () -> false);
    }

    @Test
    void budgetsOfNothingAndOfOneAreKept() {
        try (var sequence = sequence(0, randomness(0))) {
            for (int round = 0; round < 3; round++) {
                var nothing = sequence.round(new DraftBudget(0, 0));
                assertThat(nothing.tree().draftedNodes()).isZero();
                var one = sequence.round(new DraftBudget(1, 1), Keep.DEEPEST_LEAF);
                assertThat(one.tree().draftedNodes()).isLessThanOrEqualTo(1);
            }
            sequence.round(budget());
        }
    }

    @Test
    void noBudgetLeadsBeyondTheDeclaredLimits() {
        var traits = drafter().traits();
        var ample = new DraftBudget(traits.maxNodes() + 3, traits.maxDepth() + 2);
        try (var sequence = sequence(4, randomness(4))) {
            for (int round = 0; round < 3; round++) {
                var tree = sequence.round(ample).tree();
                assertThat(tree.draftedNodes()).isLessThanOrEqualTo(traits.maxNodes());
            }
        }
    }

    @Test
    void aSequenceOfOneTokenIsDraftedFor() {
        var request =
                DecodeRequest.of(new int[] {prompt(0)[0]}, 6, ARGMAX)
                        .withSource(source(target(), 0));

        assertEqualsPlain(unending(), request, FixedLength.drafterLimit());
    }

    @Test
    void theLastPositionIsReached() {
        int[] prompt = prompt(5);
        for (int room = 1; room <= 6; room++) {
            var narrow = new RestrictedTarget(target(), prompt.length + room, Set.of());
            for (var policy : List.of(ARGMAX, WARM)) {
                var request = toTheEnd(prompt, room, policy);
                var generation = decoder(narrow).decode(request, randomness(room));

                assertThat(generation.tokens()).hasSize(room);
            }
            assertEqualsPlain(narrow, toTheEnd(prompt, room, ARGMAX), FixedLength.drafterLimit());
        }
    }

    private DecodeRequest toTheEnd(int[] prompt, int room, SamplingPolicy policy) {
        return new DecodeRequest(prompt, room, policy, List.of(), true)
                .withSource(source(target(), 5));
    }

    @Test
    void anEndTokenInsideATreeCutsWhatFollows() {
        int[] plain = plain(unending(), request(2, ARGMAX)).tokens();
        for (int position = 0; position < 8; position++) {
            var ending =
                    new RestrictedTarget(
                            target(),
                            target().description().maxPositions(),
                            Set.of(plain[position]));
            var request =
                    DecodeRequest.of(prompt(2), TOKENS, ARGMAX).withSource(source(target(), 2));
            var generation = decoder(ending).decode(request, randomness(position));

            assertThat(generation.reason()).isEqualTo(FinishReason.END_OF_SEQUENCE);
            assertThat(generation.tokens())
                    .describedAs("cut at %d", plain[position])
                    .containsExactly(plain(ending, request).tokens());
        }
    }

    @Test
    void closingASessionTwiceDoesNoHarm() {
        var sequence = sequence(0, randomness(0));
        sequence.round(budget());
        sequence.close();
        sequence.close();
        var unused =
                drafter()
                        .open(
                                new DraftRequest(
                                        target().description().maxPositions(),
                                        WARM,
                                        source(target(), 0)));
        unused.close();
        unused.close();

        try (var after = sequence(0, randomness(0))) {
            after.round(budget());
        }
    }

    @Test
    void closedSessionsLeaveNothingBehind() {
        new SessionLeaks(drafter())
                .assertNone(watched -> {
                    try (var sequence =
                            new DraftingSequence(
                                    target(),
                                    watched,
                                    prompt(1),
                                    source(target(), 1),
                                    randomness(1))) {
                        sequence.round(budget());
                        sequence.round(budget(), Keep.DEEPEST_LEAF);
                    }
                });
    }

    @Test
    void hiddenStatesAreAskedForExactlyWhenDeclared() {
        assertThat(drafter().hiddenStates().isEmpty())
                .isEqualTo(!drafter().traits().needsHiddenStates());
    }

    @Test
    void whatIsDeclaredToBeReadIsRead() {
        var log = new ReadingLog();
        var watched = log.around(drafter());
        var decoder = decoder(target(), watched, FixedLength.drafterLimit());
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            decoder.decode(request(prompt, WARM), randomness(prompt));
        }

        assertThat(log.states())
                .describedAs("hidden states that were read")
                .isEqualTo(drafter().hiddenStates());
        assertThat(log.readRejected())
                .describedAs("whether scores of rejected nodes were read")
                .isEqualTo(drafter().traits().readsRejectedNodes());
    }

    private void assertEqualsPlain(
            TargetModel target, DecodeRequest request, DraftLengthPlan lengths) {
        assertThat(decoder(target, drafter(), lengths).decode(request, randomness(0)).tokens())
                .describedAs("after %s", Arrays.toString(request.prompt()))
                .containsExactly(plain(target, request).tokens());
    }

    private static void assertFollows(GoodnessOfFit test, String what) {
        assertThat(test.rejected())
                .describedAs(
                        "whether %s were refuted to follow the target's distribution: p = %.2g of %d samples, effect %.2f",
                        what, test.pValue(), test.samples(), test.effect())
                .isFalse();
    }

    /// A decoder whose rule reads the distributions the drafter states.
    private Decoder lossless() {
        return lossless(target());
    }

    private Decoder lossless(TargetModel target) {
        return new Decoder(
                target,
                Optional.of(drafter()),
                ruleThatReadsDistributions(),
                FixedLength.drafterLimit(),
                true,
                () -> 0);
    }

    private AcceptanceRule ruleThatReadsDistributions() {
        var traits = drafter().traits();
        if (traits.shape() == TreeShape.CHAIN) {
            return new TokenRejectionRule();
        }
        if (traits.selections().equals(Set.of(Selection.Kind.INDEPENDENT))) {
            return new MultiStepRule();
        }
        return traits.selections().equals(Set.of(Selection.Kind.WITHOUT_REPLACEMENT))
                ? new WithoutReplacementRule()
                : new SampleAndMatchRule();
    }

    private static Generation plain(TargetModel target, DecodeRequest request) {
        return Decoder.plain(target, new SampleAndMatchRule(), () -> 0)
                .decode(request, randomness(0));
    }

    private Decoder decoder(TargetModel target) {
        return decoder(target, drafter(), FixedLength.drafterLimit());
    }

    private static Decoder decoder(TargetModel target, Drafter drafter, DraftLengthPlan lengths) {
        return new Decoder(
                target, Optional.of(drafter), new SampleAndMatchRule(), lengths, true, () -> 0);
    }

    private DraftingSequence sequence(int number, RandomnessSource randomness) {
        return sequence(number, prompt(number), randomness);
    }

    /// @param number of the source
    private DraftingSequence sequence(int number, int[] prompt, RandomnessSource randomness) {
        return new DraftingSequence(
                target(),
                new CheckedDrafter(drafter(), target()),
                prompt,
                source(target(), number),
                randomness);
    }

    /// The target without end tokens.
    private TargetModel unending() {
        return new RestrictedTarget(target(), target().description().maxPositions(), Set.of());
    }

    private DraftBudget budget() {
        var traits = drafter().traits();
        int depth = Math.min(traits.maxDepth(), 4);
        int nodes = traits.shape() == TreeShape.CHAIN ? depth : Math.min(traits.maxNodes(), 16);
        return new DraftBudget(Math.max(nodes, depth), depth);
    }

    private DecodeRequest request(int prompt, SamplingPolicy policy) {
        return request(target(), prompt, policy);
    }

    private DecodeRequest request(TargetModel target, int prompt, SamplingPolicy policy) {
        return new DecodeRequest(prompt(prompt), TOKENS, policy, List.of(), true)
                .withSource(source(target, prompt));
    }

    /// Sequences for several threads: other prompts, other seeds, drawn ones and one by argmax.
    private List<SharedDecoder.Sequence> company() {
        var company = new ArrayList<SharedDecoder.Sequence>();
        for (int prompt = 0; prompt < COMPANY; prompt++) {
            var policy = prompt == 0 ? ARGMAX : WARM;
            var request =
                    new DecodeRequest(prompt(prompt), TOKENS / 2, policy, List.of(), true)
                            .withSource(source(target(), prompt));
            company.add(
                    new SharedDecoder.Sequence(
                            "prompt " + prompt, request, randomness(100 + prompt)));
        }
        return company;
    }

    private int[] prompt(int number) {
        var cases = new SeededCases(target().description().vocabularySize());
        int[] tokens = cases.tokens(PROMPTS * 5);
        return Arrays.copyOfRange(tokens, 5 * number, 5 * number + 2 + number % 4);
    }

    /// None for a target that reads no sources.
    private static List<Integer> source(TargetModel target, int number) {
        return new Sources(target.description()).source(number);
    }

    private static RandomnessSource randomness(long request) {
        return RandomnessSource.of(new KeyedRandomStreams(3, request));
    }
}
