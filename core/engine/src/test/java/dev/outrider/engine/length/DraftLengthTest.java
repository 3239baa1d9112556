package dev.outrider.engine.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.Rounds;
import dev.outrider.engine.model.SpeedupTheory;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DraftLengthTest {
    @Test
    void aFixedLengthStays() {
        var length = new FixedLength(3).start();
        length.observe(Rounds.timed(3, 0, 1, 1));

        assertThat(length.next()).isEqualTo(3);
    }

    @Test
    void theHeuristicGrowsByTwoAndShrinksByOne() {
        var length = new HeuristicLength(3, 6, 1).start();

        length.observe(Rounds.timed(3, 3, 1, 1));
        assertThat(length.next()).isEqualTo(5);
        length.observe(Rounds.timed(5, 5, 1, 1));
        assertThat(length.next()).isEqualTo(6);
        length.observe(Rounds.timed(6, 5, 1, 1));
        assertThat(length.next()).isEqualTo(5);
        for (int round = 0; round < 9; round++) {
            length.observe(Rounds.timed(5, 0, 1, 1));
        }
        assertThat(length.next()).isEqualTo(1);
    }

    @Test
    void roundsWithoutADraftTeachNothing() {
        var heuristic = new HeuristicLength(3, 6, 1).start();
        var adaptive = new AdaptiveLength(3, 6, 1, .9).start();
        heuristic.observe(Rounds.timed(0, 0, 1, 1));
        adaptive.observe(Rounds.timed(0, 0, 1, 1));

        assertThat(heuristic.next()).isEqualTo(3);
        assertThat(adaptive.next()).isEqualTo(3);
    }

    @Test
    void nodesThatAreOnlyScoredTeachNothing() {
        var window = TokenTree.builder(0);
        window.addUnverified(window.addUnverified(0, 1), 1);
        var draft = new Draft(window.build(), new Selection.PointMass());
        var verdict = new Verdict(List.of(), 1, Origin.BONUS);
        var round = new RoundCompleted(0, draft, verdict, 1, new StageTimes(5, 1, 0, 0, 0, 0));
        for (var plan : List.of(new HeuristicLength(3, 6, 1), new AdaptiveLength(3, 6, 1, .9))) {
            var length = plan.start();
            length.observe(round);

            assertThat(length.next()).isEqualTo(3);
        }
    }

    @Test
    void theAdaptiveLengthSettlesNearTheOptimum() {
        var length = new AdaptiveLength(1, 32, 1, .98).start();
        // Nine of ten guesses accepted, a draft step costs a twentieth of a pass: the best length
        // is 13.
        for (int round = 0; round < 400; round++) {
            int asked = length.next();
            length.observe(Rounds.timed(asked, round % 10 == 0 ? 0 : Math.min(asked, 10), 5, 100));
        }
        int best = SpeedupTheory.bestLength(.9, .05, 32);
        assertThat(length.next()).isBetween(best - 3, best + 3);
    }

    /// As for a target whose rows each activate other experts.
    @Test
    void theAdaptiveLengthLearnsWhatRowsCost() {
        var random = new Random(3);
        var length = new AdaptiveLength(4, 32, 1, .98).start();
        for (int round = 0; round < 400; round++) {
            int asked = length.next();
            int accepted = 0;
            while (accepted < asked && random.nextDouble() < .8) {
                accepted++;
            }
            length.observe(Rounds.timed(asked, accepted, 5, 100 + 50 * asked));
        }
        int best = SpeedupTheory.bestLength(.8, 5, 100, 50, 32);
        assertThat(SpeedupTheory.bestLength(.8, 5, 100, 0, 32)).isEqualTo(8);
        assertThat(length.next()).isBetween(best - 1, best + 2);
    }

    @Test
    void theAdaptiveLengthFollowsADrafterThatBecomesUselessAndUsefulAgain() {
        var length = new AdaptiveLength(8, 16, 1, .8).start();
        for (int round = 0; round < 100; round++) {
            length.observe(Rounds.timed(length.next(), 0, 5, 100));
        }
        assertThat(length.next()).isLessThanOrEqualTo(2);
        for (int round = 0; round < 100; round++) {
            length.observe(Rounds.timed(length.next(), length.next(), 5, 100));
        }
        assertThat(length.next()).isGreaterThanOrEqualTo(15);
    }

    @Test
    void lengthsStayAboveTheirLeast() {
        for (var plan : List.of(new HeuristicLength(5, 16, 3), new AdaptiveLength(8, 16, 3, .8))) {
            var length = plan.start();
            for (int round = 0; round < 50; round++) {
                length.observe(Rounds.timed(length.next(), 0, 5, 100));
                assertThat(length.next()).isBetween(3, 16);
            }
            assertThat(length.next()).isLessThanOrEqualTo(4);
        }
        assertThatThrownBy(() -> new AdaptiveLength(2, 4, 3, .9))
                .hasMessage("min 3, initial 2 and max 4 must satisfy 1 <= min <= initial <= max");
    }

    @Test
    void theAdaptiveLengthDoesNotChaseADifferenceOfOne() {
        // Two of three guesses tested are accepted and a step costs a tenth: the best length is 4.
        var observed = Rounds.timed(3, 2, 10, 100);
        assertThat(SpeedupTheory.bestLength(2 / 3.0, .1, 16)).isEqualTo(4);

        for (int initial : new int[] {3, 4, 5}) {
            var length = new AdaptiveLength(initial, 16, 1, .5).start();
            length.observe(observed);
            assertThat(length.next()).isEqualTo(initial);
        }
        var far = new AdaptiveLength(6, 16, 1, .5).start();
        far.observe(observed);
        assertThat(far.next()).isEqualTo(4);
    }

    @Test
    void lengthsSayWhyTheyWereChosen() {
        var heuristic = new HeuristicLength(3, 6, 1).start();
        assertThat(heuristic.reason()).isEqualTo("learning");
        heuristic.observe(Rounds.timed(3, 3, 1, 1));
        assertThat(heuristic.reason()).isEqualTo("all accepted");
        heuristic.observe(Rounds.timed(5, 4, 1, 1));
        assertThat(heuristic.reason()).isEqualTo("one rejected");

        var adaptive = new AdaptiveLength(3, 16, 1, .5).start();
        assertThat(adaptive.reason()).isEqualTo("learning");
        adaptive.observe(Rounds.timed(3, 2, 10, 100)); // the best length is 4
        assertThat(adaptive.reason()).isEqualTo("near best");
        for (int round = 0; round < 20; round++) {
            adaptive.observe(Rounds.timed(3, 3, 1, 100));
        }
        assertThat(adaptive.reason()).isEqualTo("best");
    }

    @Test
    void impossibleSettingsAreRefused() {
        assertThatThrownBy(() -> new FixedLength(-1)).hasMessage("draft length -1 is negative");
        assertThatThrownBy(() -> new HeuristicLength(5, 4, 1))
                .hasMessage("min 1, initial 5 and max 4 must satisfy 1 <= min <= initial <= max");
        assertThatThrownBy(() -> new AdaptiveLength(1, 4, 1, 1))
                .hasMessage("memory 1.0 must be in [0, 1)");
    }
}
