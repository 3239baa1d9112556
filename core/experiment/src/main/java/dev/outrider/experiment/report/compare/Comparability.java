package dev.outrider.experiment.report.compare;

import dev.outrider.experiment.report.Provenance;
import dev.outrider.experiment.report.read.Cell;
import dev.outrider.experiment.report.read.ResultReader;
import dev.outrider.experiment.report.read.Results;
import dev.outrider.experiment.stats.SideResult;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// What must be alike in two results for a difference to mean something, and what had better be.
final class Comparability {
    private static final String TARGET = "target ";
    private static final String MACHINES =
            "Each speedup is over plain decoding on its own machine; the difference may be the machines'.";

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
    static void requireSameTemperature(String label, SideResult first, SideResult second) {
        if (first.temperature() != second.temperature()) {
            throw refused(
                    "'%s' samples at temperature %s in the first results and %s in the second"
                            .formatted(label, first.temperature(), second.temperature()),
                    "Compare results of one temperature, or give variants of different temperatures different names.");
        }
    }

    /// What a reader must know before believing a difference, with the values of both.
    static List<String> warnings(Cell first, Cell second) {
        var warnings = new ArrayList<String>();
        provenance(warnings, first, second);
        settings(warnings, first, second);
        prompts(warnings, first, second);
        gap(warnings, "first", first);
        gap(warnings, "second", second);
        return warnings;
    }

    /// Prompts that a run was to measure and has not; one that went on until it was decided leaves some by design.
    private static void gap(List<String> warnings, String which, Cell cell) {
        var report = cell.report();
        if (report.looks().isEmpty() && report.prompts() < report.plannedPrompts()) {
            warnings.add(
                    "Unfinished: the %s results (%s) have %d of %d prompts, %d failed%s. The difference is of the prompts that both have."
                            .formatted(
                                    which,
                                    cell.title(),
                                    report.prompts(),
                                    report.plannedPrompts(),
                                    report.failures().size(),
                                    report.interrupted() ? " and the run was interrupted" : ""));
        }
    }

    private static void provenance(List<String> warnings, Cell first, Cell second) {
        if (first.provenance().isEmpty() || second.provenance().isEmpty()) {
            warnings.add(
                    "Provenance is missing: nobody knows whether the two were measured alike.");
            return;
        }
        Provenance one = first.provenance().get();
        Provenance other = second.provenance().get();
        warn(warnings, "device", one.device(), other.device(), MACHINES);
        warn(
                warnings,
                "threads",
                Integer.toString(one.threads()),
                Integer.toString(other.threads()),
                MACHINES);
        warn(warnings, "JVM", one.jvm(), other.jvm(), MACHINES);
        warn(warnings, "engines", one.engines().toString(), other.engines().toString(), MACHINES);
        warn(
                warnings,
                "revision",
                revision(one),
                revision(other),
                "The difference may be the program's.");
        if (one.gitDirty() && other.gitDirty() && one.gitRevision().equals(other.gitRevision())) {
            warnings.add(
                    "Both were measured with uncommitted changes on revision %s: nobody knows whether by the same program."
                            .formatted(one.gitRevision()));
        }
        one.models()
                .forEach((role, digest) ->
                        Optional.ofNullable(other.models().get(role))
                                .ifPresent(model ->
                                        warn(
                                                warnings,
                                                role,
                                                digest,
                                                model,
                                                "The difference may be the models'.")));
    }

    private static String revision(Provenance from) {
        return from.gitRevision() + (from.gitDirty() ? " with uncommitted changes" : "");
    }

    private static void settings(List<String> warnings, Cell first, Cell second) {
        Optional<Settings> one = Settings.of(first);
        Optional<Settings> other = Settings.of(second);
        if (one.isEmpty() || other.isEmpty()) {
            warnings.add(
                    "A config.yaml is missing: nobody knows whether the two were measured with the same settings.");
            return;
        }
        for (String key : one.get().differences(other.get())) {
            warn(
                    warnings,
                    key,
                    one.get().value(key),
                    other.get().value(key),
                    "The two do not measure the same thing.");
        }
    }

    private static void prompts(List<String> warnings, Cell first, Cell second) {
        String one = promptSet(first);
        String other = promptSet(second);
        warn(
                warnings,
                "prompts",
                one,
                other,
                "Differences are over the prompts that both measured.");
    }

    /// How many, and SHA-256 over the digests of their tokens: the same prompts in another order are the same.
    private static String promptSet(Cell cell) {
        var digests = new TreeSet<String>();
        ResultReader.generations(cell).forEach(line -> digests.add(line.digest()));
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(String.join("\n", digests).getBytes(StandardCharsets.UTF_8));
            return "%d with SHA-256 %s"
                    .formatted(digests.size(), HexFormat.of().formatHex(hash, 0, 8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void warn(
            List<String> warnings, String what, String one, String other, String consequence) {
        if (!one.equals(other)) {
            warnings.add("Different %s: %s, then %s. %s".formatted(what, one, other, consequence));
        }
    }

    static OutriderException refused(String problem, String remedy) {
        return new OutriderException(ErrorCode.DATA_INVALID, problem, remedy);
    }
}
