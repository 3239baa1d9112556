package dev.outrider.experiment.sweep;

import dev.outrider.experiment.run.Side;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.VerificationSettings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a verification found out about one cell of a sweep. Kept as `exactness.json` in the cell's folder.
///
/// @param index      number of the cell
/// @param labels     its value on every axis
/// @param configHash its configuration
/// @param settings   how hard was looked
/// @param checked    whether every draft and verdict was checked as well
/// @param revision   what looked
/// @param variants   in the order of the configuration
public record VerifiedCell(
        int index,
        Map<String, String> labels,
        String configHash,
        VerificationSettings settings,
        boolean checked,
        String revision,
        List<Variant> variants) {
    public VerifiedCell {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        variants = List.copyOf(variants);
    }

    /// One variant.
    public record Variant(
            String name, String drafter, String rule, String losslessness, Evidence evidence) {
        static Variant of(Side side, Evidence evidence) {
            return new Variant(
                    side.name(), side.drafter(), side.rule(), side.exactness(), evidence);
        }
    }
}
