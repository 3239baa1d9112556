package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;

import dev.outrider.common.Require;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TreeShape;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A drafter, its target, and common methods of the checks of [DrafterConformance].
abstract class DrafterUnderTest {
    static final int TOKENS = 24;
    static final int PROMPTS = 6;
    static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);
    static final SamplingPolicy ARGMAX = SamplingPolicy.argmax();

    /// {@return the target the drafter drafts for; shared by all tests}
    protected abstract TargetModel target();

    /// {@return the drafter under test; shared by all tests}
    protected abstract Drafter drafter();

    /// {@return largest difference, due to rounding in the drafter's network, between a probability of a distribution that the
    /// drafter states after it has followed a sequence, and when it starts at the same place}
    protected double distributionTolerance() {
        return 1e-5;
    }

    void assertEqualsPlain(TargetModel target, DecodeRequest request, DraftLengthPlan lengths) {
        assertThat(decoder(target, drafter(), lengths).decode(request, randomness(0)).tokens())
                .describedAs("after %s", Arrays.toString(request.prompt()))
                .containsExactly(plain(target, request).tokens());
    }

    /// A decoder whose rule reads the distributions the drafter states.
    Decoder lossless() {
        return lossless(target());
    }

    Decoder lossless(TargetModel target) {
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

    static Generation plain(TargetModel target, DecodeRequest request) {
        return Decoder.plain(target, new SampleAndMatchRule(), () -> 0)
                .decode(request, randomness(0));
    }

    Decoder decoder(TargetModel target) {
        return decoder(target, drafter(), FixedLength.drafterLimit());
    }

    static Decoder decoder(TargetModel target, Drafter drafter, DraftLengthPlan lengths) {
        return new Decoder(
                target, Optional.of(drafter), new SampleAndMatchRule(), lengths, true, () -> 0);
    }

    DraftingSequence sequence(int number, RandomnessSource randomness) {
        return sequence(number, prompt(number), randomness);
    }

    /// @param number of the source
    DraftingSequence sequence(int number, int[] prompt, RandomnessSource randomness) {
        return new DraftingSequence(
                target(), drafter(), prompt, source(target(), number), randomness, true);
    }

    /// The target without end tokens.
    TargetModel unending() {
        return new RestrictedTarget(target(), target().description().maxPositions(), Set.of());
    }

    DraftBudget budget() {
        var traits = drafter().traits();
        int depth = Math.min(traits.maxDepth(), 4);
        int nodes = traits.shape() == TreeShape.CHAIN ? depth : Math.min(traits.maxNodes(), 16);
        return new DraftBudget(Math.max(nodes, depth), depth);
    }

    DecodeRequest request(int prompt, SamplingPolicy policy) {
        return request(target(), prompt, policy);
    }

    DecodeRequest request(TargetModel target, int prompt, SamplingPolicy policy) {
        return new DecodeRequest(prompt(prompt), TOKENS, policy, List.of(), true)
                .withSource(source(target, prompt));
    }

    int[] prompt(int number) {
        var cases = new SeededCases(target().description().vocabularySize());
        int[] tokens = cases.tokens(PROMPTS * 5);
        return Arrays.copyOfRange(tokens, 5 * number, 5 * number + 2 + number % 4);
    }

    /// Returns the source with a number; none for a target that reads no sources.
    static List<Integer> source(TargetModel target, int number) {
        return new Sources(target.description()).source(number);
    }

    static RandomnessSource randomness(long request) {
        return RandomnessSource.of(new KeyedRandomStreams(3, request));
    }

    /// A target with fewer positions or other end tokens, so that their limits are reached soon. The
    /// caller closes the target.
    ///
    /// @param target        computes the scores
    /// @param maxPositions  longest sequence, at most the target's own
    /// @param endOfSequence tokens that end a sequence
    record RestrictedTarget(TargetModel target, int maxPositions, Set<Integer> endOfSequence)
            implements ForwardingTarget {
        /// Copies the tokens and checks the positions.
        public RestrictedTarget {
            endOfSequence = Set.copyOf(endOfSequence);
            Require.that(
                    maxPositions >= 1 && maxPositions <= target.description().maxPositions(),
                    "maxPositions %d must be 1 to %d",
                    maxPositions,
                    target.description().maxPositions());
        }

        @Override
        public TargetDescription description() {
            var all = target.description();
            return new TargetDescription(
                    all.name(),
                    all.backend(),
                    all.vocabularySize(),
                    all.hiddenSize(),
                    all.layers(),
                    maxPositions,
                    all.parameters(),
                    endOfSequence,
                    all.digest(),
                    all.sources());
        }

        @Override
        public void close() {}
    }
}
