package dev.outrider.audit;

import static dev.outrider.audit.PlantedTables.EVERYTHING;
import static dev.outrider.audit.PlantedTables.audit;
import static dev.outrider.audit.PlantedTables.namedFirst;
import static dev.outrider.audit.PlantedTables.wanted;

import dev.outrider.audit.Audit.Verdict;
import dev.outrider.audit.PlantedAudits.Found;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Prints the figures of docs/results/exactness.md: `singles RUNS FAULT...`, `pairs FROM TO` or `correct FROM TO`.
final class AuditFigures {
    private static final double LEVEL = 1e-6;
    private static final int REQUESTS = Integer.getInteger("requests", 1500);

    private AuditFigures() {}

    public static void main(String... args) {
        if (args[0].equals("singles")) {
            for (var name : List.of(args).subList(2, args.length)) {
                var fault = Fault.valueOf(name);
                row(
                        Set.of(fault),
                        Integer.parseInt(args[1]),
                        seed -> audit(Set.of(fault), wanted(fault), LEVEL, REQUESTS, seed));
            }
        } else if (args[0].equals("correct")) {
            correct(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        } else {
            var pairs = pairs().subList(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            for (var pair : pairs) {
                int seed = 1000;
                row(pair, 1, _ -> audit(pair, EVERYTHING, LEVEL, REQUESTS, seed));
            }
        }
    }

    private static void correct(int from, int to) {
        var samplers = List.copyOf(CorrectSpeculation.samplers().entrySet());
        for (int number = from; number < to; number++) {
            var table = PlantedTables.table(number, false);
            var draft = PlantedTables.table(number, true);
            var drafters =
                    List.copyOf(
                            CorrectSpeculation.drafters(draft, PlantedTables.VOCABULARY)
                                    .entrySet());
            var sampler = samplers.get(number % samplers.size());
            var drafter = drafters.get(number / samplers.size() % drafters.size());
            var found =
                    CorrectSpeculation.audit(
                            table,
                            draft,
                            PlantedTables.VOCABULARY,
                            drafter.getValue(),
                            sampler.getValue(),
                            number);
            System.out.printf(
                    "%d %s, %s: %s %.1f, %d impossible%n",
                    number,
                    drafter.getKey(),
                    sampler.getKey(),
                    found.verdict(),
                    found.evidence().log(),
                    found.evidence().impossible());
        }
    }

    private static List<Set<Fault>> pairs() {
        var pairs = new ArrayList<Set<Fault>>();
        for (var first : Fault.values()) {
            Stream.of(Fault.values())
                    .filter(each -> each.ordinal() > first.ordinal())
                    .forEach(each -> pairs.add(EnumSet.of(first, each)));
        }
        // A server has one precision.
        pairs.removeIf(each -> EnumSet.range(Fault.BF16, Fault.INT4).containsAll(each));
        Collections.shuffle(pairs, new Random(5));
        return pairs;
    }

    private static void row(Set<Fault> faults, int runs, IntFunction<Found> audit) {
        long begin = System.nanoTime();
        var found = IntStream.range(0, runs).mapToObj(audit).toList();
        var tokens =
                found.stream()
                        .filter(each -> each.outcome().verdict() == Verdict.DIFFERENT)
                        .map(each -> each.outcome().evidence().decidedAt())
                        .sorted()
                        .toList();
        var asked = found.stream().map(Found::requests).sorted().toList();
        System.out.printf(
                "%s: detected %d/%d named first %d tokens %s asked %d, %.1f s: %s%n",
                faults,
                tokens.size(),
                runs,
                found.stream().filter(each -> namedFirst(faults, each)).count(),
                tokens.isEmpty() ? "-" : tokens.get(tokens.size() / 2),
                asked.get(runs / 2),
                (System.nanoTime() - begin) / 1e9 / runs,
                found.stream()
                        .filter(each -> runs == 1 || !namedFirst(faults, each))
                        .map(each ->
                                each.outcome().explanations().stream()
                                        .limit(3)
                                        .map(one ->
                                                "%s %.2f %.1f"
                                                        .formatted(
                                                                one.name(), one.share(), one.log()))
                                        .toList())
                        .toList());
    }
}
