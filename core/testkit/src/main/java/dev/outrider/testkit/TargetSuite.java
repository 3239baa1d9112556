package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;
import static dev.outrider.testkit.Expect.assertThatThrownBy;
import static dev.outrider.testkit.Expect.assumeTrue;
import static dev.outrider.testkit.Expect.within;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import dev.outrider.testkit.Expect.Action;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;

/// The common parts of the checks of a target: how sequences are opened, and the plain forward passes that scores are compared
/// with.
abstract class TargetSuite {
    static final int CAPACITY = 48;
    static final int TRIALS = 12;

    /// {@return the model under test, shared by all tests; the code that opened it closes it}
    protected abstract TargetModel target();

    /// {@return largest difference of a logit that rounding in the back end explains}
    protected double tolerance() {
        return 0;
    }

    SeededCases cases() {
        return new SeededCases(target().description().vocabularySize());
    }

    TargetSession open(int... committed) {
        return open(0, committed);
    }

    TargetSession open(int source, int[] committed) {
        var session = target().open(request(CAPACITY, source));
        session.prefill(committed).close();
        return session;
    }

    SessionRequest request(int capacity, int source) {
        return new SessionRequest(
                capacity, Set.of(), new Sources(target().description()).source(source));
    }

    /// A tree with new nodes at its end.
    static TokenTree grown(TokenTree tree, SeededCases cases) {
        var builder = TokenTree.builder(tree.token(0));
        for (int node = 1; node < tree.size(); node++) {
            builder.add(tree.parent(node), tree.token(node));
        }
        for (int more = 0; more <= cases.below(4); more++) {
            builder.add(cases.below(builder.size()), cases.token());
        }
        return builder.build();
    }

    static PartialPasses partial(TargetSession session) {
        var passes = session.capability(PartialPasses.class);
        assumeTrue(passes.isPresent(), "sessions run all layers or none");
        return passes.orElseThrow();
    }

    /// The logits after a sequence, one token at a time.
    float[] plainRow(int[] prompt, int... rest) {
        try (var session = open(join(prompt, Arrays.copyOf(rest, rest.length - 1)));
                var scores = session.score(TokenTree.rootOnly(rest[rest.length - 1]))) {
            return row(scores, 0);
        }
    }

    /// Asserts that the rows of a tree equal plain forward passes over their paths.
    ///
    /// @param first first node that the scores have
    void assertRows(
            TargetScores scores, TokenTree tree, int first, int[] committed, SeededCases cases) {
        for (int node = first; node < tree.size(); node++) {
            var expected = plainRow(committed, pathTokens(tree, node));
            assertSame(row(scores, node - first), node, expected, cases);
        }
    }

    /// Asserts that a session scores the next token like a fresh session with the committed tokens.
    void assertNext(TargetSession session, int[] committed, SeededCases cases) {
        int next = cases.token();
        try (var scores = session.score(TokenTree.rootOnly(next))) {
            assertSame(scores, 0, plainRow(committed, next), cases);
        }
    }

    void assertSame(TargetScores scores, int node, float[] expected, SeededCases cases) {
        assertSame(row(scores, node), node, expected, cases);
    }

    void assertSame(float[] actual, int node, float[] expected, SeededCases cases) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int token = 0; token < expected.length; token++) {
            if (actual[token] != expected[token]) {
                assertThat(actual[token])
                        .describedAs(
                                "logit of token %d at node %d, %s", token, node, cases.replay())
                        .isCloseTo(expected[token], within((float) tolerance()));
            }
        }
    }

    static void throwing(Class<? extends Exception> type, Action action) {
        assertThatThrownBy(action).isInstanceOf(type);
    }

    static void refused(Runnable action, ErrorCode code) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        OutriderException.class, error -> assertThat(error.code()).isEqualTo(code));
    }

    static float[] row(TargetScores scores, int node) {
        return scores.logits(node).toArray(ValueLayout.JAVA_FLOAT);
    }

    static int[] pathTokens(TokenTree tree, int node) {
        return Arrays.stream(tree.path(node)).map(tree::token).toArray();
    }

    static Verdict verdict(TokenTree tree, int leaf) {
        var nodes = Arrays.stream(tree.path(leaf)).skip(1).boxed().toList();
        return new Verdict(nodes, 0, Origin.CORRECTION);
    }

    static int[] join(int[] one, int[] other) {
        return IntStream.concat(Arrays.stream(one), Arrays.stream(other)).toArray();
    }
}
