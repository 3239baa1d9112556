package dev.outrider.audit;

import dev.outrider.audit.Alternative.Hypothesis;
import dev.outrider.audit.Alternative.Made;
import dev.outrider.audit.RoundFault.Rounds;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/// The table of faults with names, for one configuration: which there are, and how far each is from plain decoding.
final class Hypotheses {
    /// Alternatives that differ by less along our own texts are one.
    private static final double SAME = 1e-7;

    private static final int MAX_NAMES = 3;

    private Hypotheses() {}

    /// A fault.
    ///
    /// @param single whether it is one fault, not two at once
    record Entry(Hypothesis hypothesis, boolean single) {}

    /// A fault that makes a difference.
    ///
    /// @param nats     mean divergence of a token's distribution from plain decoding's, along our own texts
    record Measured(String name, Hypothesis hypothesis, boolean single, double nats) {}

    /// A text of our own.
    record Written(Prompt prompt, int[] text) {}

    /// All faults of a table.
    ///
    /// @param others names of other weights, whose models follow the target
    /// @param draft  index of the draft model; 0 if there is none
    /// @param length longest draft
    /// @param pairs  whether two faults at once are faults too
    static List<Entry> of(
            Setting correct,
            List<String> others,
            int draft,
            int length,
            boolean pairs,
            int vocabulary) {
        var all = new ArrayList<Entry>();
        var changes = correct.changes();
        for (int index = 0; index < others.size(); index++) {
            int model = index + 1;
            changes.add(new Change<>("weights of " + others.get(index), each -> each.of(model)));
        }
        for (var change : changes) {
            all.add(new Entry(new Made(change.name(), change.apply(correct)), true));
        }
        if (pairs) {
            for (var pair : Change.pairs(changes, correct)) {
                all.add(new Entry(new Made(pair.name(), pair.apply(correct)), false));
            }
        }
        if (draft > 0) {
            new RoundEntries(all, length, vocabulary)
                    .add(correct, changes, drafts(correct, draft), pairs);
        }
        all.sort(Comparator.comparing(Entry::single).reversed());
        return all;
    }

    /// How a server may draw drafts.
    static Map<String, Setting> drafts(Setting correct, int draft) {
        var drafts = new LinkedHashMap<String, Setting>();
        drafts.put("", correct.of(draft));
        drafts.put(
                " (drafts without operators)",
                new Setting(
                                SamplingPolicy.atTemperature(correct.policy().temperature()),
                                Optional.empty())
                        .of(draft));
        drafts.put(
                " (greedy drafts)",
                new Setting(SamplingPolicy.argmax(), Optional.empty()).of(draft));
        return drafts;
    }

    /// Adds faults of rounds to a table.
    private record RoundEntries(List<Entry> all, int length, int vocabulary) {
        void add(
                Setting correct,
                List<Change<Setting>> changes,
                Map<String, Setting> drafts,
                boolean pairs) {
            for (var fault : RoundFault.all(changes)) {
                drafts.forEach(
                        (how, draft) -> add(fault.name() + how, fault, correct, draft, true));
            }
            if (!pairs) {
                return;
            }
            var simple = RoundFault.all(List.of());
            var draft = drafts.values().iterator().next();
            for (var pair : Change.pairs(simple, RoundFault.CORRECT)) {
                add(pair.name(), pair, correct, draft, false);
            }
            for (var change : changes) {
                for (var fault : simple) {
                    var name = change.name() + " + " + fault.name();
                    add(name, fault, change.apply(correct), draft, false);
                }
            }
        }

        private void add(
                String name,
                Change<RoundFault> fault,
                Setting target,
                Setting draft,
                boolean single) {
            var changed = fault.apply(RoundFault.CORRECT);
            var rounds = new Rounds(name, changed, target, draft, length, vocabulary);
            all.add(new Entry(rounds, single));
        }
    }

    /// Those that make a difference, measured along texts of our own; those that make the same one share an entry.
    static List<Measured> measured(
            List<Entry> entries, Oracle oracle, Setting correct, List<Written> texts) {
        var weights = new SplittableRandom(1).doubles(oracle.vocabulary()).toArray();
        var marks = new double[entries.size()][2];
        var nats = new double[entries.size()];
        var places = new int[1];
        for (int number = 0; number < texts.size(); number++) {
            var text = texts.get(number);
            int prompt = number;
            entries.forEach(each -> each.hypothesis().begin(prompt));
            oracle.read(
                    text.prompt().array(),
                    text.prompt().source(),
                    text.text(),
                    place -> {
                        double[] p = place.distribution(correct);
                        for (int index = 0; index < marks.length; index++) {
                            var hypothesis = entries.get(index).hypothesis();
                            double[] q = hypothesis.predict(place);
                            for (int token = 0; token < q.length; token++) {
                                double off = q[token] - p[token];
                                if (off != 0) {
                                    marks[index][0] += weights[token] * off;
                                    marks[index][1] += Math.abs(off);
                                    nats[index] += divergence(q[token], p[token]);
                                }
                            }
                            hypothesis.observe(place, p);
                        }
                        places[0]++;
                    });
        }
        var groups = new LinkedHashMap<List<Long>, List<Integer>>();
        for (int index = 0; index < marks.length; index++) {
            if (marks[index][1] > SAME * places[0]) {
                var key =
                        Arrays.stream(marks[index])
                                .mapToObj(each -> Math.round(each / places[0] / SAME))
                                .toList();
                groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(index);
            }
        }
        var measured = new ArrayList<Measured>();
        for (var group : groups.values()) {
            var first = entries.get(group.getFirst());
            boolean single = group.stream().anyMatch(index -> entries.get(index).single());
            var names =
                    group.stream()
                            .map(entries::get)
                            .filter(each -> each.single() == single)
                            .map(each -> each.hypothesis().name())
                            .toList();
            var name =
                    String.join(" = ", names.subList(0, Math.min(MAX_NAMES, names.size())))
                            + (names.size() > MAX_NAMES ? " = ..." : "");
            double mean = Math.max(0, nats[group.getFirst()] / places[0]);
            measured.add(new Measured(name, first.hypothesis(), single, mean));
        }
        return measured;
    }

    private static double divergence(double q, double p) {
        double mixed = (1 - EProcess.SHARE) * q + EProcess.SHARE * p;
        return q > 0 ? q * Math.log(mixed / Math.max(p, EProcess.LEAST)) : 0;
    }
}
