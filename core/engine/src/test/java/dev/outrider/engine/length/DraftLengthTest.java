package dev.outrider.engine.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.Rounds;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.List;
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
        heuristic.observe(Rounds.timed(0, 0, 1, 1));

        assertThat(heuristic.next()).isEqualTo(3);
    }

    @Test
    void nodesThatAreOnlyScoredTeachNothing() {
        var window = TokenTree.builder(0);
        window.addUnverified(window.addUnverified(0, 1), 1);
        var draft = new Draft(window.build(), new Selection.PointMass());
        var verdict = new Verdict(List.of(), 1, Origin.BONUS);
        var round = new RoundCompleted(0, draft, verdict, 1, new StageTimes(5, 1, 0, 0, 0, 0));
        var length = new HeuristicLength(3, 6, 1).start();
        length.observe(round);

        assertThat(length.next()).isEqualTo(3);
    }

    @Test
    void lengthsStayAboveTheirLeast() {
        var length = new HeuristicLength(5, 16, 3).start();
        for (int round = 0; round < 50; round++) {
            length.observe(Rounds.timed(length.next(), 0, 5, 100));
            assertThat(length.next()).isBetween(3, 16);
        }
        assertThat(length.next()).isEqualTo(3);
        assertThatThrownBy(() -> new HeuristicLength(2, 4, 3))
                .hasMessage("min 3, initial 2 and max 4 must satisfy 1 <= min <= initial <= max");
    }

    @Test
    void lengthsSayWhyTheyWereChosen() {
        var heuristic = new HeuristicLength(3, 6, 1).start();
        assertThat(heuristic.reason()).isEqualTo("learning");
        heuristic.observe(Rounds.timed(3, 3, 1, 1));
        assertThat(heuristic.reason()).isEqualTo("all accepted");
        heuristic.observe(Rounds.timed(5, 4, 1, 1));
        assertThat(heuristic.reason()).isEqualTo("one rejected");
    }

    @Test
    void impossibleSettingsAreRefused() {
        assertThatThrownBy(() -> new FixedLength(-1)).hasMessage("draft length -1 is negative");
        assertThatThrownBy(() -> new HeuristicLength(5, 4, 1))
                .hasMessage("min 1, initial 5 and max 4 must satisfy 1 <= min <= initial <= max");
    }
}
