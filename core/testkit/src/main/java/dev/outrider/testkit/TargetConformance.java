package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;
import static dev.outrider.testkit.Expect.assertThatThrownBy;
import static dev.outrider.testkit.Expect.assumeTrue;
import static dev.outrider.testkit.Expect.within;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.ForestSession;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetModel.ScoreRequest;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import dev.outrider.testkit.Expect.Action;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/// Checks of every target back end. Extend it, return your model, and run it as a test. A target that reads sources is given
/// one with every sequence.
public abstract class TargetConformance {
    private static final int CAPACITY = 48;
    private static final int TRIALS = 12;
    private static final int THREADS = 4;

    /// For subclasses, which a test framework makes.
    protected TargetConformance() {}

    /// {@return the model under test, shared by all tests; the code that opened it closes it}
    protected abstract TargetModel target();

    /// {@return largest difference of a logit that the arithmetic of the back end explains}
    protected double tolerance() {
        return 0;
    }

    private SeededCases cases() {
        return new SeededCases(target().description().vocabularySize());
    }

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

    /// A tree with new nodes at its end.
    private static TokenTree grown(TokenTree tree, SeededCases cases) {
        var builder = TokenTree.builder(tree.token(0));
        for (int node = 1; node < tree.size(); node++) {
            builder.add(tree.parent(node), tree.token(node));
        }
        for (int more = 0; more <= cases.below(4); more++) {
            builder.add(cases.below(builder.size()), cases.token());
        }
        return builder.build();
    }

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

    @Check
    void committedTokensThatAreReadAgainGiveTheSameScores() {
        var cases = cases();
        for (int trial = 0; trial < TRIALS; trial++) {
            int[] prompt = cases.tokens(4 + cases.below(8));
            int from = cases.below(prompt.length);
            int to = from + 1 + cases.below(prompt.length - from);
            try (var session = open(prompt)) {
                var whole = new LayerSubset.Without(Set.of(), Set.of());
                int[] tokens = Arrays.copyOfRange(prompt, from, to);
                try (var scores = partial(session).reread(from, tokens, whole)) {
                    assertThat(scores.size()).isEqualTo(to - from);
                    for (int row = 0; row < scores.size(); row++) {
                        int[] before = Arrays.copyOf(prompt, from + row);
                        assertSame(scores, row, plainRow(before, prompt[from + row]), cases);
                    }
                }
                var some = new LayerSubset.Without(Set.of(0), Set.of());
                partial(session).reread(from, tokens, some).close();
                assertNext(session, prompt, cases);
            }
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
            throwing(
                    IllegalArgumentException.class,
                    () -> passes.reread(0, new int[2], new LayerSubset.First(1)));
            passes.begin(new LayerSubset.First(1));
            passes.grow(TokenTree.chain(0, 0)).close();
            throwing(IllegalArgumentException.class, () -> passes.grow(TokenTree.chain(0, 0)));
            throwing(IllegalArgumentException.class, () -> passes.grow(TokenTree.chain(0, 1, 0)));
            refused(
                    () -> passes.grow(TokenTree.chain(0, new int[passes.room()])),
                    ErrorCode.CONTEXT_EXCEEDED);
        }
    }

    private static PartialPasses partial(TargetSession session) {
        var passes = session.capability(PartialPasses.class);
        assumeTrue(passes.isPresent(), "sessions run all layers or none");
        return passes.orElseThrow();
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

    /// A tree that has some of another one's nodes, perhaps twice, and some of its own.
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

    /// A prompt, and trees of which a path is kept each.
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

    @Check
    void closingTwiceDoesNoHarm() {
        var session = open(0);
        var scores = session.score(TokenTree.rootOnly(0));
        scores.close();
        scores.close();
        session.close();
        session.close();
    }

    private TargetSession open(int... committed) {
        return open(0, committed);
    }

    private TargetSession open(int source, int[] committed) {
        var session = target().open(request(CAPACITY, source));
        session.prefill(committed).close();
        return session;
    }

    private SessionRequest request(int capacity, int source) {
        return new SessionRequest(
                capacity, Set.of(), new Sources(target().description()).source(source));
    }

    /// The logits after a sequence, one token at a time.
    private float[] plainRow(int[] prompt, int... rest) {
        try (var session = open(join(prompt, Arrays.copyOf(rest, rest.length - 1)));
                var scores = session.score(TokenTree.rootOnly(rest[rest.length - 1]))) {
            return row(scores, 0);
        }
    }

    /// Asserts that the rows of a tree equal plain forward passes over their paths.
    ///
    /// @param first first node that the scores have
    private void assertRows(
            TargetScores scores, TokenTree tree, int first, int[] committed, SeededCases cases) {
        for (int node = first; node < tree.size(); node++) {
            var expected = plainRow(committed, pathTokens(tree, node));
            assertSame(row(scores, node - first), node, expected, cases);
        }
    }

    /// Asserts that a session scores the next token as a fresh one with the committed tokens does.
    private void assertNext(TargetSession session, int[] committed, SeededCases cases) {
        int next = cases.token();
        try (var scores = session.score(TokenTree.rootOnly(next))) {
            assertSame(scores, 0, plainRow(committed, next), cases);
        }
    }

    private static void throwing(Class<? extends Exception> type, Action action) {
        assertThatThrownBy(action).isInstanceOf(type);
    }

    private void assertSame(TargetScores scores, int node, float[] expected, SeededCases cases) {
        assertSame(row(scores, node), node, expected, cases);
    }

    private void assertSame(float[] actual, int node, float[] expected, SeededCases cases) {
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

    private static float[] row(TargetScores scores, int node) {
        return scores.logits(node).toArray(ValueLayout.JAVA_FLOAT);
    }

    private static int[] pathTokens(TokenTree tree, int node) {
        return Arrays.stream(tree.path(node)).map(tree::token).toArray();
    }

    private static Verdict verdict(TokenTree tree, int leaf) {
        var nodes = Arrays.stream(tree.path(leaf)).skip(1).boxed().toList();
        return new Verdict(nodes, 0, Origin.CORRECTION);
    }

    private static int[] join(int[] one, int[] other) {
        return IntStream.concat(Arrays.stream(one), Arrays.stream(other)).toArray();
    }

    private static void refused(Runnable action, ErrorCode code) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        OutriderException.class, error -> assertThat(error.code()).isEqualTo(code));
    }
}
