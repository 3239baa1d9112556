package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.drafter.smallmodel.SharedTokensSession.SharedTokens;
import dev.outrider.drafter.smallmodel.SharedTokensSession.TranslatingStepper;
import dev.outrider.drafter.smallmodel.SmallModelConfig.VocabularyMode;
import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.DrafterConformance;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import dev.outrider.testkit.WrappedDrafter;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Tests a draft model with its own tokenizer: other ids, two tokens with the same text, pieces of two letters, and pieces that the
/// target does not have. The target has single letters only.
class OtherVocabularyTest {
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);
    private static final List<String> THREE = List.of("c", "a", "b", "b", "ab", "z");
    private static final List<String> SEVEN =
            List.of("g", "f", "bc", "e", "d", "c", "c", "a", "b", "z", "abc", "ga");

    @Test
    void tokensWithOneTextAreOne() {
        var shared = SharedTokens.byText(new PieceTokenizer(THREE), 8, letters(3), 5);

        assertThat(ids(shared)).containsExactly(2, 0, 1, 1, -1, -1, -1, -1);
        assertThat(shared.drafterOf(0)).isEqualTo(1);
        assertThat(shared.drafterOf(1)).isEqualTo(2);
        assertThat(shared.drafterOf(4)).isEqualTo(-1);
        assertThat(shared.size()).isEqualTo(3);
    }

    @Test
    void probabilitiesOfOneTextAddUpAndTheOthersAreLeftOut() {
        var shared = SharedTokens.of(new int[] {0, 1, 1, -1}, 3);
        var logits = new float[] {.3f, -1, 2, 5};

        var distribution =
                softmax(TranslatingStepper.translated(MemorySegment.ofArray(logits), shared));

        double all = Math.exp(.3) + Math.exp(-1) + Math.exp(2);
        assertThat(distribution[0]).isCloseTo(Math.exp(.3) / all, within(1e-6));
        assertThat(distribution[1]).isCloseTo((Math.exp(-1) + Math.exp(2)) / all, within(1e-6));
        assertThat(distribution[2]).isZero();
    }

    @Test
    void sampledDraftsAreExactWithTheSummedDistribution() {
        for (int seed = 0; seed < 4; seed++) {
            var style = DistributionStyle.values()[seed];
            exact(new TreePlan.Chain(2), new TokenRejectionRule(), style, seed, 2);
            exact(new TreePlan.Chain(2), new BlockVerificationRule(), style, seed, 1);
            exact(
                    new TreePlan.LevelWidths(List.of(2, 1)),
                    new SampleAndMatchRule(),
                    style,
                    seed,
                    1);
            exact(
                    new TreePlan.SampledWithoutReplacement(List.of(2, 1)),
                    new WithoutReplacementRule(),
                    style,
                    seed,
                    1);
        }
    }

    @Test
    void overwritingInPlaceOfAddingIsFoundOut() {
        var target = TableModel.random(3, DistributionStyle.DENSE, 1);
        try (var drafter = drafter(VocabularyMode.SHARED, new TreePlan.Chain(1), THREE, 3, 7)) {
            double error =
                    ExactDistribution.error(
                            decoder(target, overwriting(drafter), new TokenRejectionRule()),
                            target,
                            WARM,
                            new int[] {0, 1},
                            1,
                            2);

            assertThat(error).isGreaterThan(1e-2);
        }
    }

    @Test
    void textDraftsAreExact() {
        for (int seed = 0; seed < 4; seed++) {
            var target = TableModel.random(3, DistributionStyle.values()[seed], seed);
            try (var drafter =
                    drafter(VocabularyMode.TEXT, new TreePlan.Chain(2), THREE, 3, seed)) {
                ExactDistribution.assertExact(
                        decoder(target, drafter, new TokenRejectionRule()),
                        target,
                        WARM,
                        new int[] {0, 1},
                        2,
                        4);
            }
        }
    }

    /// Two texts do not stop the request: the target's text, which has a b, and the draft model's text, which may have a z.
    @Test
    void textsWithATokenThatAModelLacksGoOnWithoutGuesses() {
        var targets = new PieceTokenizer(letters(3).pieces(), Optional.of("z"), 100);
        goOn(new PieceTokenizer(THREE, Optional.of("b"), 100), targets);
        goOn(new PieceTokenizer(THREE), targets);
    }

    @Test
    void textsThatAreTooLongForATokenizerGoOnWithoutGuesses() {
        goOn(new PieceTokenizer(THREE, Optional.empty(), 3), letters(3));
        goOn(
                new PieceTokenizer(THREE),
                new PieceTokenizer(letters(3).pieces(), Optional.empty(), 3));
    }

    private static void goOn(PieceTokenizer drafts, PieceTokenizer targets) {
        var target = TableModel.random(3, DistributionStyle.DENSE, 5);
        for (var mode : List.of(VocabularyMode.SHARED, VocabularyMode.TEXT)) {
            try (var drafter = drafter(mode, new TreePlan.Chain(2), drafts, targets, 7)) {
                ExactDistribution.assertExact(
                        decoder(target, drafter, new TokenRejectionRule()),
                        target,
                        WARM,
                        new int[] {0, 2},
                        2,
                        4);
            }
        }
    }

    @Test
    void vocabulariesThatShareNothingAreRefused() {
        var network = new ClosingNetwork();
        var factory =
                new SmallModelDrafterFactory((_, _) ->
                        new DraftModel(
                                network,
                                new PieceTokenizer(List.of("x", "y")),
                                2,
                                100,
                                1,
                                "",
                                Optional.empty()));
        var config = Configs.of(VocabularyMode.SHARED, new TreePlan.Chain(2));

        assertThatThrownBy(() ->
                        factory.create(config, () -> TableTarget.of(TableModel.constant(.5, .5))))
                .hasMessage(
                        "DRAFTER_VOCABULARY_MISMATCH: no token of drafter 'small-model' at %s has the text of a token of target 'table'\n  Set 'vocabulary: text', or choose another draft checkpoint."
                                .formatted(Configs.PATH));
        assertThat(network.closed).isTrue();
    }

    @Test
    void textTakesNoTree() {
        assertThatThrownBy(() ->
                        Configs.of(VocabularyMode.TEXT, new TreePlan.LevelWidths(List.of(2, 1))))
                .hasMessageStartingWith(
                        "'vocabulary: text' drafts chains of the most probable text");
    }

    @Nested
    class SharedChain extends Suite {
        SharedChain() {
            super(VocabularyMode.SHARED, new TreePlan.Chain(4));
        }
    }

    @Nested
    class SharedRankedTree extends Suite {
        SharedRankedTree() {
            super(VocabularyMode.SHARED, new TreePlan.LevelWidths(List.of(3, 2)));
        }
    }

    @Nested
    class SharedDistinctSiblings extends Suite {
        SharedDistinctSiblings() {
            super(VocabularyMode.SHARED, new TreePlan.SampledWithoutReplacement(List.of(3, 2)));
        }
    }

    @Nested
    class Text extends Suite {
        Text() {
            super(VocabularyMode.TEXT, new TreePlan.Chain(4));
        }
    }

    private abstract static class Suite extends DrafterConformance {
        private final TargetModel target =
                TableTarget.of(TableModel.random(7, DistributionStyle.DENSE, 4));
        private final Drafter drafter;

        Suite(VocabularyMode mode, TreePlan plan) {
            drafter = OtherVocabularyTest.drafter(mode, plan, SEVEN, 7, 9);
        }

        @Override
        protected TargetModel target() {
            return target;
        }

        @Override
        protected Drafter drafter() {
            return drafter;
        }
    }

    private static void exact(
            TreePlan plan, AcceptanceRule rule, DistributionStyle style, int seed, int rounds) {
        var target = TableModel.random(3, style, seed);
        try (var drafter = drafter(VocabularyMode.SHARED, plan, THREE, 3, 200 + seed)) {
            int length = plan.maxDepth() + rounds;
            ExactDistribution.assertExact(
                    decoder(target, drafter, rule), target, WARM, new int[] {0, 1}, rounds, length);
        }
    }

    private static Drafter drafter(
            VocabularyMode mode, TreePlan plan, List<String> pieces, int letters, long seed) {
        return drafter(mode, plan, new PieceTokenizer(pieces), letters(letters), seed);
    }

    private static Drafter drafter(
            VocabularyMode mode,
            TreePlan plan,
            PieceTokenizer tokenizer,
            PieceTokenizer targets,
            long seed) {
        int size = tokenizer.vocabularySize();
        var model =
                new DraftModel(
                        new TableNetwork(size, seed, 1.5),
                        tokenizer,
                        size,
                        200,
                        1,
                        "",
                        Optional.empty());
        return new SmallModelDrafter(
                Configs.of(mode, plan),
                model,
                targets,
                SharedTokens.byText(tokenizer, size, targets, targets.vocabularySize()));
    }

    private static Decoder decoder(TableModel target, Drafter drafter, AcceptanceRule rule) {
        return new Decoder(
                TableTarget.of(target),
                Optional.of(drafter),
                rule,
                FixedLength.drafterLimit(),
                true,
                () -> 0);
    }

    /// Reports the wrong distribution in which the probability of a text's second token replaces that of its first token.
    private static Drafter overwriting(Drafter honest) {
        return new WrappedDrafter(
                honest,
                session ->
                        new WrappedDrafter.Session(session) {
                            @Override
                            public Draft propose(DraftBudget budget, Randomness randomness) {
                                var draft = super.propose(budget, randomness);
                                if (!(draft.selection()
                                                instanceof Selection.Independent(var distributions))
                                        || draft.tree().draftedNodes() == 0) {
                                    return draft;
                                }
                                double[] distribution = distributions.row(0).clone();
                                distribution[1] /= 4;
                                double sum = Arrays.stream(distribution).sum();
                                var stated = DraftDistributions.builder();
                                stated.put(
                                        0, Arrays.stream(distribution).map(q -> q / sum).toArray());
                                return new Draft(
                                        draft.tree(), new Selection.Independent(stated.build()));
                            }
                        });
    }

    private static PieceTokenizer letters(int count) {
        return new PieceTokenizer(List.of("abcdefg".substring(0, count).split("")));
    }

    private static int[] ids(SharedTokens shared) {
        var targets = new int[shared.drafterSize()];
        Arrays.setAll(targets, shared::targetOf);
        return targets;
    }

    private static double[] softmax(float[] logits) {
        var distribution = new double[logits.length];
        double sum = 0;
        for (int token = 0; token < logits.length; token++) {
            distribution[token] = Math.exp(logits[token]);
            sum += distribution[token];
        }
        for (int token = 0; token < logits.length; token++) {
            distribution[token] /= sum;
        }
        return distribution;
    }
}
