package dev.outrider.drafter.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.TableDrafter;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Two rounds in which the lookup or the model drafts, enumerated over every random outcome: the
/// output follows the target's distribution, with q where the model drew and without one where the
/// lookup guessed.
class CascadeExactnessTest {
    private static final int VOCABULARY = 3;
    private static final int[] PROMPT = {1, 0};
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(0.9);

    static Stream<AcceptanceRule> rules() {
        return Stream.of(
                new TokenRejectionRule(), new BlockVerificationRule(), new SampleAndMatchRule());
    }

    @ParameterizedTest
    @MethodSource("rules")
    void tokensFollowTheTargetsDistribution(AcceptanceRule rule) {
        for (int seed = 0; seed < 3; seed++) {
            var target = TableModel.random(VOCABULARY, DistributionStyle.DENSE, seed);
            var cascade = cascade(seed, new Selection.PointMass());

            ExactDistribution.assertExact(
                    decoder(target, cascade, rule), target, WARM, PROMPT, 2, 4);
        }
    }

    @Test
    void theModelsDistributionIsKept() {
        var target = TableModel.random(VOCABULARY, DistributionStyle.DENSE, 1);
        var model = model(1);
        var token = decoder(target, model, new TokenRejectionRule());
        var silentFirst =
                together(model.traits(), new WhenLast(9, new Selection.PointMass()), model);

        assertThat(
                        ExactDistribution.expectedLength(
                                ExactDistribution.emitted(
                                        decoder(target, silentFirst, new TokenRejectionRule()),
                                        WARM,
                                        PROMPT,
                                        1)))
                .isCloseTo(
                        ExactDistribution.expectedLength(
                                ExactDistribution.emitted(token, WARM, PROMPT, 1)),
                        org.assertj.core.data.Offset.offset(1e-12));
    }

    /// Negative control: if the model's draws were declared as guesses without a distribution, or
    /// the lookup's as draws from a distribution, the enumeration would show it.
    @Test
    void aWrongDistributionIsNoticed() {
        var target = TableModel.random(VOCABULARY, DistributionStyle.DENSE, 2);
        var flat = new double[] {1.0 / 3, 1.0 / 3, 1.0 / 3};
        var distributions =
                dev.outrider.spi.draft.DraftDistributions.builder()
                        .put(0, flat)
                        .put(1, flat)
                        .build();
        var lying = cascade(2, new Selection.Independent(distributions));

        assertThat(
                        ExactDistribution.error(
                                decoder(target, lying, new TokenRejectionRule()),
                                target,
                                WARM,
                                PROMPT,
                                2,
                                4))
                .isGreaterThan(0.01);
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

    private static Drafter cascade(long seed, Selection ofLookup) {
        var model = model(seed);
        var traits =
                DrafterTraits.chain(2)
                        .selecting(Selection.Kind.POINT_MASS, Selection.Kind.INDEPENDENT);
        return together(traits, new WhenLast(0, ofLookup), model);
    }

    private static Drafter together(DrafterTraits traits, Drafter... drafters) {
        return new Ensemble(
                traits,
                List.of(drafters),
                sessions -> new CascadeSession(sessions, List.of("lookup", "model")));
    }

    private static Drafter model(long seed) {
        return new TableDrafter(
                TableModel.random(VOCABULARY, DistributionStyle.DENSE, 50 + seed),
                new TreePlan.Chain(2),
                WARM);
    }

    /// Guesses the chain (2, 0) after one token and nothing after others.
    private record WhenLast(int token, Selection selection) implements Drafter {
        @Override
        public DrafterTraits traits() {
            return DrafterTraits.chain(2).selecting(selection.kind());
        }

        @Override
        public DraftSession open(DraftRequest request) {
            return new Session(this, new ArrayList<>());
        }

        private record Session(WhenLast drafter, List<Integer> tokens) implements DraftSession {
            @Override
            public void begin(int[] prompt, HiddenStates promptStates) {
                tokens.add(prompt[prompt.length - 1]);
            }

            @Override
            public Draft propose(DraftBudget budget, Randomness randomness) {
                int root = tokens.getLast();
                return root != drafter.token() || budget.maxNodes() < 2
                        ? Draft.empty(root)
                        : new Draft(TokenTree.chain(root, 2, 0), drafter.selection());
            }

            @Override
            public void observe(Draft draft, Verdict verdict, TargetScores scores) {
                tokens.add(verdict.nextToken());
            }

            @Override
            public void close() {}
        }

        @Override
        public void close() {}
    }
}
