package dev.outrider.experiment.costs;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// What rounds cost somewhere.
///
/// @param name     what to call the place
/// @param origin   how the target's times were got
/// @param target   t(n)
/// @param drafters by variant; of others the time that the run measured stands
/// @param engine   the engine's part of a round by side, keeping cache rows included; of others the time that the run
///                 measured stands
/// @param firstRounds nanoseconds that the first rounds of a generation take more than later ones, by side and by the rows of its passes
/// @param again    the same as other timings could have found it, drawn from what was timed; none where nothing is known of that
public record Costs(
        String name,
        String origin,
        CostCurve target,
        Map<String, DraftCost> drafters,
        Map<String, EngineCost> engine,
        Map<String, SortedMap<Integer, Double>> firstRounds,
        List<Costs> again) {
    public Costs {
        drafters = Map.copyOf(drafters);
        engine = Map.copyOf(engine);
        firstRounds = Map.copyOf(firstRounds);
        again = List.copyOf(again);
    }

    /// What the first rounds of a generation take more than others, of passes of the most rows that were timed and are not more; 0 where
    /// nothing is known.
    ///
    /// @param side its name
    /// @param rows of its longest pass
    public double firstRounds(String side, int rows) {
        var known = firstRounds.getOrDefault(side, Collections.emptySortedMap());
        var fewer = known.headMap(rows + 1);
        return fewer.isEmpty()
                ? known.isEmpty() ? 0 : known.firstEntry().getValue()
                : fewer.lastEntry().getValue();
    }

    /// Costs of whose errors nothing is known.
    public Costs(
            String name,
            String origin,
            CostCurve target,
            Map<String, DraftCost> drafters,
            Map<String, EngineCost> engine) {
        this(name, origin, target, drafters, engine, Map.of(), List.of());
    }

    /// Where the costs of a variant's drafts are from.
    String originOf(String variant) {
        return Optional.ofNullable(drafters.get(variant))
                .map(DraftCost::origin)
                .orElse("as measured in this run");
    }
}
