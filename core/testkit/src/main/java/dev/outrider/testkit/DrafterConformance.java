package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;
import static dev.outrider.testkit.Expect.assumeTrue;

import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.DraftingSequence.Keep;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/// Checks of every drafter. Extend it, return a target and your drafter, and run it as a test.
///
/// Drafts are checked against the contract in every round: budget, root, order, declared shape and selection,
/// recorded distributions, and that the drafter reads only what it declares of the target.
///
/// A target that reads sources gets one with every sequence. For any other target, a drafter that reads no hidden states is also tested
/// with a table that reads sources: it may read them, ignore them, or refuse them with a coded error.
///
/// The target may be a table ([TableTarget]). A drafter that reads hidden states needs a target that has them, such
/// as a small decoder with random weights; every check here is about the drafter and holds on any target. Rounding
/// of such a target shows as differences of the drafter's distributions: see [#distributionTolerance()].
public abstract class DrafterConformance extends DrafterSources {
    private static final int ROUNDS = 6;

    /// For subclasses, which a test framework instantiates.
    protected DrafterConformance() {}

    /// {@return whether a draft depends only on the committed tokens and the randomness} Drafters that learn while a
    /// sequence grows (pools, recycled tokens) return false.
    protected boolean dependsOnHistoryOnly() {
        return true;
    }

