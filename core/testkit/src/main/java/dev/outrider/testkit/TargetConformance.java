package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;
import static dev.outrider.testkit.Expect.assumeTrue;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.target.ForestSession;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/// Checks of every target back end. Extend it, return your model, and run it as a test. A target that reads sources gets
/// one with every sequence.
public abstract class TargetConformance extends TargetPassConformance {
    /// For subclasses, which a test framework instantiates.
    protected TargetConformance() {}

    @Check
    void holdingWhatWasNotGrownIsAnError() {
        try (var session = open(0)) {
            assumeTrue(session instanceof ForestSession, "sessions hold no rows");
            var forest = (ForestSession) session;

            throwing(IllegalStateException.class, () -> forest.hold(List.of(0)));
            forest.grow(TokenTree.chain(0, 0, 0)).close();
            throwing(IllegalArgumentException.class, () -> forest.hold(List.of(0, 2)));
            forest.hold(List.of(0, 1));
            throwing(IllegalArgumentException.class, () -> forest.grow(TokenTree.chain(0, 0)));
            throwing(IllegalArgumentException.class, () -> forest.grow(TokenTree.chain(0, 1, 0)));
        }
    }

    @Check
    void partialPassesRefuseWhatCannotBe() {
        int layers = target().description().layers();
        try (var session = open(0)) {
            var passes = partial(session);
            throwing(IllegalStateException.class, () -> passes.grow(TokenTree.rootOnly(0)));
            refused(
                    () -> passes.begin(new LayerSubset.First(layers + 1)),
                    ErrorCode.CAPABILITY_MISSING);
            refused(
                    () -> passes.begin(new LayerSubset.Without(Set.of(layers), Set.of())),
                    ErrorCode.CAPABILITY_MISSING);
            passes.begin(new LayerSubset.First(1));
            passes.grow(TokenTree.chain(0, 0)).close();
            throwing(IllegalArgumentException.class, () -> passes.grow(TokenTree.chain(0, 0)));
            throwing(IllegalArgumentException.class, () -> passes.grow(TokenTree.chain(0, 1, 0)));
            refused(
                    () -> passes.grow(TokenTree.chain(0, new int[passes.room()])),
                    ErrorCode.CONTEXT_EXCEEDED);
        }
    }

    @Check
    void moreRowsThanTheCapacityAreRefused() {
        try (var session = target().open(request(4, 0))) {
            session.prefill(new int[3]).close();

            refused(() -> session.score(TokenTree.chain(0, 0)), ErrorCode.CONTEXT_EXCEEDED);
            refused(() -> session.prefill(new int[2]), ErrorCode.CONTEXT_EXCEEDED);
            session.score(TokenTree.rootOnly(0)).close();
        }
    }

    @Check
    void aCapacityBeyondTheModelsPositionsIsRefused() {
        int tooMany = target().description().maxPositions() + 1;
        refused(() -> target().open(request(tooMany, 0)), ErrorCode.CONTEXT_EXCEEDED);
    }

    @Check
    void sourcesThatCannotBeReadAreRefused() {
        var description = target().description();
        if (description.sources().isEmpty()) {
            refusedSource(List.of(0), ErrorCode.SOURCE_UNEXPECTED);
            return;
        }
        int longest = description.sources().get().maxPositions();
        refusedSource(List.of(), ErrorCode.SOURCE_MISSING);
        refusedSource(Collections.nCopies(longest + 1, 0), ErrorCode.CONTEXT_EXCEEDED);
        refusedSource(List.of(0, description.vocabularySize()), ErrorCode.TOKEN_OUT_OF_RANGE);
        refusedSource(List.of(-1), ErrorCode.TOKEN_OUT_OF_RANGE);
    }

    private void refusedSource(List<Integer> source, ErrorCode code) {
        refused(() -> target().open(new SessionRequest(CAPACITY, Set.of(), source)), code);
    }

    @Check
    void tokensOutsideTheVocabularyAreRefused() {
        int outside = target().description().vocabularySize();
        try (var session = open()) {
            refused(() -> session.prefill(new int[] {outside}), ErrorCode.TOKEN_OUT_OF_RANGE);
            refused(() -> session.score(TokenTree.rootOnly(outside)), ErrorCode.TOKEN_OUT_OF_RANGE);
            assertThat(session.length()).isZero();
        }
    }

    @Check
    void committingWithoutAScoredTreeIsAnError() {
        var verdict = new Verdict(List.of(), 0, Origin.BONUS);
        try (var session = open()) {
            throwing(IllegalStateException.class, () -> session.commit(verdict));
            session.score(TokenTree.rootOnly(0)).close();
            session.commit(verdict);
            throwing(IllegalStateException.class, () -> session.commit(verdict));
        }
    }

    @Check
    void committingNodesThatAreNoPathIsAnError() {
        var tree = TokenTree.builder(0);
        tree.add(0, 0);
        tree.add(0, 0);
        try (var session = open()) {
            session.score(tree.build()).close();
            for (var nodes : List.of(List.of(1, 2), List.of(3), List.of(0))) {
                throwing(
                        IllegalArgumentException.class,
                        () -> session.commit(new Verdict(nodes, 0, Origin.CORRECTION)));
            }
        }
    }
}
