package dev.outrider.experiment.lab;

import dev.outrider.experiment.lab.Laboratory.Asked;
import dev.outrider.experiment.lab.Recording.RecordedDraft;
import dev.outrider.experiment.lab.Recording.RecordedVariant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A draft and a rule that a recording can be asked about.
sealed interface Scenario {
    /// The greatest length up to which all lengths are shown by default.
    int DEEPEST_SHOWN = 16;

    /// Returns the name of the draft.
    String draft();

    /// Returns the name of the acceptance rule.
    String rule();

    /// The greatest depth.
    int length();

    /// Whether no rule is known that does it: a bound.
    boolean bound();

    /// Whether its rule is the one of a name, for these drafts.
    default boolean under(String name) {
        return rule().equals(name);
    }

    /// `S_l` at a position.
    double[] kept(RecordedDraft draft);

    /// Rows of the target's pass there, the root included.
    int rows(RecordedDraft draft);

    /// Nodes that a drafter goes on from to make a level, more than the recorded ones where it is asked about a wider tree.
    ///
    /// @param level from 1
    default int stepsFrom(int level) {
        return 1;
    }

    private static int depth(RecordedDraft draft, int length) {
        return Math.min(length, draft.depth());
    }

    /// A chain, drawn as it was recorded.
    record Chain(Rule rules, int length) implements Scenario {
        /// The acceptance rule.
        enum Rule {
            TOKEN("token", "multi-step", "k-seq", "without-replacement"),
            BLOCK("block", "traversal"),
            MATCH("sample-and-match");

            private final String name;
            private final List<String> alike;

            /// @param alike rules of trees that are this one on a chain
            Rule(String name, String... alike) {
                this.name = name;
                this.alike = List.of(alike);
            }
        }

        @Override
        public boolean under(String other) {
            return rules.name.equals(other) || rules.alike.contains(other);
        }

        @Override
        public String draft() {
            return "drawn chain";
        }

        @Override
        public String rule() {
            return rules.name;
        }

        @Override
        public boolean bound() {
            return false;
        }

        @Override
        public double[] kept(RecordedDraft draft) {
            int depth = depth(draft, length);
            return switch (rules) {
                case TOKEN -> SurvivalAlongText.token(draft, depth);
                case BLOCK -> SurvivalAlongText.block(draft, depth);
                case MATCH -> SurvivalAlongText.match(draft, depth);
            };
        }

        @Override
        public int rows(RecordedDraft draft) {
            return 1 + depth(draft, length);
        }
    }

    /// The most probable guesses, so many at each node of a level.
    record Ranked(List<Integer> widths) implements Scenario {
        public Ranked {
            widths = List.copyOf(widths);
        }

        @Override
        public String draft() {
            return widths.stream().allMatch(width -> width == 1)
                    ? "most probable chain"
                    : "most probable tree " + spelled(widths);
        }

        @Override
        public String rule() {
            return "sample-and-match";
        }

        @Override
        public int length() {
            return widths.size();
        }

        @Override
        public boolean bound() {
            return false;
        }

        @Override
        public double[] kept(RecordedDraft draft) {
            return SurvivalAlongText.ranked(draft, first(widths, depth(draft, length())));
        }

        @Override
        public int stepsFrom(int level) {
            return nodes(widths, level - 1);
        }

        @Override
        public int rows(RecordedDraft draft) {
            return treeRows(first(widths, depth(draft, length())));
        }
    }

    /// The recorded guesses, ranked or looked up, down to a depth.
    record Recorded(int length, boolean chain, boolean greedy) implements Scenario {
        private static final List<String> LOOKED_UP =
                List.of("token", "block", "sample-and-match", "gumbel-coupled");

        @Override
        public String draft() {
            return chain ? "recorded chain" : "recorded tree";
        }

        @Override
        public String rule() {
            return greedy ? "greedy" : chain ? "any lossless" : "sample-and-match";
        }

        @Override
        public boolean bound() {
            return false;
        }

        /// At temperature 0 all lossless rules are equal; on guesses that were not drawn, all rules that accept such guesses are equal.
        @Override
        public boolean under(String name) {
            return greedy || LOOKED_UP.contains(name);
        }

