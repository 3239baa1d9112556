package dev.outrider.experiment.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.outrider.common.Sha256;
import dev.outrider.experiment.results.Provenance;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// Checks whether two results can be compared: some settings must be equal, others cause a warning.
final class Comparability {
    private static final String TARGET = "target ";
    private static final String MACHINES =
            "Each speedup is over plain decoding on its own machine; the difference may be the machines'.";

    /// The facts about the machine, by name.
    private static final Map<String, Function<Provenance.Machine, String>> MACHINE =
            new LinkedHashMap<>();

    static {
        MACHINE.put("device", Provenance.Machine::device);
        MACHINE.put("threads", from -> Integer.toString(from.threads()));
        MACHINE.put("JVM", Provenance.Machine::jvm);
        MACHINE.put("engines", from -> from.engines().toString());
    }

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
        cell.provenance().ifPresent(from -> found.putAll(from.models()));
        found.keySet().removeIf(role -> !role.startsWith(TARGET));
        return found;
    }

    /// @throws OutriderException DATA_INVALID if a variant samples at another temperature
    static void requireSameTemperature(String label, VariantResult first, VariantResult second) {
        if (first.temperature() != second.temperature()) {
            throw refused(
                    "'%s' samples at temperature %s in the first results and %s in the second"
                            .formatted(label, first.temperature(), second.temperature()),
                    "Compare results of one temperature, or give variants of different temperatures different names.");
        }
    }

    /// Returns the differences of settings and machines that make a comparison doubtful, with the values of both.
    static List<String> warnings(Cell first, Cell second) {
        var warnings = new ArrayList<String>();
        provenance(warnings, first, second);
        settings(warnings, first, second);
        warn(
                warnings,
                "prompts",
                promptSet(first),
                promptSet(second),
                "Differences are over the prompts that both measured.");
        gap(warnings, "first", first);
        gap(warnings, "second", second);
        return warnings;
    }

    /// Warns of prompts that a run planned but did not measure; a run that continued until it was decided leaves out some by
    /// design.
    private static void gap(List<String> warnings, String which, Cell cell) {
        var report = cell.report();
        var coverage = report.coverage();
        if (report.interimAnalysis().isEmpty() && coverage.prompts() < coverage.plannedPrompts()) {
            warnings.add(
                    "Unfinished: the %s results (%s) have %d of %d prompts, %d failed%s. The difference is of the prompts that both have."
                            .formatted(
                                    which,
                                    cell.title(),
                                    coverage.prompts(),
                                    coverage.plannedPrompts(),
                                    report.failures().size(),
                                    coverage.interrupted() ? " and the run was interrupted" : ""));
        }
    }

    private static void provenance(List<String> warnings, Cell first, Cell second) {
        if (first.provenance().isEmpty() || second.provenance().isEmpty()) {
            warnings.add(
                    "Provenance is missing: it is unknown whether the two were measured alike.");
            return;
        }
        Provenance one = first.provenance().get();
        Provenance other = second.provenance().get();
        MACHINE.forEach((what, value) ->
                warn(
                        warnings,
                        what,
                        value.apply(one.machine()),
                        value.apply(other.machine()),
                        MACHINES));
        warn(
                warnings,
                "revision",
                one.git().shown(),
                other.git().shown(),
                "The difference may be the program's.");
        if (one.git().dirty() && one.git().equals(other.git())) {
            warnings.add(
                    "Both were measured with uncommitted changes on revision %s: it is unknown whether by the same program."
                            .formatted(one.git().revision()));
        }
        one.models()
                .forEach((role, digest) ->
                        warn(
                                warnings,
                                role,
                                digest,
                                other.models().getOrDefault(role, digest),
                                "The difference may be the models'."));
    }

    private static void settings(List<String> warnings, Cell first, Cell second) {
        var one = Settings.of(first);
        var other = Settings.of(second);
        if (one.isEmpty() || other.isEmpty()) {
            warnings.add(
                    "A config.yaml is missing: it is unknown whether the two were measured with the same settings.");
            return;
        }
        var keys = new TreeSet<>(one.get().values().keySet());
        keys.addAll(other.get().values().keySet());
        for (String key : keys) {
            warn(
                    warnings,
                    key,
                    one.get().value(key),
                    other.get().value(key),
                    "The two do not measure the same thing.");
        }
    }

    /// Returns the number of prompts and SHA-256 over the sorted digests of their tokens; the order of the prompts does not matter.
    private static String promptSet(Cell cell) {
        var digests = new TreeSet<String>();
        ResultReader.generations(cell.folder()).forEach(line -> digests.add(line.digest()));
        byte[] hash = Sha256.of(String.join("\n", digests)).bytes();
        return "%d with SHA-256 %s".formatted(digests.size(), HexFormat.of().formatHex(hash, 0, 8));
    }

    private static void warn(
            List<String> warnings, String what, String one, String other, String consequence) {
        if (!one.equals(other)) {
            warnings.add("Different %s: %s, then %s. %s".formatted(what, one, other, consequence));
        }
    }

    static OutriderException refused(String problem, String remedy) {
        return ErrorCode.DATA_INVALID.error(problem, remedy);
    }

    /// The settings of a comparison by their keys, from the `config.yaml` in its folder.
    ///
    /// Keys of a variant begin with its name, not its number. Names and places that may differ between equal runs are left out: the
    /// name, the question and every path. Prompts are compared by their tokens, models by their digests, and threads by the number
    /// that ran.
    ///
    /// @param values every setting
    record Settings(SortedMap<String, String> values) {
        private static final Set<String> NOT_COMPARED =
                Set.of("name", "question", "prompts", "threads", "sweep");

        /// Reads the settings of a cell; empty if an older version wrote it.
        ///
        /// @throws OutriderException DATA_INVALID
        static Optional<Settings> of(Cell cell) {
            Path file = cell.folder().resolve("config.yaml");
            if (!Files.exists(file)) {
                return Optional.empty();
            }
            try {
                var values = new TreeMap<String, String>();
                for (var top : new YAMLMapper().readTree(file.toFile()).properties()) {
                    if (top.getKey().equals("variants")) {
                        top.getValue().forEach(variant -> variant(variant, values));
                    } else if (!NOT_COMPARED.contains(top.getKey())) {
                        add(top.getKey(), top.getValue(), values);
                    }
                }
                return Optional.of(new Settings(values));
            } catch (IOException e) {
                throw ErrorCode.DATA_INVALID.error(
                        "'%s' cannot be read: %s".formatted(file, e.getMessage()),
                        "Run the comparison again.",
                        e);
            }
        }

        private static void variant(JsonNode variant, SortedMap<String, String> values) {
            String name = variant.path("name").asText();
            for (var entry : variant.properties()) {
                if (!entry.getKey().equals("name")) {
                    add("%s: %s".formatted(name, entry.getKey()), entry.getValue(), values);
                }
            }
        }

        private static void add(String key, JsonNode value, SortedMap<String, String> values) {
            if (value.isObject()) {
                value.properties()
                        .forEach(
                                entry -> add(key + "." + entry.getKey(), entry.getValue(), values));
            } else if (!key.endsWith("path") && !key.endsWith(".file")) {
                values.put(key, value.isValueNode() ? value.asText() : value.toString());
            }
        }

        /// The value of a key in words.
        String value(String key) {
            return Optional.ofNullable(values.get(key)).orElse("not set");
        }
    }
}
