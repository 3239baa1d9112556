package dev.outrider.nn.target;

import dev.outrider.common.CopiedStates;
import dev.outrider.common.PrefixSharing.KeptPrompts;
import dev.outrider.common.Require;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.SessionRequest;
import java.lang.foreign.Arena;
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
    public synchronized int read(int[] tokens, int rows) {
        kept.stream()
                .filter(each -> each.common(tokens) == tokens.length)
                .findAny()
                .ifPresent(this::use);
        int known = longest(tokens, states);
        long wanted = tokens.length * bytesPerRow;
        if (rows == 0 || known == tokens.length || closed || wanted > most) {
            return known;
        }
        model.requireReadable(tokens);
        try {
            var growing =
                    kept.stream()
                            .filter(each -> Arrays.equals(each.tokens, tokens))
                            .findAny()
                            .orElseGet(() -> begin(tokens, wanted));
            growing.read(rows);
            if (growing.rows == tokens.length) {
                kept.stream()
                        .filter(each ->
                                each != growing && each.common(tokens) == each.tokens.length)
                        .toList()
                        .forEach(this::remove);
            }
            return growing.rows;
        } catch (OutriderException e) {
            forget(); // Sequences need the memory more.
            if (!e.code().equals(ErrorCode.OUT_OF_MEMORY)) {
                throw e;
            }
            return 0;
        }
    }

    /// A prompt of which the rows that are kept already are read.
    private Kept begin(int[] tokens, long wanted) {
        while (bytes() + wanted > most) {
            remove(kept.getLast());
        }
        var session = model.session(new SessionRequest(tokens.length, states));
        var begun =
                new Kept(
                        tokens.clone(),
                        session,
                        new CopiedStates(states, Arena.ofShared()),
                        wanted);
        kept.addFirst(begun);
        beginning(tokens, states)
                .ifPresent(from ->
                        begun.add(session.continued(from, Arrays.copyOf(tokens, from.rows))));
        return begun;
    }

    private void remove(Kept each) {
        kept.remove(each);
        each.drop();
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
        private final CopiedStates states;
        private final long bytes;
        private int rows;
        private int holders = 1;

        Kept(int[] tokens, NetworkSession session, CopiedStates states, long bytes) {
            this.tokens = tokens;
            this.session = session;
            this.states = states;
            this.bytes = bytes;
        }

        /// Reads the next tokens.
        void read(int most) {
            int end = rows + Math.min(most, tokens.length - rows);
            add(session.read(Arrays.copyOfRange(tokens, rows, end)));
        }

        /// Takes over states of rows that the session has now.
        void add(HiddenStates part) {
            try (part) {
                states.add(part);
            }
            rows = session.length();
        }

        int common(int[] others) {
            int difference = Arrays.mismatch(tokens, others);
            return difference < 0 ? rows : Math.min(rows, difference);
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
