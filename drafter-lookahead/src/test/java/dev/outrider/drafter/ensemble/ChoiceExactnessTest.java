package dev.outrider.drafter.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.common.Ticker;
import dev.outrider.drafter.ensemble.ChoiceSession.Chooser;
import dev.outrider.drafter.ensemble.DrafterSelector.SelectorExperience;
import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.TableDrafter;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests rounds in which one model draws tokens, another lists its best guesses, or no drafter drafts, enumerated over every random
/// outcome: the output follows the target's distribution.
class ChoiceExactnessTest {
    private static final int[] PROMPT = {1, 0};
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(0.9);

    static Stream<AcceptanceRule> rules() {
        return Stream.of(
                new TokenRejectionRule(), new BlockVerificationRule(), new SampleAndMatchRule());
    }

    /// The drafter depends on the tokens that the previous round accepted.
    @ParameterizedTest
    @MethodSource("rules")
    void tokensFollowTheTargetsDistribution(AcceptanceRule rule) {
        for (int seed = 0; seed < 3; seed++) {
            var target = model(3, seed);
            var choice = together(3, 2, seed, parts -> choice(parts, new ByTokens()));

            ExactDistribution.assertExact(
                    decoder(target, choice, rule), target, WARM, PROMPT, 2, 4);
        }
    }

    /// The real chooser with a clock: six rounds reach the second drafter and plain decoding.
    @ParameterizedTest
    @MethodSource("rules")
    void theBestForItsTime(AcceptanceRule rule) {
        var target = model(2, 1);
        var seen = new TreeSet<Integer>();
        var choice =
                together(
                        2,
                        1,
                        1,
                        parts ->
                                choice(
                                        parts,
                                        new Noted(
                                                new DrafterSelector(
                                                        new SelectorExperience(2, 0.01), 1),
                                                seen)));

        ExactDistribution.assertExact(decoder(target, choice, rule), target, WARM, PROMPT, 6, 6);
        assertThat(seen).containsExactly(0, 1, 2);
    }

    /// Negative control: if the choice depended on the first guess, the enumeration would show it.
    @Test
    void aChoiceByWhatWasDrawnIsNoticed() {
        var target = model(3, 2);
        var peeking = together(3, 2, 2, parts -> new Peeking(parts, List.of("drawing", "listing")));

        assertThat(
                        ExactDistribution.error(
                                decoder(target, peeking, new TokenRejectionRule()),
                                target,
                                WARM,
                                PROMPT,
                                1,
                                3))
                .isGreaterThan(0.01);
    }

    private static DraftSession choice(List<DraftSession> parts, Chooser chooser) {
        return new ChoiceSession(parts, List.of("drawing", "listing"), chooser);
    }

    /// A chain of drawn tokens, and a chain of the best tokens, which are not drawn.
    private static Drafter together(
            int vocabulary,
            int length,
            long seed,
            Function<List<DraftSession>, DraftSession> together) {
        var plan = new TreePlan.Chain(length);
        var drawing = new TableDrafter(model(vocabulary, 50 + seed), plan, WARM);
        var listing = new TableDrafter(model(vocabulary, 70 + seed), plan, SamplingPolicy.argmax());
        return new Ensemble(
                drawing.traits().or(listing.traits()), List.of(drawing, listing), together);
    }

    private static TableModel model(int vocabulary, long seed) {
        return TableModel.random(vocabulary, DistributionStyle.DENSE, seed);
    }

    private static Decoder decoder(TableModel target, Drafter drafter, AcceptanceRule rule) {
        return new Decoder(
                TableTarget.of(target),
                Optional.of(drafter),
                rule,
                FixedLength.drafterLimit(),
                true,
                new Ticking());
    }

    /// A clock that advances by one at every reading, so every round takes the same time.
    private static final class Ticking implements Ticker {
        private long now;

        @Override
        public long nanos() {
            return now++;
        }
    }

    /// The first round uses the first drafter; then the more tokens a round gave, the later in the
    /// list is the next drafter.
    private static final class ByTokens implements Chooser {
        private int part;

        @Override
        public int next() {
            return part;
        }

        @Override
        public void observe(int tokens, double nanos) {
            part = tokens - 1;
        }

        @Override
        public String reason() {
            return "";
        }
    }

    /// Records the choices.
    private record Noted(Chooser chooser, TreeSet<Integer> seen) implements Chooser {
        @Override
        public int next() {
            int part = chooser.next();
            seen.add(part);
            return part;
        }

        @Override
        public void observe(int tokens, double nanos) {
            chooser.observe(tokens, nanos);
        }

        @Override
        public String reason() {
            return chooser.reason();
        }
    }

    /// Asks its second session if the first one drew token 0.
    private static final class Peeking extends EnsembleSession {
        private List<Draft> drafts = List.of();

        Peeking(List<DraftSession> sessions, List<String> names) {
            super(sessions, names);
        }

        @Override
        protected Draft draft(DraftBudget budget, Randomness randomness) {
            var first = sessions().getFirst().propose(budget, randomness);
            drafts =
                    first.tree().draftedNodes() > 0 && first.tree().token(1) == 0
                            ? List.of(first, sessions().getLast().propose(budget, randomness))
                            : List.of(first);
            return drafts.getLast();
        }

        @Override
        protected void tell(Draft draft, Follower round) {
            int proposer = drafts.size() - 1;
            for (int i = 0; i < sessions().size(); i++) {
                if (i == proposer) {
                    sessions().get(i).observe(draft, round.verdict(), round.scores());
                } else {
                    round.follow(
                            sessions().get(i),
                            0,
                            i < proposer ? Optional.of(drafts.get(i)) : Optional.empty());
                }
            }
        }
    }
}
