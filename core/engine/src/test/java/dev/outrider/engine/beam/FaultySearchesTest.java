package dev.outrider.engine.beam;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.beam.BeamSearch.SearchState;
import dev.outrider.engine.beam.BeamSettings.EarlyStopping;
import dev.outrider.engine.beam.SuccessorScores.BannedTokens;
import dev.outrider.engine.decode.Generation.Hypothesis;
import dev.outrider.engine.processing.ProcessorChain;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Errors of a replay change the hypotheses, so a comparison with plain search finds them.
class FaultySearchesTest {
    private static final int VOCABULARY = 8;
    private static final int PROMPTS = 50;

    private final BeamSearch search =
            new BeamSearch(
                    new BeamSettings(4, 4, 1, EarlyStopping.FALSE, 0, 0, List.of()), Set.of(0), 10);

    /// Errors in the steps after the first of a pass; a pass decides two.
    private enum Fault {
        NONE,
        /// A beam that is not in the forest continues with the row of the previous beam.
        PAST_THE_EDGE,
        /// A beam that is not in the forest is left out.
        DROPS_A_BEAM,
        /// Ties are broken by the token alone.
        FORGETS_THE_RANK
    }

    @Test
    void everyFaultIsFound() {
        assertThat(different(Fault.NONE)).isZero();
        assertThat(different(Fault.PAST_THE_EDGE)).isPositive();
        assertThat(different(Fault.DROPS_A_BEAM)).isPositive();
        assertThat(different(Fault.FORGETS_THE_RANK)).isPositive();
    }

    private int different(Fault fault) {
        int different = 0;
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            different += searched(prompt, fault).equals(searched(prompt, Fault.NONE)) ? 0 : 1;
        }
        return different;
    }

    private List<Hypothesis> searched(int prompt, Fault fault) {
        int[] text = {1 + prompt % (VOCABULARY - 1), prompt};
        var scores =
                new SuccessorScores(
                        new BannedTokens(search.settings(), search.endTokens(), text),
                        ProcessorChain.none().on(VOCABULARY),
                        VOCABULARY,
                        search.candidates());
        var state = search.start(text[1]);
        for (int step = 0; !state.over(); step++) {
            boolean edge = step % 2 == 1;
            state = edge ? before(state, fault) : state;
            boolean past = edge && fault == Fault.PAST_THE_EDGE;
            state =
                    search.advance(
                            state,
                            state.live().stream()
                                    .map(beam -> scores.of(beam, row(text, beam, past)))
                                    .toList());
        }
        return search.result(state);
    }

    private static SearchState before(SearchState state, Fault fault) {
        var live = state.live();
        return switch (fault) {
            case NONE, PAST_THE_EDGE -> state;
            case DROPS_A_BEAM ->
                    new SearchState(
                            live.subList(Math.min(1, live.size() - 1), live.size()),
                            state.finished(),
                            false);
            case FORGETS_THE_RANK -> new SearchState(live.reversed(), state.finished(), false);
        };
    }

    /// Returns the same logits in every row, permuted by the last two tokens of a text, so many
    /// texts are equally probable.
    private static MemorySegment row(int[] prompt, Beam beam, boolean past) {
        int[] text = beam.text(prompt);
        int length = past ? text.length - 1 : text.length;
        int from = Math.max(0, length - 2);
        var logits = Arrays.asList(0f, 0f, 0f, 1f, 1f, 2f, 2f, 3f);
        Collections.shuffle(
                logits, new Random(Arrays.hashCode(Arrays.copyOfRange(text, from, length))));
        var row = new float[VOCABULARY];
        for (int token = 0; token < VOCABULARY; token++) {
            row[token] = logits.get(token);
        }
        return MemorySegment.ofArray(row);
    }
}
