package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.OneHotRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftRequest;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Selection;
import dev.outrider.spi.TargetLaws;
import dev.outrider.spi.TokenHistory;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.TreePlan;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Two rounds of drafting, judging and observing, enumerated over every coin: the tokens follow the target's
/// law exactly, whatever the drafter's model, sampling, shape and stop rule.
class SmallModelExactnessTest {
    private static final int VOCABULARY = 3;
    private static final List<Integer> PROMPT = List.of(1, 0);
    private static final SamplingPolicy TARGET = new SamplingPolicy(0.8, 0, 1, 0, 1.2);

    /// One pairing.
    record Pairing(String name, SmallModelConfig config, AcceptanceRule rule, int rounds) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Pairing> pairings() {
        var token = new TokenRejectionRule();
        var oneHot = new OneHotRule();
        return Stream.of(
                new Pairing("chain", config(new TreePlan.Chain(2)), token, 2),
                new Pairing("long chain", config(new TreePlan.Chain(4)), token, 1),
                new Pairing(
                        "chain with a sampler of its own",
                        config(new TreePlan.Chain(2), sampling(1.7, 2), 0, Optional.empty()),
                        token,
                        2),
                new Pairing(
                        "greedy chain",
                        config(new TreePlan.Chain(3), sampling(0, 0), 0, Optional.empty()),
                        token,
                        2),
                new Pairing(
                        "chain that stops after an unlikely token",
                        config(new TreePlan.Chain(3), Optional.empty(), 0.4, Optional.empty()),
                        token,
                        2),
                new Pairing(
                        "chain that stops before an uncertain law",
                        config(
                                new TreePlan.Chain(3),
                                Optional.empty(),
                                0,
                                Optional.of(new SmallModelConfig.EntropyStop(0.3, 0.5))),
                        token,
                        2),
                new Pairing(
                        "level widths", config(new TreePlan.LevelWidths(List.of(2, 2))), oneHot, 2),
                new Pairing(
                        "level widths that stop at unlikely tokens",
                        config(
                                new TreePlan.LevelWidths(List.of(2, 2, 1)),
                                Optional.empty(),
                                0.4,
                                Optional.empty()),
                        oneHot,
                        2),
                new Pairing("dynamic tree", config(new TreePlan.Dynamic(2, 3, 5)), oneHot, 2),
                new Pairing(
                        "independent siblings",
                        config(new TreePlan.SampledWithReplacement(List.of(2, 1))),
                        oneHot,
                        1),
                new Pairing(
                        "distinct siblings",
                        config(new TreePlan.SampledWithoutReplacement(List.of(2, 2))),
                        oneHot,
                        1));
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void tokensFollowTheTargetsLaw(Pairing pairing) {
        for (int seed = 0; seed < 4; seed++) {
            assertThat(error(pairing, seed, UnaryOperator.identity()))
                    .as("seed %d", seed)
                    .isLessThan(1e-12);
        }
    }

    @Test
    void theEnumerationSeesADrafterThatDropsUnlikelyTokens() {
        var chain =
                new Pairing("dropper", config(new TreePlan.Chain(1)), new TokenRejectionRule(), 1);

        double error =
                error(
                        chain,
                        1,
                        draft -> {
                            var laws = ((Selection.Independent) draft.selection()).laws();
                            boolean unlikely = laws.row(0)[draft.tree().token(1)] < 0.3;
                            return unlikely
                                    ? new Draft(
                                            TokenTree.rootOnly(draft.tree().token(0)),
                                            draft.selection())
                                    : draft;
                        });

        assertThat(error).isGreaterThan(0.01);
    }

    /// Greatest difference between the probability of a sequence and what the target gives it.
    private static double error(Pairing pairing, int seed, UnaryOperator<Draft> tamper) {
        var target = new TableNetwork(VOCABULARY, 100 + seed, 1.5);
        var model =
                new DraftModel(
                        new TableNetwork(VOCABULARY, 200 + seed, 1.5),
                        new LetterTokenizer(VOCABULARY),
                        VOCABULARY,
                        100,
                        1);
        var drafter = new SmallModelDrafter(pairing.config(), model, VOCABULARY);
        var law = ForkingCoins.law(coins -> emitted(pairing, drafter, target, tamper, coins));
        drafter.close();
        int longest = law.keySet().stream().mapToInt(List::size).max().orElseThrow();
        return difference(law, target, new ArrayList<>(), 1, longest);
    }

