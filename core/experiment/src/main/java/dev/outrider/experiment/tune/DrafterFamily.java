package dev.outrider.experiment.tune;

import dev.outrider.experiment.config.VariantConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The ways to draft with one drafter.
///
/// @param name    of the drafter
/// @param keys    YAML of its kind and its path, without braces
/// @param lengths lengths of its chains, the shortest first; empty if the length cannot be chosen
/// @param trees   widths of its trees
public record DrafterFamily(
        String name, String keys, List<Integer> lengths, List<List<Integer>> trees) {
    /// Lengths of chains that are tried.
    public static final List<Integer> LENGTHS = List.of(1, 2, 3, 5, 8);

    /// Trees that are tried. The first one has seven rows.
    public static final List<List<Integer>> TREES = List.of(List.of(2, 1, 1), List.of(3, 1, 1, 1));

    private static final String EXPECTED_GAIN = "%s, expected gain";

    /// The most characters of a drafter's name, to which every candidate adds some.
    public static final int LONGEST_NAME =
            VariantConfig.LONGEST_NAME - EXPECTED_GAIN.formatted("").length();

    /// The index of a chain of 3: a pass of four rows is one tile of the vector code without AVX-512.
    private static final int SHORT = 2;

    /// Returns the drafter with its own default drafts.
    public Candidate alone() {
        return Candidate.single(name, "{%s}".formatted(keys));
    }

    /// Returns a chain.
    public Candidate chain(int length) {
        return new Candidate(
                "%s, chain of %d".formatted(name, length),
                "{%s, length: %d}".formatted(keys, length),
                "",
                name,
                length);
    }

    /// Returns a tree of the most probable guesses.
    public Candidate tree(List<Integer> widths) {
        var spelled = widths.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return new Candidate(
                "%s, tree %s".formatted(name, spelled.replace(", ", "-")),
                "{%s, tree: {widths: [%s]}}".formatted(keys, spelled),
                "",
                name,
                0);
    }

    /// Returns chains whose length is chosen in each round.
    Candidate expectedGain() {
        int most = lengths.getLast();
        return new Candidate(
                EXPECTED_GAIN.formatted(name),
                "{%s, length: %d}".formatted(keys, most),
                "{use: expected-gain, initial: %d, max: %d}".formatted(Math.min(4, most), most),
                name,
                0);
    }

    /// Returns the candidates that are measured first: the longest chain, whose rounds contain those of every shorter chain, and a
    /// short one, which shows the cost of a draft step.
    List<Candidate> first() {
        var chains = chains();
        int shorter = Math.clamp(chains.size() - 2, 0, SHORT);
        return Stream.of(chains.get(shorter), chains.getLast()).distinct().toList();
    }

    /// Returns the chains of all lengths; the drafter alone if its length cannot be chosen.
    List<Candidate> chains() {
        return lengths.isEmpty() ? List.of(alone()) : lengths.stream().map(this::chain).toList();
    }

    /// Returns every candidate of it.
    List<Candidate> all() {
        var all = new ArrayList<>(chains());
        if (!lengths.isEmpty()) {
            trees.forEach(widths -> all.add(tree(widths)));
            all.add(expectedGain());
        }
        return all;
    }
}
