package dev.outrider.audit;

import dev.outrider.audit.Audit.Settings;
import dev.outrider.audit.Hypotheses.Entry;
import dev.outrider.audit.Hypotheses.Measured;
import dev.outrider.audit.Oracle.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/// Looks for two faults that explain the answers better than one (docs/reference/algorithms.md C7): adds every fault to the best
/// single faults, then to either fault of the best pair. It explains a deviation that the test has shown; it is not a test itself.
final class Naming {
    /// The number of single faults that others are added to.
    private static final int BASES = 4;

    private static final int STEPS = 4;
    private static final int MIN_TEXTS = 12;

    /// Weight of all pairs together.
    private static final double PAIRS = .03;

    /// Nats that a fault of one step of a round loses in its weight.
    private static final double LESS = 2;

    /// An explanation this many nats behind the best is dropped.
    private static final double FAR = 25;

    /// Nats that refute a pair with few answers in its favour.
    private static final double REFUTED = -4;

    private static final double LEAD = 4;
    private static final double SAME = 1e-6;

    private final Oracle oracle;
    private final Setting correct;
    private final double gap;
    private final boolean pairs;
    private final Hypotheses faults;
    private final BooleanSupplier interrupted;
    private final List<Text> texts = new ArrayList<>();
    private final Map<Object, Candidate> all = new LinkedHashMap<>();
    private final Set<Object> grown = new HashSet<>();
    private int due = MIN_TEXTS;

    private record Text(int[] prompt, int[] ids) {}

    /// An explanation.
    ///
    /// @param names  of all faults, or pairs, that have its distribution
    /// @param weight its logarithm
    /// @param gains  logarithm of the likelihood ratio of each text
    record Candidate(
            Set<String> names, Entry entry, boolean single, double weight, List<Double> gains) {
        double log() {
            return gains.stream().mapToDouble(each -> each).sum();
        }

        double score() {
            return weight + log();
        }
    }

    /// @param table   single faults
    /// @param weights of them
    /// @param interrupted ends a search
    Naming(
            Oracle oracle,
            Setting correct,
            Hypotheses faults,
            Settings settings,
            List<Measured> table,
            double[] weights,
            BooleanSupplier interrupted) {
        this.oracle = oracle;
        this.correct = correct;
        this.gap = settings.gap();
        this.pairs = settings.pairs();
        this.faults = faults;
        this.interrupted = interrupted;
        for (int index = 0; index < table.size(); index++) {
            var each = table.get(index);
            var names = new LinkedHashSet<>(Set.of(each.name()));
            var entry = each.entry();
            double weight = Math.log(weights[index]);
            all.put(entry.key(), new Candidate(names, entry, true, weight, new ArrayList<>()));
        }
    }

    /// Takes a text.
    ///
    /// @param gains logarithms of the likelihood ratios of the table's faults
    void take(int[] prompt, int[] ids, double[] gains) {
        texts.add(new Text(prompt, ids));
        var singles = all.values().stream().filter(Candidate::single).iterator();
        for (int index = 0; singles.hasNext(); index++) {
            singles.next().gains().add(gains[index]);
        }
    }

    /// Returns whether more texts, up to a number, would not change the names; checked only now and then.
    boolean decided(int most) {
        if (texts.size() < due) {
            return false;
        }
        due = texts.size() * 3 / 2;
        search();
        return all.values().stream().noneMatch(each -> open(each, best(), most));
    }

    private Candidate best() {
        return Collections.max(all.values(), Comparator.comparingDouble(Candidate::score));
    }

    /// Returns whether this many texts could still make it the best: half of the mean square of the difference is the divergence
    /// (for small ones).
    private static boolean open(Candidate each, Candidate best, int most) {
        int count = best.gains().size();
        double squares = 0;
        double sum = 0;
        for (int text = 0; text < count; text++) {
            double off = each.gains().get(text) - best.gains().get(text);
            squares += off * off;
            sum += off;
        }
        double needed = 2 * count * (best.score() - each.score() + LEAD) / squares;
        return squares > SAME && sum > REFUTED && count + needed <= most;
    }

