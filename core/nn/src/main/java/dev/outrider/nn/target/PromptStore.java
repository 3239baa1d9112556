package dev.outrider.nn.target;

import dev.outrider.common.PrefixSharing.KeptPrompts;
import dev.outrider.common.PrefixSharing.Reading;
import dev.outrider.common.Require;
import dev.outrider.common.Undo;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.SessionRequest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;

/// Prompts that a target has read: for each a session that nobody continues, and its states. Thread-safe.
final class PromptStore implements KeptPrompts {
    private final NetworkTarget model;
    private final long most;
    private final Set<HiddenState> states;
    private final long bytesPerRow;

    /// The one that was used last comes first.
    private final Deque<Kept> kept = new ArrayDeque<>();

    private boolean closed;

    /// @param most        bytes
    /// @param bytesPerRow that a token takes with its states
    PromptStore(NetworkTarget model, long most, Set<HiddenState> states, long bytesPerRow) {
        Require.that(most >= 0, "%d bytes for prompts, expected at least 0", most);
        this.model = model;
        this.most = most;
        this.states = Set.copyOf(states);
        this.bytesPerRow = bytesPerRow;
    }

    @Override
    public synchronized Reading read(int[] tokens) {
        long wanted = tokens.length * bytesPerRow;
        if (closed || tokens.length == 0 || wanted > most) {
            return Reading.REFUSED;
        }
        var known = kept.stream().filter(each -> Arrays.equals(each.tokens, tokens)).findAny();
        if (known.isPresent()) {
            use(known.get());
            return Reading.KNOWN;
        }
        model.requireReadable(tokens);
        while (bytes() + wanted > most) {
            kept.removeLast().drop();
        }
        try {
            keep(tokens, wanted);
            return Reading.READ;
        } catch (OutriderException e) {
            if (!e.code().equals(ErrorCode.OUT_OF_MEMORY)) {
                throw e;
            }
            forget(); // Sequences need the memory more.
            return Reading.REFUSED;
        }
    }

    private void keep(int[] tokens, long wanted) {
        var session = model.session(new SessionRequest(tokens.length, states));
        var read = Undo.onFailure(session::close, () -> session.read(tokens));
        kept.addFirst(new Kept(tokens.clone(), session, read, wanted));
    }

    private void forget() {
        kept.forEach(Kept::drop);
        kept.clear();
    }

    @Override
    public synchronized long bytes() {
        return kept.stream().mapToLong(each -> each.bytes).sum();
    }

    private void use(Kept used) {
        kept.remove(used);
        kept.addFirst(used);
    }

    /// How many tokens [#beginning] would find.
    synchronized int longest(int[] tokens, Set<HiddenState> wanted) {
        return states.containsAll(wanted)
                ? kept.stream().mapToInt(each -> each.common(tokens)).max().orElse(0)
                : 0;
    }

    /// The longest beginning of some tokens that is kept, for a session that asks for some states. The caller closes it.
    synchronized Optional<Beginning> beginning(int[] tokens, Set<HiddenState> wanted) {
        if (!states.containsAll(wanted)) {
            return Optional.empty();
        }
        var best =
                kept.stream()
                        .map(each -> new Beginning(each, each.common(tokens)))
                        .filter(each -> each.rows > 0)
                        .max(Comparator.comparingInt(Beginning::rows));
        best.ifPresent(each -> {
            use(each.of);
            each.of.take();
        });
        return best;
    }

    @Override
    public void close() {
        model.forget(this);
        synchronized (this) {
            closed = true;
            forget();
        }
    }

    /// A prompt that was read, in the hands of the store and of those that copy from it. Released with the last of them.
    private static final class Kept {
        private final int[] tokens;
        private final NetworkSession session;
        private final HiddenStates states;
        private final long bytes;
        private int holders = 1;

        Kept(int[] tokens, NetworkSession session, HiddenStates states, long bytes) {
            this.tokens = tokens;
            this.session = session;
            this.states = states;
            this.bytes = bytes;
        }

        int common(int[] others) {
            int difference = Arrays.mismatch(tokens, others);
            return difference < 0 ? tokens.length : difference;
        }

        synchronized void take() {
            holders++;
        }

        synchronized void drop() {
            holders--;
            if (holders == 0) {
                try (session) {
                    states.close();
                }
            }
        }
    }

    /// Rows that a sequence begins with.
    ///
    /// @param of   whose first rows they are
    /// @param rows how many
    record Beginning(Kept of, int rows) implements AutoCloseable {
        /// The session that has the rows; nobody continues it.
        NetworkSession session() {
            return of.session;
        }

        /// States of the rows and of those that were read after them. Closing it closes both.
        HiddenStates followedBy(HiddenStates rest) {
            return new Joined(this, rest);
        }

        @Override
        public void close() {
            of.drop();
        }
    }

    /// States of rows that were taken over, then of those that were read.
    private static final class Joined implements HiddenStates {
        private final Beginning beginning;
        private final HiddenStates rest;
        private boolean closed;

        Joined(Beginning beginning, HiddenStates rest) {
            this.beginning = beginning;
            this.rest = rest;
        }

        @Override
        public int size() {
            return beginning.rows + rest.size();
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            if (closed) {
                throw new IllegalStateException("the states are closed");
            }
            return index < beginning.rows
                    ? beginning.of.states.hidden(which, index)
                    : rest.hidden(which, index - beginning.rows);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                try (beginning) {
                    rest.close();
                }
            }
        }
    }
}
