package dev.outrider.experiment.costs;

import java.util.Map;
import java.util.Optional;

/// What rounds cost somewhere.
///
/// @param name     what to call the place
/// @param origin   how the target's times were got
/// @param target   t(n)
/// @param drafters by variant; of others the time that the run measured stands
/// @param engine   nanoseconds of the engine's part of a round by side, keeping cache rows included; of others the time that the run
///                 measured stands
public record Costs(
        String name,
        String origin,
        CostCurve target,
        Map<String, DraftCost> drafters,
        Map<String, Double> engine) {
    public Costs {
        drafters = Map.copyOf(drafters);
        engine = Map.copyOf(engine);
    }

    /// Where the costs of a variant's drafts are from.
    String originOf(String variant) {
        return Optional.ofNullable(drafters.get(variant))
                .map(DraftCost::origin)
                .orElse("as measured in this run");
    }
}
