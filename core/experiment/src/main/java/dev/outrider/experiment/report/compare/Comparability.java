package dev.outrider.experiment.report.compare;

import dev.outrider.experiment.report.Provenance;
import dev.outrider.experiment.report.SideDetails;
import dev.outrider.experiment.report.read.Cell;
import dev.outrider.experiment.report.read.Results;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// What must be alike in two results for a difference to mean something, and what had better be.
final class Comparability {
    private static final String TARGET = "target ";

    private Comparability() {}

    /// @throws OutriderException DATA_INVALID if both are the same folder
    static void requireDistinct(Results first, Results second) {
        boolean same;
        try {
            same = first.folder().toRealPath().equals(second.folder().toRealPath());
        } catch (IOException e) {
            same = first.folder().equals(second.folder());
        }
        if (same) {
            throw refused(
                    "'%s' and '%s' are the same folder".formatted(first.folder(), second.folder()),
                    "Name two folders of results.");
        }
    }

    /// @throws OutriderException DATA_INVALID if the targets differ
    static void requireSameTarget(Cell first, Cell second) {
        Map<String, String> one = targets(first);
        Map<String, String> other = targets(second);
        if (!one.isEmpty() && !other.isEmpty() && !one.equals(other)) {
            throw refused(
                    "'%s' was measured on %s, '%s' on %s; a speedup over one target says nothing about another"
                            .formatted(first.folder(), one, second.folder(), other),
                    "Compare results of one target.");
        }
    }

    private static Map<String, String> targets(Cell cell) {
        var found = new TreeMap<String, String>();
        cell.provenance()
                .ifPresent(from ->
                        from.models()
                                .forEach((role, digest) -> {
                                    if (role.startsWith(TARGET)) {
                                        found.put(role, digest);
                                    }
                                }));
        return found;
    }

    /// @throws OutriderException DATA_INVALID if a variant samples at another temperature
    static void requireSameTemperature(String label, SideDetails first, SideDetails second) {
        if (first.temperature() != second.temperature()) {
            throw refused(
                    "'%s' samples at temperature %s in the first results and %s in the second"
                            .formatted(label, first.temperature(), second.temperature()),
                    "Compare results of one temperature, or give variants of different temperatures different names.");
        }
    }

    /// What a reader must know before believing a difference.
    static List<String> warnings(Cell first, Cell second) {
        var warnings = new ArrayList<String>();
        if (first.provenance().isEmpty() || second.provenance().isEmpty()) {
            warnings.add(
                    "Provenance is missing: nobody knows whether the two were measured alike.");
            return warnings;
        }
        warn(warnings, "device", first, second, Provenance::device);
        warn(warnings, "threads", first, second, from -> Integer.toString(from.threads()));
        warn(warnings, "JVM", first, second, Provenance::jvm);
        warn(warnings, "engines", first, second, from -> from.engines().toString());
        return warnings;
    }

    private static void warn(
            List<String> warnings,
            String what,
            Cell first,
            Cell second,
            Function<Provenance, String> value) {
        String one = first.provenance().map(value).orElse("");
        String other = second.provenance().map(value).orElse("");
        if (!one.equals(other)) {
            warnings.add(
                    "Different %s: %s, then %s. Each speedup is over plain decoding on its own machine; the difference may be the machines'."
                            .formatted(what, one, other));
        }
    }

    static OutriderException refused(String problem, String remedy) {
        return new OutriderException(ErrorCode.DATA_INVALID, problem, remedy);
    }
}