    private static List<Integer> emitted(
            Pairing pairing,
            SmallModelDrafter drafter,
            TableNetwork target,
            UnaryOperator<Draft> tamper,
            Coins coins) {
        var history = new ArrayList<>(PROMPT);
        try (var session = drafter.open(new DraftRequest(50, TARGET))) {
            session.begin(
                    PROMPT.stream().mapToInt(Integer::intValue).toArray(), SessionDriver.NO_STATES);
            for (int round = 0; round < pairing.rounds(); round++) {
                var draft = tamper.apply(session.propose(new DraftBudget(20, 20), coins));
                var laws = new TableLaws(target, List.copyOf(history), draft.tree());
                var verdict = pairing.rule().decide(draft, laws, coins);
                for (int token : verdict.emitted(draft.tree())) {
                    history.add(token);
                }
                if (round + 1 < pairing.rounds()) {
                    SessionDriver.observe(session, verdict);
                }
            }
        }
        return List.copyOf(history.subList(PROMPT.size(), history.size()));
    }

    /// Walks all sequences of `longest` tokens; what was emitted shorter is completed with the target.
    private static double difference(
            Map<List<Integer>, Double> law,
            TableNetwork target,
            List<Integer> path,
            double targetProbability,
            int longest) {
        if (path.size() == longest) {
            double probability = 0;
            double rest = 1;
            for (int length = longest; length >= 0; length--) {
                var prefix = path.subList(0, length);
                probability += law.getOrDefault(prefix, 0.0) * rest;
                if (length > 0) {
                    rest *= targetLaw(target, path.subList(0, length - 1))[path.get(length - 1)];
                }
            }
            return Math.abs(probability - targetProbability);
        }
        double worst = 0;
        double[] next = targetLaw(target, path);
        for (int token = 0; token < VOCABULARY; token++) {
            path.add(token);
            worst =
                    Math.max(
                            worst,
                            difference(
                                    law, target, path, targetProbability * next[token], longest));
            path.removeLast();
        }
        return worst;
    }

    private static double[] targetLaw(TableNetwork target, List<Integer> emitted) {
        var tokens = new ArrayList<>(PROMPT);
        tokens.addAll(emitted);
        return TARGET.law(
                MemorySegment.ofArray(target.logitsAfter(tokens)),
                VOCABULARY,
                TokenHistory.of(tokens.stream().mapToInt(Integer::intValue).toArray()));
    }

    /// The target's laws at the nodes of a draft.
    private record TableLaws(TableNetwork target, List<Integer> history, TokenTree tree)
            implements TargetLaws {
        @Override
        public int vocabularySize() {
            return VOCABULARY;
        }

        @Override
        public double[] law(int node) {
            var emitted = new ArrayList<>(history.subList(PROMPT.size(), history.size()));
            for (int step : tree.path(node)) {
                if (step > 0) {
                    emitted.add(tree.token(step));
                }
            }
            return targetLaw(target, emitted);
        }

        @Override
        public int mode(int node) {
            throw new AssertionError("these rules sample");
        }
    }

    private static SmallModelConfig config(TreePlan plan) {
        return config(plan, Optional.empty(), 0, Optional.empty());
    }

    private static SmallModelConfig config(
            TreePlan plan,
            Optional<SmallModelConfig.DraftSampling> sampling,
            double confidence,
            Optional<SmallModelConfig.EntropyStop> entropy) {
        return new SmallModelConfig(
                Configs.of(Optional.empty(), Optional.empty()).path(),
                Optional.empty(),
                Optional.of(plan),
                sampling,
                confidence,
                entropy);
    }

    private static Optional<SmallModelConfig.DraftSampling> sampling(double temperature, int topK) {
        return Optional.of(new SmallModelConfig.DraftSampling(temperature, topK, 1, 0, 1));
    }
}