    @Check
    void sampledDraftsKeepTheContractInEveryRound() {
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            var generation = decoder(target()).decode(request(prompt, WARM), randomness(prompt));

            assertThat(generation.tokens()).hasSize(TOKENS);
        }
    }

    @Check
    void theSameSeedGivesTheSameDrafts() {
        try (var one = sequence(1, randomness(7));
                var other = sequence(1, randomness(7))) {
            for (int round = 0; round < ROUNDS; round++) {
                Drafts.assertSame(
                        one.round(budget()), other.round(budget()), 0, "of round " + round);
            }
        }
    }

    @Check
    void interleavedSessionsDoNotTouchEachOther() {
        var expected = new ArrayList<Draft>();
        try (var alone = sequence(1, randomness(1))) {
            for (int round = 0; round < ROUNDS; round++) {
                expected.add(alone.round(budget()));
            }
        }
        try (var first = sequence(1, randomness(1));
                var second = sequence(2, randomness(2))) {
            for (int round = 0; round < ROUNDS; round++) {
                var interleaved = first.propose(budget());
                second.round(budget(), Keep.values()[round % Keep.values().length]);
                try (var third = sequence(3, randomness(3))) {
                    third.round(budget());
                }
                first.decide(Keep.SOMETHING);

                Drafts.assertSame(
                        interleaved,
                        expected.get(round),
                        distributionTolerance(),
                        "of round " + round);
            }
        }
    }

    @Check
    void afterAnyVerdictTheSessionProposesWhatAFreshOneWould() {
        assumeTrue(dependsOnHistoryOnly(), "this drafter learns while a sequence grows");
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            try (var sequence = sequence(prompt, randomness(prompt))) {
                for (int round = 0; round < ROUNDS; round++) {
                    var keep = Keep.values()[(prompt + round) % Keep.values().length];
                    sequence.round(budget(), keep);
                    var proposed = sequence.propose(budget());
                    try (var fresh =
                            sequence(prompt, sequence.committed(), sequence.randomnessFromHere())) {
                        Drafts.assertSame(
                                proposed,
                                fresh.propose(budget()),
                                distributionTolerance(),
                                "of prompt %d after a verdict that keeps %s in round %d"
                                        .formatted(prompt, keep, 2 * round));
                    }
                    sequence.decide(Keep.SOMETHING);
                }
            }
        }
    }

    @Check
    void aSessionThatTakesAnotherTextProposesWhatAFreshOneWould() {
        assumeTrue(dependsOnHistoryOnly(), "this drafter learns while a sequence grows");
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            for (int kept = 0; kept < 3; kept++) {
                try (var sequence = sequence(prompt, randomness(prompt))) {
                    sequence.round(budget(), Keep.values()[prompt % Keep.values().length]);
                    sequence.propose(budget());
                    int[] text = otherText(sequence.committed(), kept, prompt);
                    var proposed = sequence.restarted(text, budget());
                    assumeTrue(proposed.isPresent(), "sessions begin once");
                    try (var fresh = sequence(prompt, text, sequence.randomnessFromHere())) {
                        Drafts.assertSame(
                                proposed.get(),
                                fresh.propose(budget()),
                                distributionTolerance(),
                                "of prompt %d for another text".formatted(prompt));
                    }
                }
            }
        }
    }

    /// Returns another text: a longer one, one that differs from some place on, or an unrelated one.
    private int[] otherText(int[] text, int kind, int prompt) {
        int[] tail = prompt((prompt + 1) % PROMPTS);
        return switch (kind) {
            case 0 -> IntStream.concat(IntStream.of(text), IntStream.of(tail)).toArray();
            case 1 ->
                    IntStream.concat(IntStream.of(text).limit(text.length - 1), IntStream.of(tail))
                            .toArray();
            default -> tail;
        };
    }

    @Check
    void budgetsOfNothingAndOfOneAreKept() {
        try (var sequence = sequence(0, randomness(0))) {
            for (int round = 0; round < 3; round++) {
                var nothing = sequence.round(new DraftBudget(0, 0));
                assertThat(nothing.tree().draftedNodes()).isZero();
                var one = sequence.round(new DraftBudget(1, 1), Keep.DEEPEST_LEAF);
                assertThat(one.tree().draftedNodes()).isLessThanOrEqualTo(1);
            }
            sequence.round(budget());
        }
    }

    @Check
    void noBudgetLeadsBeyondTheDeclaredLimits() {
        var traits = drafter().traits();
        var ample = new DraftBudget(traits.maxNodes() + 3, traits.maxDepth() + 2);
        try (var sequence = sequence(4, randomness(4))) {
            for (int round = 0; round < 3; round++) {
                var tree = sequence.round(ample).tree();
                assertThat(tree.draftedNodes()).isLessThanOrEqualTo(traits.maxNodes());
            }
        }
    }

    @Check
    void closingASessionTwiceDoesNoHarm() {
        var sequence =
                new DraftingSequence(
                        target(), drafter(), prompt(0), source(target(), 0), randomness(0), false);
        sequence.round(budget());
        sequence.close();
        sequence.close();
        int capacity = target().description().maxPositions();
        var source = source(target(), 0);
        try (var beside = target().open(new SessionRequest(capacity, Set.of(), source))) {
            var unused =
                    drafter().open(new DraftRequest(capacity, WARM, source, beside::capability));
            unused.close();
            unused.close();
        }

        try (var after = sequence(0, randomness(0))) {
            after.round(budget());
        }
    }

    @Check
    void closedSessionsLeaveNothingBehind() {
        new SessionLeaks(drafter())
                .assertNone(watched -> {
                    try (var sequence =
                            new DraftingSequence(
                                    target(),
                                    watched,
                                    prompt(1),
                                    source(target(), 1),
                                    randomness(1),
                                    false)) {
                        sequence.round(budget());
                        sequence.round(budget(), Keep.DEEPEST_LEAF);
                    }
                });
    }

    @Check
    void hiddenStatesAreAskedForExactlyWhenDeclared() {
        assertThat(drafter().hiddenStates().isEmpty())
                .isEqualTo(!drafter().traits().needsHiddenStates());
    }

    @Check
    void whatIsDeclaredToBeReadIsRead() {
        var log = new ReadingLog();
        var watched = log.around(drafter());
        var decoder = decoder(target(), watched, FixedLength.drafterLimit());
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            decoder.decode(request(prompt, WARM), randomness(prompt));
        }

        assertThat(log.states())
                .describedAs("hidden states that were read")
                .isEqualTo(drafter().hiddenStates());
        assertThat(log.readRejected())
                .describedAs("whether scores of rejected nodes were read")
                .isEqualTo(drafter().traits().readsRejectedNodes());
    }

    /// Records what a drafter reads of the target. Confined to one thread.
    private static final class ReadingLog {
        private final Set<HiddenState> states = new HashSet<>();
        private boolean readRejected;

        /// Returns the drafter with recording.
        Drafter around(Drafter drafter) {
            return new WrappedDrafter(drafter, Watched::new);
        }

        /// Returns the hidden states that were read.
        Set<HiddenState> states() {
            return states;
        }

        /// Returns whether a node that was not accepted was read.
        boolean readRejected() {
            return readRejected;
        }

        private final class Watched extends WrappedDrafter.Session {
            Watched(DraftSession session) {
                super(session);
            }

            @Override
            public void begin(int[] prompt, HiddenStates promptStates) {
                super.begin(prompt, new LoggedStates(promptStates));
            }

            @Override
            public void observe(Draft draft, Verdict verdict, TargetScores scores) {
                super.observe(draft, verdict, new LoggedScores(scores, verdict));
            }
        }

        private final class LoggedStates implements HiddenStates {
            private final HiddenStates logged;

            LoggedStates(HiddenStates logged) {
                this.logged = logged;
            }

            @Override
            public int size() {
                return logged.size();
            }

            @Override
            public MemorySegment hidden(HiddenState which, int index) {
                states.add(which);
                return logged.hidden(which, index);
            }

            @Override
            public void close() {}
        }

        private final class LoggedScores implements TargetScores {
            private final TargetScores logged;
            private final Set<Integer> accepted;

            LoggedScores(TargetScores logged, Verdict verdict) {
                this.logged = logged;
                this.accepted = new HashSet<>(verdict.acceptedNodes());
                this.accepted.add(0);
            }

            @Override
            public int size() {
                return logged.size();
            }

            @Override
            public int vocabularySize() {
                return logged.vocabularySize();
            }

            @Override
            public MemorySegment hidden(HiddenState which, int index) {
                states.add(which);
                note(index);
                return logged.hidden(which, index);
            }

            @Override
            public MemorySegment logits(int node) {
                note(node);
                return logged.logits(node);
            }

            @Override
            public int argmax(int node) {
                note(node);
                return logged.argmax(node);
            }

            private void note(int node) {
                readRejected |= !accepted.contains(node);
            }

            @Override
            public void close() {}
        }
    }
}
