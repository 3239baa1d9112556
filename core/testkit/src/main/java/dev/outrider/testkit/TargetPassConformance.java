package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;

import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.TargetModel.ScoreRequest;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/// Checks of batches, of passes through a part of the layers, and of several threads.
abstract class TargetPassConformance extends TargetTreeConformance {
    private static final int THREADS = 4;

    @Check
    void scoresAreTheSameWhateverADrafterHasRunBefore() {
        var cases = cases();
        for (int trial = 0; trial < 2 * TRIALS; trial++) {
            int[] committed = cases.tokens(cases.below(8));
            try (var session = open(committed)) {
                for (int round = 0; round < 2; round++) {
                    var run = run(session, cases);
                    var tree = cases.below(4) == 0 ? cases.tree(6) : like(run, cases);
                    try (var scores = session.score(tree)) {
                        assertThat(scores.size()).isEqualTo(tree.size());
                        assertRows(scores, tree, 0, committed, cases);
                    }
                    int leaf = cases.below(tree.size());
                    session.commit(verdict(tree, leaf));
                    committed = join(committed, pathTokens(tree, leaf));
                    assertThat(session.length()).isEqualTo(committed.length);
                }
            }
        }
    }

    @Check
    void aBatchOfWhichSomeWereBegunEqualsEachAlone() {
        var cases = cases();
        for (int trial = 0; trial < TRIALS; trial++) {
            var prompts = new ArrayList<int[]>();
            var sessions = new ArrayList<TargetSession>();
            var requests = new ArrayList<ScoreRequest>();
            try {
                for (int index = 0; index < 4; index++) {
                    prompts.add(cases.tokens(cases.below(8)));
                    sessions.add(open(prompts.getLast()));
                    var tree =
                            cases.below(3) == 0
                                    ? cases.tree(6)
                                    : like(run(sessions.getLast(), cases), cases);
                    requests.add(new ScoreRequest(sessions.getLast(), tree));
                }
                var batch = target().scoreAll(requests);
                for (int index = 0; index < batch.size(); index++) {
                    try (var scores = batch.get(index)) {
                        assertRows(
                                scores, requests.get(index).tree(), 0, prompts.get(index), cases);
                    }
                }
            } finally {
                sessions.reversed().forEach(TargetSession::close);
            }
        }
    }

    @Check
    void partialPassesOfAllLayersAreWholePasses() {
        var cases = cases();
        int layers = target().description().layers();
        for (LayerSubset whole :
                List.of(
                        new LayerSubset.First(layers),
                        new LayerSubset.Without(Set.of(), Set.of()))) {
            int[] prompt = cases.tokens(5);
            var tree = cases.tree(6);
            try (var session = open(prompt)) {
                var passes = partial(session);
                passes.begin(whole);
                try (var scores = passes.grow(tree)) {
                    assertRows(scores, tree, 0, prompt, cases);
                }
            }
        }
    }

    /// Runs a random tree through some of the layers, in one pass or several.
    private TokenTree run(TargetSession session, SeededCases cases) {
        var passes = partial(session);
        int layers = target().description().layers();
        passes.begin(
                cases.below(4) > 0
                        ? new LayerSubset.First(1 + cases.below(layers))
                        : new LayerSubset.Without(
                                Set.of(cases.below(layers)), Set.of(cases.below(layers))));
        var tree = cases.tree(4);
        passes.grow(tree).close();
        for (int more = cases.below(2); more > 0; more--) {
            tree = grown(tree, cases);
            passes.grow(tree).close();
        }
        return tree;
    }

    /// Returns a tree with some of another tree's nodes, perhaps twice, and some new ones.
    private static TokenTree like(TokenTree other, SeededCases cases) {
        var builder = TokenTree.builder(other.token(0));
        var place = new int[other.size()];
        for (int node = 1; node < other.size(); node++) {
            int parent = place[other.parent(node)];
            place[node] = -1;
            if (parent >= 0 && cases.below(4) > 0) {
                place[node] = builder.add(parent, other.token(node));
                if (cases.below(4) == 0) {
                    builder.add(parent, other.token(node));
                }
            }
        }
        for (int more = cases.below(3); more > 0; more--) {
            builder.add(cases.below(builder.size()), cases.token());
        }
        return builder.build();
    }

    @Check
    void aBatchOfRaggedSequencesEqualsEachAlone() {
        var cases = cases();
        var prompts = List.of(cases.tokens(0), cases.tokens(1), cases.tokens(7), cases.tokens(12));
        var trees = List.of(cases.tree(1), cases.tree(9), TokenTree.rootOnly(0), cases.tree(5));
        var sessions = new ArrayList<TargetSession>();
        try {
            var requests = new ArrayList<ScoreRequest>();
            for (int index = 0; index < prompts.size(); index++) {
                sessions.add(open(index, prompts.get(index)));
                requests.add(new ScoreRequest(sessions.getLast(), trees.get(index)));
            }
            var batch = target().scoreAll(requests);
            for (int index = 0; index < prompts.size(); index++) {
                try (var alone = open(index, prompts.get(index));
                        var expected = alone.score(trees.get(index));
                        var actual = batch.get(index)) {
                    for (int node = 0; node < trees.get(index).size(); node++) {
                        assertSame(actual, node, row(expected, node), cases);
                    }
                }
            }
            for (int index = 0; index < prompts.size(); index++) {
                sessions.get(index).commit(verdict(trees.get(index), 0));
                assertThat(sessions.get(index).length()).isEqualTo(prompts.get(index).length + 1);
            }
        } finally {
            sessions.reversed().forEach(TargetSession::close);
        }
    }

    @Check
    void sessionsOnSeveralThreadsScoreWhatTheyScoreAlone() {
        var cases = cases();
        var walks = IntStream.range(0, THREADS).mapToObj(_ -> Walk.of(cases)).toList();
        var alone = walks.stream().map(this::rows).toList();
        var beside =
                Threads.together(
                        walks.stream()
                                .<Callable<List<List<float[]>>>>map(
                                        walk -> () -> List.of(rows(walk), rows(walk)))
                                .toList());
        for (int walk = 0; walk < THREADS; walk++) {
            for (var rows : beside.get(walk)) {
                assertThat(rows).hasSameSizeAs(alone.get(walk));
                for (int row = 0; row < rows.size(); row++) {
                    assertSame(rows.get(row), row, alone.get(walk).get(row), cases);
                }
            }
        }
    }

    /// A prompt, and trees, of each of which one path is kept.
    private record Walk(int[] prompt, List<TokenTree> trees, List<Integer> leaves) {
        static Walk of(SeededCases cases) {
            var trees = IntStream.range(0, 4).mapToObj(_ -> cases.tree(5)).toList();
            var leaves = trees.stream().map(tree -> cases.below(tree.size())).toList();
            return new Walk(cases.tokens(cases.below(8)), trees, leaves);
        }
    }

    /// The logits of every node of every tree.
    private List<float[]> rows(Walk walk) {
        var rows = new ArrayList<float[]>();
        try (var session = open(walk.prompt())) {
            for (int round = 0; round < walk.trees().size(); round++) {
                var tree = walk.trees().get(round);
                try (var scores = session.score(tree)) {
                    for (int node = 0; node < tree.size(); node++) {
                        rows.add(row(scores, node));
                    }
                }
                session.commit(verdict(tree, walk.leaves().get(round)));
            }
        }
        return rows;
    }
}