    /// Compares pairs with the texts.
    private void search() {
        long added = all.size();
        for (int step = 0; step < STEPS && added > 0 && !interrupted.getAsBoolean(); step++) {
            read();
            var singles =
                    all.values().stream()
                            .filter(Candidate::single)
                            .sorted(Comparator.comparingDouble(Candidate::score).reversed())
                            .limit(BASES)
                            .map(Candidate::entry);
            var bases = Stream.concat(singles, best().entry().parts().stream()).toList();
            added = bases.stream().filter(this::grow).count();
        }
        read();
        double least = all.isEmpty() ? 0 : best().score() - FAR;
        all.values().removeIf(each -> !each.single() && each.score() < least);
    }

    /// Adds every fault to one fault; returns false if that was done before.
    private boolean grow(Entry base) {
        if (!pairs || !grown.add(base.key())) {
            return false;
        }
        var twin = base.fault().exact() ? faults.twins().get(base.change().name()) : null;
        var bases = twin == null ? Stream.of(base) : Stream.of(base, base.drafts().of(twin));
        for (var each : bases.toList()) {
            for (var part : faults.parts()) {
                if (!part.equals(each.change())) {
                    double weight = Math.log(PAIRS) - rank(each.change()) - rank(part);
                    // Of two faults of one component only the later has an effect.
                    each.and(part)
                            .filter(pair ->
                                    pair.parts().stream()
                                            .noneMatch(one -> one.key().equals(pair.key())))
                            .forEach(pair -> add(pair, weight));
                }
            }
        }
        return true;
    }

    /// A simple fault has a larger weight.
    private double rank(Change<RoundFault> fault) {
        boolean simple = faults.parts().indexOf(fault) < faults.simple();
        return Math.log(faults.simple()) + (simple ? 0 : LESS);
    }

    private void add(Entry pair, double weight) {
        var known = all.get(pair.key());
        if (known == null) {
            var names = new LinkedHashSet<>(Set.of(pair.name()));
            all.put(pair.key(), new Candidate(names, pair, false, weight, new ArrayList<>()));
        } else if (!pair.fault().exact()) {
            known.names().add(pair.name());
        }
    }

    /// Reads the texts that candidates have not seen.
    private void read() {
        var behind = new LinkedHashMap<Integer, List<Candidate>>();
        all.values().stream()
                .filter(each -> each.gains().size() < texts.size())
                .forEach(each ->
                        behind.computeIfAbsent(each.gains().size(), _ -> new ArrayList<>())
                                .add(each));
        behind.forEach(this::read);
    }

    private void read(int from, List<Candidate> candidates) {
        var hypotheses = candidates.stream().map(each -> each.entry().hypothesis()).toList();
        var ones = DoubleStream.generate(() -> 1).limit(hypotheses.size()).toArray();
        for (var text : texts.subList(from, texts.size())) {
            if (interrupted.getAsBoolean()) {
                return;
            }
            var evidence = new EProcess(hypotheses, ones);
            evidence.begin(0);
            Consumer<Place> reader =
                    place ->
                            evidence.add(
                                    place, place.distribution(correct), !place.edge(correct, gap));
            oracle.read(text.prompt(), List.of(), text.ids(), reader);
            for (int index = 0; index < hypotheses.size(); index++) {
                candidates.get(index).gains().add(evidence.score(index));
            }
        }
    }

    /// Returns the candidates, with pairs, that explain the texts. Candidates that give the same likelihood to every text are one,
    /// under the name of the first.
    ///
    /// @param complete whether to search first, which takes a while
    Collection<Candidate> found(boolean complete) {
        if (complete) {
            search();
        }
        var found = new LinkedHashMap<Long, Candidate>();
        for (var each : all.values()) {
            if (each.gains().size() < texts.size()) {
                continue;
            }
            var same = found.putIfAbsent(Math.round(each.log() / SAME), each);
            if (same != null) {
                same.names().addAll(each.names());
            }
        }
        return found.values();
    }
}
