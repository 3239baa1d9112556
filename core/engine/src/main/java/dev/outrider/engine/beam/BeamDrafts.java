package dev.outrider.engine.beam;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// The sessions that draft for the live beams of a search, one each.
///
/// A beam's session continues with the best beam that comes from it: its draft is judged by that beam's tokens, as a round's
/// verdict would. The other beams that come from it take the sessions of beams that ended, or new ones. Owns the sessions. Confined
/// to one thread.
final class BeamDrafts implements AutoCloseable {
    private static final DraftBudget NOTHING = new DraftBudget(0, 0);

    private final Supplier<DraftSession> opening;
    private final int[] prompt;
    private final UnreadScores scores;
    private final List<DraftSession> open = new ArrayList<>();
    private final Deque<Drafting> spare = new ArrayDeque<>();
    private Map<Beam, Drafting> drafting = new HashMap<>();

    /// A session and the draft it proposed last.
    private static final class Drafting {
        private final DraftSession session;
        private Optional<Draft> proposed = Optional.empty();

        Drafting(DraftSession session) {
            this.session = session;
        }
    }

    /// @param opening    opens a session that has not begun
    /// @param prompt     tokens before those of every beam
    /// @param vocabulary number of the target's tokens
    BeamDrafts(Supplier<DraftSession> opening, int[] prompt, int vocabulary) {
        this.opening = opening;
        this.prompt = prompt;
        this.scores = new UnreadScores(vocabulary);
    }

    /// Guesses what follows a live beam.
    Draft propose(Beam beam, DraftBudget budget, Randomness randomness) {
        var own = Objects.requireNonNull(drafting.get(beam));
        var draft = own.session.propose(budget, randomness);
        own.proposed = Optional.of(draft);
        return draft;
    }

    /// Gives every live beam a session that knows its text.
    ///
    /// @param live       the best first
    /// @param randomness of the session with a number, for sessions that draft nothing in this round
    void follow(List<Beam> live, IntFunction<Randomness> randomness) {
        var before = drafting;
        drafting = new HashMap<>();
        for (int rank = 0; rank < live.size(); rank++) {
            var beam = live.get(rank);
            var line = lineage(beam, before);
            if (line.isPresent()) {
                var own = Objects.requireNonNull(before.remove(line.get()));
                observe(own, tail(beam, line.get()), randomness.apply(rank));
                drafting.put(beam, own);
            }
        }
        spare.addAll(before.values());
        for (var beam : live) {
            if (!drafting.containsKey(beam)) {
                drafting.put(beam, begun(beam.text(prompt)));
            }
        }
    }

    /// Returns the nearest earlier beam of the same text whose session is still free, if there is one.
    private static Optional<Beam> lineage(Beam beam, Map<Beam, Drafting> sessions) {
        Optional<Beam> walker = Optional.of(beam);
        while (walker.isPresent() && !sessions.containsKey(walker.get())) {
            walker = walker.get().before();
        }
        return walker;
    }

    private static int[] tail(Beam beam, Beam before) {
        int[] tokens = beam.tokens();
        return Arrays.copyOfRange(tokens, before.length(), tokens.length);
    }

    /// Tells a session the tokens that followed. For tokens beyond its draft the session gets rounds of plain decoding.
    private void observe(Drafting own, int[] tokens, Randomness randomness) {
        int told = 0;
        while (told < tokens.length) {
            var draft = own.proposed.orElseGet(() -> own.session.propose(NOTHING, randomness));
            own.proposed = Optional.empty();
            var accepted = accepted(draft.tree(), tokens, told);
            int last = told + accepted.size();
            own.session.observe(draft, verdict(draft.tree(), accepted, tokens[last]), scores);
            told = last + 1;
        }
    }

    private static Verdict verdict(TokenTree tree, List<Integer> accepted, int next) {
        int last = accepted.isEmpty() ? 0 : accepted.getLast();
        boolean leaf = tree.candidates(last).length == 0;
        return new Verdict(accepted, next, leaf ? Verdict.Origin.BONUS : Verdict.Origin.CORRECTION);
    }

    /// The path of the draft that carries the tokens, all but the last of them at most.
    private static List<Integer> accepted(TokenTree tree, int[] tokens, int from) {
        var path = new ArrayList<Integer>();
        int node = 0;
        for (int index = from; index < tokens.length - 1; index++) {
            int wanted = tokens[index];
            var next =
                    Arrays.stream(tree.candidates(node))
                            .filter(child -> tree.token(child) == wanted)
                            .findFirst();
            if (next.isEmpty()) {
                return path;
            }
            node = next.getAsInt();
            path.add(node);
        }
        return path;
    }

    private Drafting begun(int[] text) {
        if (!spare.isEmpty()) {
            var session = spare.remove().session;
            if (session.restart(text.clone())) {
                return new Drafting(session);
            }
            open.remove(session);
            session.close();
        }
        var session = opening.get();
        open.add(session);
        session.begin(text, UnreadScores.ofPrompt(scores.vocabularySize()));
        return new Drafting(session);
    }

    @Override
    public void close() {
        for (var session : open.reversed()) {
            session.close();
        }
        open.clear();
    }

    /// The scores that a drafter gets in a beam search: none can be read. Drafters that declare reads are refused earlier.
    ///
    /// @param vocabularySize number of the target's tokens
    private record UnreadScores(int vocabularySize) implements TargetScores {
        /// Hidden states of no token.
        static HiddenStates ofPrompt(int vocabularySize) {
            return new UnreadScores(vocabularySize);
        }

        @Override
        public MemorySegment logits(int node) {
            throw unreadable("scores");
        }

        @Override
        public int size() {
            return 0;
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            throw unreadable("hidden states");
        }

        @Override
        public void close() {}

        private static OutriderException unreadable(String what) {
            return ErrorCode.CAPABILITY_MISSING.error(
                    "the drafter reads %s of the target, but in a beam search it sees the text alone"
                            .formatted(what),
                    "Choose a drafter that drafts from the text, such as 'prompt-lookup' or 'small-model'.");
        }
    }
}
