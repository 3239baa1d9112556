package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;
import static dev.outrider.testkit.Expect.assumeTrue;

import dev.outrider.spi.target.ForestSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Checks of trees, and of their committed parts.
abstract class TargetTreeConformance extends TargetSuite {
    @Check
    void everyTreeRowEqualsThePlainForwardOverItsPath() {
        var cases = cases();
        for (int trial = 0; trial < TRIALS; trial++) {
            int[] prompt = cases.tokens(cases.below(12));
            var tree = cases.tree(10);
            try (var session = open(prompt);
                    var scores = session.score(tree)) {
                assertRows(scores, tree, 0, prompt, cases);
            }
        }
    }

    @Check
    void logitsAfterCommitEqualThoseOfAFreshPrefill() {
        var cases = cases();
        for (int trial = 0; trial < TRIALS; trial++) {
            int[] committed = cases.tokens(cases.below(8));
            try (var session = open(committed)) {
                for (int round = 0; round < 4; round++) {
                    var tree = cases.tree(5);
                    int leaf = cases.below(tree.size());
                    session.score(tree).close();
                    session.commit(verdict(tree, leaf));
                    committed = join(committed, pathTokens(tree, leaf));

                    assertThat(session.length()).isEqualTo(committed.length);
                }
                assertNext(session, committed, cases);
            }
        }
    }

    @Check
    void aScoredTreeThatIsNotCommittedLeavesNoTrace() {
        var cases = cases();
        int[] prompt = cases.tokens(5);
        try (var session = open(prompt)) {
            session.score(cases.tree(8)).close();
            assertNext(session, prompt, cases);
            assertThat(session.length()).isEqualTo(5);
        }
    }

    @Check
    void everyRowOfAForestThatGrowsEqualsThePlainForwardOverItsPath() {
        var cases = cases();
        for (int trial = 0; trial < TRIALS; trial++) {
            int[] committed = cases.tokens(cases.below(8));
            try (var session = open(committed)) {
                assumeTrue(session instanceof ForestSession, "sessions hold no rows");
                var forest = (ForestSession) session;
                var tree = cases.tree(6);
                int held = 0;
                for (int pass = 0; pass < 4; pass++) {
                    try (var scores = forest.grow(tree)) {
                        assertThat(scores.size()).isEqualTo(tree.size() - held);
                        assertRows(scores, tree, held, committed, cases);
                    }
                    int root = cases.below(tree.size());
                    var kept = someBelow(tree, root, cases);
                    forest.hold(kept);
                    int[] above = Arrays.copyOf(pathTokens(tree, root), tree.depth(root));
                    committed = join(committed, above);
                    assertThat(session.length()).isEqualTo(committed.length);
                    held = kept.size();
                    tree = grown(tree.part(kept), cases);
                }
                forest.score(TokenTree.rootOnly(tree.token(0))).close();
                session.commit(new Verdict(List.of(), 0, Origin.CORRECTION));
                assertNext(session, join(committed, new int[] {tree.token(0)}), cases);
            }
        }
    }

    /// A node and some of those below it.
    private static List<Integer> someBelow(TokenTree tree, int root, SeededCases cases) {
        var kept = new ArrayList<Integer>(List.of(root));
        for (int node = root + 1; node < tree.size(); node++) {
            if (kept.contains(tree.parent(node)) && cases.below(3) > 0) {
                kept.add(node);
            }
        }
        return kept;
    }

    @Check
    void argmaxIsTheLowestIdOfTheLargestLogit() {
        var cases = cases();
        var tree = cases.tree(10);
        try (var session = open(cases.tokens(3));
                var scores = session.score(tree)) {
            for (int node = 0; node < tree.size(); node++) {
                float[] row = row(scores, node);
                int best = 0;
                for (int token = 1; token < row.length; token++) {
                    best = row[token] > row[best] ? token : best;
                }
                assertThat(scores.argmax(node)).describedAs(cases.replay()).isEqualTo(best);
            }
        }
    }

    @Check
    void whatIsSaidDependsOnTheSource() {
        assumeTrue(target().description().sources().isPresent(), "this target reads no sources");
        int[] prompt = cases().tokens(3);
        try (var one = open(0, prompt);
                var other = open(1, prompt);
                var scores = one.score(TokenTree.rootOnly(0));
                var others = other.score(TokenTree.rootOnly(0))) {
            assertThat(row(scores, 0)).isNotEqualTo(row(others, 0));
        }
    }

    @Check
    void closingTwiceDoesNoHarm() {
        var session = open(0);
        var scores = session.score(TokenTree.rootOnly(0));
        scores.close();
        scores.close();
        session.close();
        session.close();
    }
}
