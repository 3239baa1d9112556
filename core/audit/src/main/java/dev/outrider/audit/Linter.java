package dev.outrider.audit;

import dev.outrider.audit.Oracle.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Looks for faults of a measurement rather than of an engine.
final class Linter {
    private static final double UNLIKELY = Math.log(1e-6);

    private final Setting correct;
    private final Map<List<Object>, Double> texts = new HashMap<>();
    private final Set<String> repeated = new HashSet<>();
    private long again;
    private double least;
    private double log;

    Linter(Setting correct) {
        this.correct = correct;
    }

    void begin() {
        log = 0;
    }

    /// Takes a place of a sampled text.
    void take(Place place, double[] p) {
        log += Math.log(Math.max(p[place.token()], EProcess.LEAST));
    }

    /// Takes the whole answer.
    void end(Answer answer) {
        if (!correct.policy().greedy()
                && texts.put(List.of(answer.read(), answer.ids()), log) != null
                && log < UNLIKELY) {
            again++;
            least = Math.min(least, log);
            repeated.add(answer.prompt());
        }
    }

    /// What it found, in sentences.
    List<String> findings() {
        var findings = new ArrayList<String>();
        if (again > 0) {
            findings.add(
                    "%d answers equal an earlier one to the same prompt (%s), the least likely of them with probability 1e%.0f: the seed may not vary, or answers come from a cache."
                            .formatted(
                                    again,
                                    String.join(", ", repeated.stream().sorted().limit(3).toList()),
                                    least / Math.log(10)));
        }
        return findings;
    }
}
