package dev.outrider.experiment.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A draft and a rule that a recording can answer. Each formula of [SurvivalAlongText] is that of certain published rules, which
/// are named here; for every other rule the laboratory says that a run is needed.
///
/// @param draft    name of the draft
/// @param rules    names of the acceptance rules that accept the same part of these drafts; tables show the first name
/// @param kept     the accepted part of a draft
/// @param widths   children of a node at each level; their number is the greatest depth
/// @param recorded whether the nodes are the recorded ones, for all widths
record Scenario(
        String draft, List<String> rules, Kept kept, List<Integer> widths, boolean recorded) {
    /// The greatest length up to which all lengths are shown by default.
    private static final int DEEPEST_SHOWN = 16;

    /// Every lossless rule, if all of them accept the same part.
    private static final String ANY = "any";

    /// The part of a draft that is kept, by a formula of [SurvivalAlongText].
    enum Kept {
        /// Token-level rejection of a chain that was drawn.
        TOKEN,
        /// Block verification of a chain that was drawn.
        BLOCK,
        /// The guesses that equal the target's draw.
        MATCH,
        /// The same with the most probable guesses.
        RANKED,
        /// The same with the recorded guesses, which were ranked or looked up.
        RECORDED,
        /// The most that any rule could keep of a tree of independent draws.
        BOUND,
        /// Everything, as if every guess were right.
        ALL
    }

    /// A chain, drawn as it was recorded. Rules for trees are rules for chains too.
    static Scenario chain(Kept kept, int length) {
        var rules =
                switch (kept) {
                    case TOKEN -> List.of("token", "multi-step", "k-seq", "without-replacement");
                    case BLOCK -> List.of("block", "traversal");
                    default -> List.of("sample-and-match");
                };
        return new Scenario("drawn chain", rules, kept, ones(length), false);
    }

    /// The most probable guesses, so many at each node of a level.
    static Scenario ranked(List<Integer> widths) {
        String draft =
                widths.stream().allMatch(width -> width == 1)
                        ? "most probable chain"
                        : "most probable tree " + spelled(widths);
        return new Scenario(draft, List.of("sample-and-match"), Kept.RANKED, widths, false);
    }

    /// The recorded guesses, ranked or looked up, down to a depth. At temperature 0 all lossless rules are equal; on guesses that were not
    /// drawn, all rules that accept such guesses are equal.
    static Scenario recorded(int length, boolean chain, boolean greedy) {
        var rules =
                greedy
                        ? List.of("greedy", ANY)
                        : List.of(
                                chain ? "any lossless" : "sample-and-match",
                                "token",
                                "block",
                                "sample-and-match",
                                "gumbel-coupled");
        return new Scenario(
                chain ? "recorded chain" : "recorded tree",
                rules,
                Kept.RECORDED,
                ones(length),
                true);
    }

    /// The most that any rule could keep of a tree of independent draws.
    static Scenario bound(List<Integer> widths) {
        return new Scenario(
                "drawn tree " + spelled(widths),
                List.of("no rule keeps more"),
                Kept.BOUND,
                widths,
                false);
    }

    /// Drafts of another engine, judged by its own rule.
    static Scenario foreign(String draft, List<Integer> widths) {
        return new Scenario(draft, List.of("its own"), Kept.MATCH, widths, false);
    }

    /// The same drafts if every guess were right.
    Scenario right() {
        return new Scenario(draft, List.of("every guess right"), Kept.ALL, widths, recorded);
    }

    /// The name of the acceptance rule.
    String rule() {
        return rules.getFirst();
    }

    /// The greatest depth.
    int length() {
        return widths.size();
    }

    /// Returns whether this is a bound that no known rule reaches.
    boolean bound() {
        return kept == Kept.BOUND || kept == Kept.ALL;
    }

    /// Returns whether a rule of some name accepts the same part of these drafts.
    boolean under(String name) {
        return rules.contains(name) || rules.contains(ANY);
    }

    /// Returns `S_l` at a position.
    double[] kept(Recording.RecordedDraft draft) {
        int depth = depth(draft);
        return switch (kept) {
            case TOKEN -> SurvivalAlongText.token(draft, depth);
            case BLOCK -> SurvivalAlongText.block(draft, depth);
            case MATCH -> SurvivalAlongText.match(draft, depth);
            case RANKED -> SurvivalAlongText.ranked(draft, first(depth));
            case RECORDED -> SurvivalAlongText.ranked(draft, filled(depth, Integer.MAX_VALUE));
            case BOUND -> SurvivalAlongText.bound(draft, first(depth));
            case ALL -> Arrays.stream(filled(depth + 1, 1)).asDoubleStream().toArray();
        };
    }

    /// Rows of the target's pass there, the root included.
    int rows(Recording.RecordedDraft draft) {
        if (recorded) {
            return 1 + Arrays.stream(draft.widths()).limit(length()).sum();
        }
        int rows = 1;
        int level = 1;
        for (int width : first(depth(draft))) {
            level *= width;
            rows += level;
        }
        return rows;
    }

    /// Returns the nodes that a drafter's step starts from to make a level: more than the recorded ones if the question is about a
    /// wider tree.
    ///
    /// @param level from 1
    int stepsFrom(int level) {
        return Arrays.stream(first(level - 1)).reduce(1, (one, other) -> one * other);
    }

    private int depth(Recording.RecordedDraft draft) {
        return Math.min(length(), draft.depth());
    }

    private int[] first(int depth) {
        return widths.stream().limit(depth).mapToInt(Integer::intValue).toArray();
    }

    private static int[] filled(int size, int value) {
        return IntStream.generate(() -> value).limit(size).toArray();
    }

    private static List<Integer> ones(int length) {
        return Collections.nCopies(length, 1);
    }

    static String spelled(List<Integer> widths) {
        return widths.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /// Returns the scenarios among the questions that a recording of a variant answers, down to the depth of its drafts.
    static List<Scenario> of(Recording.RecordedVariant variant, Asked asked) {
        int deepest = variant.depth();
        var fitting = lengths(deepest, asked);
        var shapes = asked.trees().stream().filter(widths -> widths.size() <= deepest).toList();
        var all = new ArrayList<Scenario>();
        boolean greedy = variant.variant().temperature() == 0;
        if (!variant.drawn() || greedy) {
            fitting.forEach(length -> all.add(recorded(length, variant.chains(), greedy)));
        } else {
            for (var kept : List.of(Kept.TOKEN, Kept.BLOCK, Kept.MATCH)) {
                fitting.forEach(length -> all.add(chain(kept, length)));
            }
            fitting.forEach(length -> all.add(ranked(ones(length))));
            shapes.forEach(widths -> all.add(ranked(widths)));
            shapes.forEach(widths -> all.add(bound(widths)));
        }
        all.removeIf(question ->
                !question.bound()
                        && !asked.rules().isEmpty()
                        && asked.rules().stream().noneMatch(question::under));
        return all;
    }

    /// Returns the lengths of the questions, up to the deepest.
    static List<Integer> lengths(int deepest, Asked asked) {
        var all =
                asked.lengths().isEmpty()
                        ? IntStream.rangeClosed(1, deepest)
                                .filter(length -> length <= DEEPEST_SHOWN || length == deepest)
                                .boxed()
                        : asked.lengths().stream().filter(length -> length <= deepest);
        return all.toList();
    }
}