        @Override
        public double[] kept(RecordedDraft draft) {
            int[] all = new int[depth(draft, length)];
            Arrays.fill(all, Integer.MAX_VALUE);
            return SurvivalAlongText.ranked(draft, all);
        }

        @Override
        public int rows(RecordedDraft draft) {
            return 1 + Arrays.stream(draft.widths()).limit(length).sum();
        }
    }

    /// The most that any rule could keep of a tree of independent draws.
    record Bound(List<Integer> widths) implements Scenario {
        public Bound {
            widths = List.copyOf(widths);
        }

        @Override
        public String draft() {
            return "drawn tree " + spelled(widths);
        }

        @Override
        public String rule() {
            return "no rule keeps more";
        }

        @Override
        public int length() {
            return widths.size();
        }

        @Override
        public boolean bound() {
            return true;
        }

        @Override
        public double[] kept(RecordedDraft draft) {
            return SurvivalAlongText.bound(draft, first(widths, depth(draft, length())));
        }

        @Override
        public int stepsFrom(int level) {
            return nodes(widths, level - 1);
        }

        @Override
        public int rows(RecordedDraft draft) {
            return treeRows(first(widths, depth(draft, length())));
        }
    }

    /// Another question's drafts if every guess were right.
    record Right(Scenario other) implements Scenario {
        @Override
        public String draft() {
            return other.draft();
        }

        @Override
        public String rule() {
            return "every guess right";
        }

        @Override
        public int length() {
            return other.length();
        }

        @Override
        public boolean bound() {
            return true;
        }

        @Override
        public double[] kept(RecordedDraft draft) {
            double[] kept = new double[depth(draft, length()) + 1];
            Arrays.fill(kept, 1);
            return kept;
        }

        @Override
        public int stepsFrom(int level) {
            return other.stepsFrom(level);
        }

        @Override
        public int rows(RecordedDraft draft) {
            return other.rows(draft);
        }
    }

    private static int[] first(List<Integer> widths, int depth) {
        return widths.stream().limit(depth).mapToInt(Integer::intValue).toArray();
    }

    /// Nodes of a level.
    private static int nodes(List<Integer> widths, int level) {
        return widths.stream().limit(level).reduce(1, (one, other) -> one * other);
    }

    private static int treeRows(int... widths) {
        int rows = 1;
        int level = 1;
        for (int width : widths) {
            level *= width;
            rows += level;
        }
        return rows;
    }

    static String spelled(List<Integer> widths) {
        return widths.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /// Everything that a recording of a variant answers of what is asked, and of that no more than drafts are deep.
    static List<Scenario> of(RecordedVariant variant, Asked asked) {
        int deepest = variant.depth();
        var fitting = lengths(deepest, asked);
        var shapes = asked.trees().stream().filter(widths -> widths.size() <= deepest).toList();
        var all = new ArrayList<Scenario>();
        if (!variant.drawn() || variant.variant().temperature() == 0) {
            boolean greedy = variant.variant().temperature() == 0;
            fitting.forEach(length -> all.add(new Recorded(length, variant.chains(), greedy)));
        } else {
            for (var rule : Chain.Rule.values()) {
                fitting.forEach(length -> all.add(new Chain(rule, length)));
            }
            fitting.forEach(length ->
                    all.add(new Ranked(IntStream.range(0, length).mapToObj(_ -> 1).toList())));
            shapes.forEach(widths -> all.add(new Ranked(widths)));
            shapes.forEach(widths -> all.add(new Bound(widths)));
        }
        all.removeIf(question ->
                !question.bound()
                        && !asked.rules().isEmpty()
                        && asked.rules().stream().noneMatch(question::under));
        return all;
    }

    private static List<Integer> lengths(int deepest, Asked asked) {
        if (!asked.lengths().isEmpty()) {
            return asked.lengths().stream().filter(length -> length <= deepest).toList();
        }
        var all = new ArrayList<Integer>();
        for (int length = 1; length <= Math.min(deepest, DEEPEST_SHOWN); length++) {
            all.add(length);
        }
        if (deepest > DEEPEST_SHOWN) {
            all.add(deepest);
        }
        return all;
    }
}
