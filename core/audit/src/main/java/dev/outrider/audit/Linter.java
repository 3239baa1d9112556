package dev.outrider.audit;

import dev.outrider.audit.Oracle.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Looks for faults of a measurement rather than of an engine.
final class Linter {
    private static final double UNLIKELY = Math.log(1e-6);

    private final Setting correct;
    private final List<Setting> drafts;
    private final double[] overlaps;
    private final Map<List<Object>, Double> texts = new HashMap<>();
    private final Set<String> repeated = new HashSet<>();
    private long places;
    private long again;
    private double least;
    private double log;
    private long drafted;
    private long accepted;

    /// @param drafts ways in which a server may draw drafts
    Linter(Setting correct, List<Setting> drafts) {
        this.correct = correct;
        this.drafts = drafts;
        this.overlaps = new double[drafts.size()];
    }

    void begin() {
        log = 0;
    }

    /// Takes a place of a sampled text.
    void take(Place place, double[] p) {
        log += Math.log(Math.max(p[place.token()], EProcess.LEAST));
        places++;
        for (int index = 0; index < overlaps.length; index++) {
            double[] q = place.distribution(drafts.get(index));
            for (int token = 0; token < p.length; token++) {
                overlaps[index] += Math.min(p[token], q[token]);
            }
        }
    }

    /// Takes the whole answer.
    void end(Answer answer) {
        drafted += answer.drafted();
        accepted += answer.accepted();
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
        double most = places == 0 ? 1 : Arrays.stream(overlaps).max().orElse(places) / places;
        double room = drafted == 0 ? 1 : Math.sqrt(-UNLIKELY / (2.0 * drafted));
        if (drafted > 0 && (double) accepted / drafted > most + room) {
            findings.add(
                    "The server says that %.3f of its guesses were accepted; target and draft allow %.3f (1 - TV)."
                            .formatted((double) accepted / drafted, most));
        }
        return findings;
    }
}
