package dev.outrider.experiment.report;

import dev.outrider.experiment.run.Side;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.VerificationSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// A verification as JSON, with where its numbers come from.
public final class EvidenceJson {
    private EvidenceJson() {}

    /// What the JSON holds.
    record Document(
            boolean rejected,
            List<Variant> variants,
            VerificationSettings settings,
            String configHash,
            SortedMap<String, String> models,
            String outrider) {}

    record Variant(
            String variant,
            String drafter,
            String rule,
            double temperature,
            String losslessness,
            Evidence evidence) {}

    /// @param sides    variants in order
    /// @param evidence by name of the variant
    /// @param models   digest of each model by role and name
    /// @param version  of Outrider
    public static String of(
            List<Side> sides,
            Map<String, Evidence> evidence,
            VerificationSettings settings,
            String configHash,
            SortedMap<String, String> models,
            String version) {
        var variants =
                sides.stream()
                        .flatMap(side ->
                                Optional.ofNullable(evidence.get(side.name())).stream()
                                        .map(found -> variant(side, found)))
                        .toList();
        boolean rejected = evidence.values().stream().anyMatch(Evidence::rejected);
        return Json.pretty(new Document(rejected, variants, settings, configHash, models, version));
    }

    private static Variant variant(Side side, Evidence evidence) {
        return new Variant(
                side.name(),
                side.drafter(),
                side.rule(),
                side.policy().temperature(),
                side.exactness(),
                evidence);
    }
}
