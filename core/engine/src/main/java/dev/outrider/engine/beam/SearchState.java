package dev.outrider.engine.beam;

import dev.outrider.engine.decode.Hypothesis;
import java.util.List;

/// Where a search stands. Immutable.
///
/// @param live     beams that go on, the best first; none where the search is over because none is left
/// @param finished the best hypotheses so far, at most as many as beams, the best first
/// @param over     whether the search has ended
public record SearchState(List<Beam> live, List<Hypothesis> finished, boolean over) {
    public SearchState {
        live = List.copyOf(live);
        finished = List.copyOf(finished);
    }
}
