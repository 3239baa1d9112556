package dev.outrider.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.audit.Oracle.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Looks for faults of a measurement rather than of an engine.
final class Linter {
    private static final double UNLIKELY = Math.log(1e-6);

    /// A first request that waits so many times as long as the others has a launch in it.
    private static final double LAUNCH = 5;

    private static final int LEAST_WAITS = 4;
    private static final int MAX_NAMES = 3;

    private final Setting correct;
    private final Optional<Setting> draft;
    private final Map<List<Object>, Double> texts = new HashMap<>();
    private final Map<List<Integer>, String> prompts = new HashMap<>();
    private final Set<String> repeated = new TreeSet<>();
    private final Set<String> alike = new TreeSet<>();
    private final Set<String> seeds = new HashSet<>();
    private final List<Double> waits = new ArrayList<>();
    private long lines;
    private long seeded;
    private long again;
    private long tokens;
    private double accepted;
    private double possible;
    private double least;
    private double log;

    /// @param draft whose guesses a server may accept, where it is known
    Linter(Setting correct, Optional<Setting> draft) {
        this.correct = correct;
        this.draft = draft;
    }

    /// Takes a place of a sampled text.
    void take(Place place, double[] p) {
        log += Math.log(Math.max(p[place.token()], EProcess.LEAST));
        tokens++;
        double[] q = draft.map(place::distribution).orElse(p);
        for (int token = 0; token < p.length; token++) {
            possible += Math.min(p[token], q[token]);
        }
    }

    /// Takes the whole answer.
    void end(Answer answer) {
        var known = prompts.putIfAbsent(answer.read(), answer.prompt());
        if (known != null && (lines > 0 || !known.equals(answer.prompt()))) {
            alike.add(answer.prompt());
        }
        if (!correct.policy().greedy()
                && texts.put(List.of(answer.read(), answer.ids()), log) != null
                && log < UNLIKELY) {
            again++;
            least = Math.min(least, log);
            repeated.add(answer.prompt());
        }
        log = 0;
    }

    /// Takes what a line of a file says of its measurement; before its answers.
    void trace(JsonNode line) {
        lines++;
        seeded += line.has("seed") ? 1 : 0;
        seeds.add(line.path("seed").asText());
        for (var key : List.of("ttfts", "ttft", "latency")) {
            var times = line.path(key);
            (times.isArray() ? times : List.of(times))
                    .forEach(each -> waits.add(each.asDouble(-1)));
        }
        waits.removeIf(each -> each < 0);
        accepted += line.path("accepted").asDouble();
    }

    /// What it found, in sentences.
    List<String> findings() {
        var findings = new ArrayList<String>();
        if (again > 0) {
            findings.add(
                    "%d answers equal an earlier one to the same prompt (%s), the least likely of them with probability 1e%.0f: the seed may not vary, or answers come from a cache."
                            .formatted(again, few(repeated), least / Math.log(10)));
        }
        if (!alike.isEmpty()) {
            findings.add("prompts repeat (%s): a cache may answer.".formatted(few(alike)));
        }
        if (seeded > 1 && seeds.size() == 1 && !correct.policy().greedy()) {
            findings.add("all %d requests have the seed %s.".formatted(seeded, few(seeds)));
        }
        double usual =
                waits.stream().skip(1).sorted().skip(waits.size() / 2).findFirst().orElse(0.0);
        if (waits.size() >= LEAST_WAITS && waits.getFirst() > LAUNCH * usual) {
            findings.add(
                    "the first request took %.3g and the median of the others %.3g: it waits for a launch."
                            .formatted(waits.getFirst(), usual));
        }
        double most = possible + Math.sqrt(-UNLIKELY * tokens / 2);
        if (tokens > 0 && accepted > most) {
            findings.add(
                    "%.0f guesses were accepted, but p and q allow no more than %.0f of %d tokens."
                            .formatted(accepted, most, tokens));
        }
        return findings;
    }

    private static String few(Set<String> names) {
        return String.join(", ", names.stream().limit(MAX_NAMES).toList());
    }
}
