package dev.outrider.testkit;

import static dev.outrider.engine.check.OnFailure.PLAIN;
import static dev.outrider.testkit.GuardedDecoding.FEW;
import static dev.outrider.testkit.GuardedDecoding.FEW_GUESSES;
import static dev.outrider.testkit.GuardedDecoding.PROMPT;
import static dev.outrider.testkit.GuardedDecoding.TARGET;
import static dev.outrider.testkit.GuardedDecoding.TOKENS;
import static dev.outrider.testkit.GuardedDecoding.WARM;
import static dev.outrider.testkit.GuardedDecoding.decode;
import static dev.outrider.testkit.GuardedDecoding.decoder;
import static dev.outrider.testkit.GuardedDecoding.fail;
import static dev.outrider.testkit.GuardedDecoding.honest;
import static dev.outrider.testkit.GuardedDecoding.nothing;
import static dev.outrider.testkit.GuardedDecoding.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.run.DecodeEvent.PluginFailed;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/// Rules that break their contract: nothing is accepted, and the next token is the target's own.
class FailingRulesTest {
    static Map<String, BiFunction<Draft, TargetDistributions, Verdict>> brokenRules() {
        var rules = new LinkedHashMap<String, BiFunction<Draft, TargetDistributions, Verdict>>();
        rules.put("failed in decide of round 0", (_, _) -> fail(new IllegalStateException("bug")));
        rules.put("accepted node 9, expected 1 to", (_, _) -> verdict(List.of(9), 0));
        rules.put("accepted node 2 after node 0", (_, _) -> verdict(List.of(2), 0));
        rules.put("emitted token 5, expected 0 to 4", (_, _) -> verdict(List.of(), 5));
        rules.put("NullPointerException", (_, _) -> nothing());
        return rules;
    }

    @Test
    void aBrokenRuleDecidesNothing() {
        brokenRules()
                .forEach((problem, decide) -> {
                    var decoder = decoder(TARGET, honest(), rule(decide), PLAIN);
                    var events = new ArrayList<PluginFailed>();

                    assertThat(decode(decoder, events)).hasSize(TOKENS);
                    assertThat(events.getFirst().problem()).contains(problem);
                    ExactDistribution.assertExact(
                            decoder(TableTarget.of(FEW), FEW_GUESSES, rule(decide), PLAIN),
                            FEW,
                            WARM,
                            PROMPT,
                            2,
                            2);
                });
    }

    @Test
    void everyFailureNamesItsRound() {
        var events = new ArrayList<PluginFailed>();
        decode(decoder(TARGET, honest(), rule((_, _) -> verdict(List.of(9), 0)), PLAIN), events);

        assertThat(events).hasSizeGreaterThan(1);
        for (int round = 0; round < events.size(); round++) {
            assertThat(events.get(round).round()).isEqualTo(round);
            assertThat(events.get(round).problem())
                    .contains("in round %d accepted".formatted(round));
        }
    }

    /// The same randomness as if a correct rule had accepted nothing, with and without a draft.
    @Test
    void whatFollowsIsWhatSampleAndMatchDrawsAtTheRoot() {
        AcceptanceRule broken = rule((_, _) -> fail(new IllegalStateException("bug")));
        for (int seed = 0; seed < 10; seed++) {
            var drafted = rounds(decoder(TARGET, honest(), broken, PLAIN), seed);
            var matched = rounds(decoder(TARGET, honest(), new SampleAndMatchRule(), PLAIN), seed);
            assertThat(firstToken(drafted)).isEqualTo(firstToken(matched));
            assertThat(drafted.getFirst().verdict().origin()).isEqualTo(Origin.CORRECTION);
            assertThat(drafted.getLast().verdict().origin()).isEqualTo(Origin.BONUS);

            var alone = decoder(TARGET, honest(), broken, PLAIN);
            var plain = decoder(TARGET, honest(), new SampleAndMatchRule(), PLAIN);
            assertThat(rounds(undrafted(alone), seed)).isEqualTo(rounds(undrafted(plain), seed));
        }
    }

    private static int firstToken(List<RoundCompleted> rounds) {
        var first = rounds.getFirst();
        return first.verdict().emitted(first.draft().tree())[0];
    }

    private static Decoder undrafted(Decoder decoder) {
        return decoder.withDrafting(Optional.empty(), new FixedLength(0));
    }

    private static List<RoundCompleted> rounds(Decoder decoder, int seed) {
        var rounds = new ArrayList<RoundCompleted>();
        var unused =
                decoder.decode(
                        request(WARM),
                        RandomnessSource.of(new KeyedRandomStreams(seed, 1)),
                        event -> {
                            if (event instanceof RoundCompleted round) {
                                rounds.add(round);
                            }
                        },
                        () -> false);
        return rounds;
    }

    private static AcceptanceRule rule(BiFunction<Draft, TargetDistributions, Verdict> decide) {
        return new AcceptanceRule() {
            @Override
            public RuleTraits traits() {
                return new TokenRejectionRule().traits();
            }

            @Override
            public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
                return decide.apply(draft, target);
            }
        };
    }

    private static Verdict verdict(List<Integer> nodes, int next) {
        return new Verdict(nodes, next, Origin.CORRECTION);
    }
}
