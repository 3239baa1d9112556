package dev.outrider.testkit;

import static dev.outrider.testkit.GuardedDecoding.fail;
import static dev.outrider.testkit.GuardedDecoding.honest;
import static dev.outrider.testkit.GuardedDecoding.nothing;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.GuardedDecoding.At;
import java.util.ArrayList;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// A drafter with a fault, and the expected message.
///
/// @param name    the fault
/// @param drafter the drafter
/// @param problem part of the message
record BrokenDrafter(String name, Drafter drafter, String problem) {
    /// Returns a drafter with a fault in a call.
    static BrokenDrafter in(At at, String name, Runnable fault, String problem) {
        return new BrokenDrafter(name, GuardedDecoding.failing(at, fault), problem);
    }

    @Override
    public String toString() {
        return name;
    }

    /// Returns drafters that throw.
    static Stream<BrokenDrafter> throwing() {
        return Stream.of(
                in(
                        At.OPEN,
                        "throws when it is opened",
                        () -> fail(new IllegalStateException("no weights")),
                        "failed in open of round 0: java.lang.IllegalStateException: no weights"),
                in(
                        At.BEGIN,
                        "throws at the prompt",
                        () -> fail(new IllegalStateException("bug")),
                        "failed in begin of round 0"),
                in(
                        At.PROPOSE,
                        "throws in a round",
                        () -> fail(new IllegalStateException("bug")),
                        "failed in propose of round 1: java.lang.IllegalStateException: bug"),
                in(
                        At.PROPOSE,
                        "throws an assertion error",
                        () -> fail(new AssertionError("bug")),
                        "java.lang.AssertionError: bug"),
                in(
                        At.PROPOSE,
                        "misses a class",
                        () -> fail(new NoClassDefFoundError("org/acme/Gone")),
                        "NoClassDefFoundError: org/acme/Gone"),
                in(
                        At.PROPOSE,
                        "recurses without end",
                        () -> recurse(0),
                        "java.lang.StackOverflowError"),
                in(
                        At.PROPOSE,
                        "asks for more memory than there is",
                        BrokenDrafter::allocate,
                        "java.lang.OutOfMemoryError"),
                in(
                        At.OBSERVE,
                        "throws when it is told the verdict",
                        () -> fail(new IllegalStateException("bug")),
                        "failed in observe of round 1"));
    }

    /// Returns drafters whose drafts break the contract.
    static Stream<BrokenDrafter> contractBreaking() {
        return Stream.of(
                drafting(
                        "returns null",
                        (draft, _) -> nothing(),
                        "failed in propose of round 1: java.lang.NullPointerException"),
                drafting(
                        "drafts from another root",
                        (draft, _) -> tree(1 + draft.tree().token(0), 0),
                        "proposed a tree with root"),
                drafting(
                        "drafts too many nodes",
                        (_, root) -> tree(root, 0, 1, 2, 3, 4, 0),
                        "proposed 6 nodes, expected at most 3"),
                drafting(
                        "drafts a tree for a rule of chains",
                        (_, root) -> twins(root),
                        "proposed a tree, expected a chain as it declares"),
                drafting(
                        "drafts a token that does not exist",
                        (_, root) -> tree(root, 5),
                        "proposed token 5 at node 1, expected 0 to 4"),
                drafting(
                        "states no distributions",
                        (draft, _) ->
                                new Draft(
                                        draft.tree(),
                                        new Selection.Independent(
                                                DraftDistributions.builder().build())),
                        "recorded no distribution for the children of node 0"),
                drafting(
                        "states distributions of another vocabulary",
                        (draft, _) -> stating(draft, new double[] {.5, .5}),
                        "recorded a distribution over 2 tokens at node 0, expected 5"),
                drafting(
                        "states that what it drew is impossible",
                        (draft, _) -> stating(draft, allOn((draft.tree().token(1) + 1) % 5)),
                        "to which its distribution gives probability 0"),
                drafting(
                        "states numbers that are no distribution",
                        (draft, _) -> stating(draft, new double[5]),
                        "recorded a distribution that sums to 0.0 at node 0, expected 1"),
                drafting(
                        "drafts in a way it did not declare",
                        (draft, _) ->
                                new Draft(
                                        draft.tree(),
                                        new Selection.WithoutReplacement(
                                                DraftDistributions.builder().build())),
                        "proposed nodes chosen as WITHOUT_REPLACEMENT, expected INDEPENDENT"));
    }

    private static BrokenDrafter drafting(
            String name, BiFunction<Draft, Integer, Draft> fault, String problem) {
        var drafter =
                FaultyDrafters.spoiling(
                        honest(),
                        (round, draft, _) ->
                                round == 1 ? fault.apply(draft, draft.tree().token(0)) : draft);
        return new BrokenDrafter(name, drafter, problem);
    }

    private static double[] allOn(int token) {
        var distribution = new double[5];
        distribution[token] = 1;
        return distribution;
    }

    private static Draft tree(int root, int... tokens) {
        return new Draft(TokenTree.chain(root, tokens), new Selection.PointMass());
    }

    private static Draft twins(int root) {
        var tree = TokenTree.builder(root);
        tree.add(0, 1);
        tree.add(0, 2);
        var distribution = new double[] {.2, .2, .2, .2, .2};
        return new Draft(
                tree.build(),
                new Selection.Independent(
                        DraftDistributions.builder().put(0, distribution).build()));
    }

    private static Draft stating(Draft draft, double[] distribution) {
        var distributions = DraftDistributions.builder();
        for (int node = 0; node < draft.tree().draftedNodes(); node++) {
            distributions.put(node, distribution);
        }
        return new Draft(draft.tree(), new Selection.Independent(distributions.build()));
    }

    private static int recurse(int depth) {
        return depth < 0 ? depth : recurse(depth + 1) + 1;
    }

    private static void allocate() {
        var all = new ArrayList<long[]>();
        while (true) {
            all.add(new long[Integer.MAX_VALUE - 8]);
        }
    }
}
