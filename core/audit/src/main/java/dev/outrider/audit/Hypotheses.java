package dev.outrider.audit;

import dev.outrider.audit.Alternative.Hypothesis;
import dev.outrider.audit.Alternative.Made;
import dev.outrider.audit.Audit.Settings;
import dev.outrider.audit.RoundFault.Rounds;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// The named faults for one configuration, and the divergence of each from plain decoding.
///
/// @param singles the table
/// @param parts   the possible second faults, the simplest first
/// @param twins   by name of a fault of all distributions: the same fault of the target alone
/// @param simple  number of parts that concern more than one step of a round
record Hypotheses(
        List<Entry> singles,
        List<Change<RoundFault>> parts,
        Map<String, Change<RoundFault>> twins,
        int simple) {
    /// Alternatives that differ by less along our own texts count as one.
    private static final double SAME = 1e-7;

    private static final int MAX_NAMES = 3;

    /// The ways in which a server may draw drafts.
    ///
    /// @param name    suffix of the names of faults of rounds
    /// @param correct without faults
    /// @param length  of drafts
    /// @param last    place of the last token of a text that is cut
    record Drafts(String name, RoundFault correct, int length, int last, int vocabulary) {
        Entry of(Change<RoundFault> change, Entry... parts) {
            var fault = change.apply(correct);
            var shown = change.name() + (fault.exact() ? "" : name);
            var hypothesis =
                    fault.exact()
                            ? new Made(shown, fault.target())
                            : new Rounds(shown, fault, length, last, vocabulary);
            return new Entry(change, this, fault, hypothesis, List.of(parts));
        }
    }

    /// A fault, or two at once.
    ///
    /// @param parts the two; empty if it is one
    record Entry(
            Change<RoundFault> change,
            Drafts drafts,
            RoundFault fault,
            Hypothesis hypothesis,
            List<Entry> parts) {
        String name() {
            return hypothesis.name();
        }

        /// Returns a key that is equal for faults with the same distribution.
        Object key() {
            return fault.exact() ? fault.target() : fault;
        }

        /// Returns this fault followed by another, and the other order if that is another fault.
        Stream<Entry> and(Change<RoundFault> second) {
            var other = drafts.of(second);
            var both = drafts.of(change.and(second), this, other);
            var turned = drafts.of(second.and(change), this, other);
            return both.fault().equals(turned.fault()) ? Stream.of(both) : Stream.of(both, turned);
        }
    }

    /// A fault that makes a difference.
    ///
    /// @param nats mean divergence of a token's distribution from plain decoding's, along our own texts
    record Measured(String name, Entry entry, double nats) {}

    /// A text of our own.
    record Written(Prompt prompt, int[] text) {}

    /// All faults.
    ///
    /// @param others names of other weights, whose models follow the target
    /// @param draft  index of the draft model; 0 if there is none
    static Hypotheses of(
            Setting correct, List<String> others, int draft, Settings settings, int vocabulary) {
        var changes = correct.changes();
        for (int index = 0; index < others.size(); index++) {
            int model = index + 1;
            changes.add(new Change<>("weights of " + others.get(index), each -> each.of(model)));
        }
        int length = settings.length();
        int last = settings.most() - 1;
        var drafts = new ArrayList<Drafts>();
        drafts(correct, draft)
                .forEach((name, setting) -> {
                    var right = RoundFault.correct(correct, setting);
                    drafts.add(new Drafts(name, right, length, last, vocabulary));
                });
        var first = drafts.getFirst();
        var wrong = changes.stream().map(RoundFault::everywhere).toList();
        var singles = new ArrayList<>(wrong.stream().map(first::of).toList());
        correct.values().forEach(each -> singles.add(first.of(RoundFault.everywhere(each))));
        var parts = new ArrayList<>(wrong);
        var twins = new LinkedHashMap<String, Change<RoundFault>>();
        int sided = 0;
        if (draft > 0) {
            var rounds = RoundFault.all(changes);
            int simple = RoundFault.all(List.of()).size();
            sided = rounds.size() - simple;
            for (var each : drafts) {
                rounds.forEach(fault -> singles.add(each.of(fault)));
            }
            changes.forEach(each -> twins.put(each.name(), RoundFault.onTarget(each)));
            parts.addAll(0, rounds.subList(0, simple));
            parts.addAll(twins.values());
            parts.addAll(rounds.subList(simple, rounds.size()));
        }
        return new Hypotheses(singles, parts, twins, parts.size() - sided);
    }

    /// Returns the ways in which a server may draw drafts.
    static Map<String, Setting> drafts(Setting correct, int draft) {
        var drafts = new LinkedHashMap<String, Setting>();
        drafts.put("", correct.of(draft));
        var warm = SamplingPolicy.atTemperature(correct.policy().temperature());
        var bare = new Setting(warm, Optional.empty());
        drafts.put(" (drafts without operators)", bare.of(draft));
        drafts.put(" (greedy drafts)", bare.with(SamplingPolicy.argmax()).of(draft));
        return drafts;
    }

    /// Single faults that make a difference, measured along texts of our own; faults with the same difference share an entry.
    List<Measured> measured(Oracle oracle, Setting correct, List<Written> texts) {
        var weights = new SplittableRandom(1).doubles(oracle.vocabulary()).toArray();
        var marks = new double[singles.size()][2];
        var nats = new double[singles.size()];
        var places = new int[1];
        for (int number = 0; number < texts.size(); number++) {
            var text = texts.get(number);
            int prompt = number;
            singles.forEach(each -> each.hypothesis().begin(prompt));
            oracle.read(
                    text.prompt().array(),
                    text.prompt().source(),
                    text.text(),
                    place -> {
                        double[] p = place.distribution(correct);
                        for (int index = 0; index < marks.length; index++) {
                            var hypothesis = singles.get(index).hypothesis();
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
        return groups.values().stream()
                .map(group -> {
                    int first = group.getFirst();
                    var names = group.stream().map(index -> singles.get(index).name()).toList();
                    return new Measured(
                            names(names), singles.get(first), Math.max(0, nats[first] / places[0]));
                })
                .toList();
    }

    /// Joins the names of faults with the same difference.
    static String names(List<String> names) {
        return String.join(" = ", names.subList(0, Math.min(MAX_NAMES, names.size())))
                + (names.size() > MAX_NAMES ? " = ..." : "");
    }

    private static double divergence(double q, double p) {
        double mixed = (1 - EProcess.SHARE) * q + EProcess.SHARE * p;
        return q > 0 ? q * Math.log(mixed / Math.max(p, EProcess.LEAST)) : 0;
    }
}
