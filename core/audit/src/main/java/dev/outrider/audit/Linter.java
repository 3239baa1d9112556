package dev.outrider.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.audit.Oracle.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// Looks for faults of a measurement, not of an engine.
final class Linter {
    private static final double UNLIKELY = Math.log(1e-6);

    /// If the first request waits this many times as long as the others, it contains the server's start.
    private static final double LAUNCH = 5;

    private static final int MIN_WAITS = 4;
    private static final int MAX_NAMES = 3;

    private final Setting correct;
    private final List<Setting> drafts;
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

    /// @param drafts ways in which a server may draw guesses, if its draft model is known
    Linter(Setting correct, List<Setting> drafts) {
        this.correct = correct;
        this.drafts = List.copyOf(drafts);
    }

    /// Takes a place of a sampled text.
    void take(Place place, double[] p) {
        double own = p[place.token()];
        log += own > 0 ? Math.log(own) : 0;
        tokens++;
        possible +=
                drafts.stream()
                        .map(place::distribution)
                        .mapToDouble(q -> overlap(p, q))
                        .max()
                        .orElse(1);
    }

    /// Returns the greatest probability that a guess is accepted.
    private static double overlap(double[] p, double[] q) {
        return IntStream.range(0, p.length).mapToDouble(each -> Math.min(p[each], q[each])).sum();
    }

    /// Takes the whole answer.
    void end(Answer answer) {
        var known = prompts.putIfAbsent(answer.read(), answer.prompt());
        if (known != null && (lines > 0 || !known.equals(answer.prompt()))) {
            alike.add(answer.prompt());
        }
        if (!correct.policy().greedy()
                && texts.put(List.of(answer.read(), answer.ids()), log) != null
                && log < UNLIKELY - 2 * Math.log(texts.size())) {
            again++;
            least = Math.min(least, log);
            repeated.add(answer.prompt());
        }
        log = 0;
    }

    /// Reads the fields of a file's line about its measurement; called before its answers are taken.
    void trace(JsonNode line) {
        lines++;
        seeded += line.has("seed") ? 1 : 0;
        seeds.add(line.path("seed").asText());
        for (var key : List.of("ttfts", "ttft")) {
            var times = line.path(key);
            (times.isArray() ? times : List.of(times))
                    .forEach(each -> {
                        if (each.asDouble() > 0) {
                            waits.add(each.asDouble());
                        }
                    });
        }
        accepted += line.path("accepted").asDouble();
    }

    /// Returns the findings, in sentences.
    ///
    /// @param complete whether all answers were taken whose lines were read
    List<String> findings(boolean complete) {
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
                waits.stream()
                        .skip(1)
                        .sorted()
                        .skip((waits.size() - 1) / 2)
                        .findFirst()
                        .orElse(0.0);
        if (waits.size() >= MIN_WAITS && waits.getFirst() > LAUNCH * usual) {
            findings.add(
                    "the first request took %.3g and the median of the others %.3g: it may hold a launch."
                            .formatted(waits.getFirst(), usual));
        }
        double most = possible + Math.sqrt(-UNLIKELY * tokens / 2);
        if (complete && tokens > 0 && accepted > most) {
            findings.add(
                    "%.0f guesses were accepted, but p and q allow no more than %.0f of %d tokens with one guess at a place."
                            .formatted(accepted, most, tokens));
        }
        return findings;
    }

    private static String few(Set<String> names) {
        return String.join(", ", names.stream().limit(MAX_NAMES).toList());
    }
}
