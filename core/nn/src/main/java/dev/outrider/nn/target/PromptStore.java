package dev.outrider.nn.target;

import dev.outrider.common.CopiedStates;
import dev.outrider.common.PrefixSharing.KeptPrompts;
import dev.outrider.common.PrefixSharing.Reading;
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

/// Prompts that a target has read. Each has its states and a session that is not continued. Thread-safe.
final class PromptStore implements KeptPrompts {
    private final NetworkTarget model;
    private final long most;
    private final Set<HiddenState> states;
    private final long bytesPerRow;

    /// The kept prompts; the one that was used last comes first.
    private final Deque<Kept> kept = new ArrayDeque<>();

    private boolean closed;

    /// @param most        bytes
    /// @param bytesPerRow of a token with its states
    PromptStore(NetworkTarget model, long most, Set<HiddenState> states, long bytesPerRow) {
        Require.that(most >= 0, "%d bytes for prompts, expected at least 0", most);
        this.model = model;
        this.most = most;
        this.states = Set.copyOf(states);
        this.bytesPerRow = bytesPerRow;
    }

    @Override
    public synchronized Reading read(int[] tokens) {
        if (tokens.length > 0 && read(tokens, 0, same(tokens)) == tokens.length) {
            return Reading.KNOWN;
        }
        int known = read(tokens, tokens.length, same(tokens));
        return tokens.length > 0 && known == tokens.length ? Reading.READ : Reading.REFUSED;
    }

    @Override
    public synchronized int read(int[] tokens, int rows) {
        int known = read(tokens, rows, closest(tokens));
        if (rows > 0 && known == tokens.length) {
            kept.stream()
                    .filter(each -> Arrays.mismatch(tokens, each.tokens) == each.tokens.length)
                    .toList()
                    .forEach(this::remove);
        }
        return known;
    }

    /// @param source a kept prompt whose rows are copied, not read again
    private int read(int[] tokens, int rows, Optional<Kept> source) {
        source.filter(each -> each.common(tokens) == tokens.length).ifPresent(this::use);
        int known = source.map(each -> each.common(tokens)).orElse(0);
        var own = same(tokens);
        boolean behind = own.filter(each -> each.rows < known).isPresent();
        if (rows == 0 || known == tokens.length || closed || behind) {
            return known;
        }
        model.requireReadable(tokens);
        try {
            return own.or(() -> begin(tokens, source)).map(each -> each.read(rows)).orElse(known);
        } catch (Throwable e) {
            forget(); // What failed may be half read, and sequences need the memory more.
            if (e instanceof OutriderException told
                    && told.code().equals(ErrorCode.OUT_OF_MEMORY)) {
                return 0;
            }
            throw e;
        }
    }

    /// Returns a new prompt that starts with the rows that are already kept. It is empty if memory is too small for it together
    /// with the prompt that has these rows and the prompts that are being read.
    private Optional<Kept> begin(int[] tokens, Optional<Kept> source) {
        long wanted = tokens.length * bytesPerRow;
        var spare = new ArrayDeque<>(kept);
        spare.removeIf(
                each -> each.rows < each.tokens.length || source.filter(each::equals).isPresent());
        if (bytes() - spare.stream().mapToLong(each -> each.bytes).sum() + wanted > most) {
            return Optional.empty();
        }
        while (bytes() + wanted > most) {
            remove(spare.removeLast());
        }
        var session = model.session(new SessionRequest(tokens.length, states));
        var copies = new CopiedStates(states, Arena.ofShared());
        var begun = new Kept(tokens.clone(), session, copies, wanted);
        kept.addFirst(begun);
        source.flatMap(_ -> beginning(tokens, states))
                .ifPresent(from ->
                        begun.add(session.continued(from, Arrays.copyOf(tokens, from.rows))));
        return Optional.of(begun);
    }

    private Optional<Kept> same(int[] tokens) {
        return kept.stream().filter(each -> Arrays.equals(each.tokens, tokens)).findAny();
    }

    /// Returns the prompt with the longest common prefix with some tokens; of several, the one that was used last.
    private Optional<Kept> closest(int[] tokens) {
        return kept.stream()
                .filter(each -> each.common(tokens) > 0)
                .max(Comparator.comparingInt(each -> each.common(tokens)));
    }

    @Override
    public synchronized void abandon(int[] tokens) {
        same(tokens).filter(each -> each.rows < tokens.length).ifPresent(this::remove);
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

    /// Returns the number of tokens that [#beginning] would find.
    synchronized int longest(int[] tokens, Set<HiddenState> wanted) {
        return states.containsAll(wanted)
                ? closest(tokens).map(each -> each.common(tokens)).orElse(0)
                : 0;
    }

    /// Returns the longest kept beginning of some tokens, for a session that asks for some states. The caller closes it.
    synchronized Optional<Beginning> beginning(int[] tokens, Set<HiddenState> wanted) {
        if (!states.containsAll(wanted)) {
            return Optional.empty();
        }
        var best = closest(tokens).map(each -> new Beginning(each, each.common(tokens)));
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

    /// A prompt that was read, shared by the store and those that copy from it. Released with the last of them.
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

        /// Reads the next tokens; returns the number of tokens read so far.
        int read(int most) {
            int end = rows + Math.min(most, tokens.length - rows);
            add(session.read(Arrays.copyOfRange(tokens, rows, end)));
            return rows;
        }

        /// Takes over the states of the rows that the session has now.
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
    /// @param of   the prompt whose first rows they are
    /// @param rows number of rows
    record Beginning(Kept of, int rows) implements AutoCloseable {
        /// Returns the session that has the rows, which must not be continued.
        NetworkSession session() {
            return of.session;
        }

        /// Returns states of these rows, followed by states of rows that were read after them. Closing it closes both.
        HiddenStates followedBy(HiddenStates rest) {
            return new Joined(this, rest);
        }

        @Override
        public void close() {
            of.drop();
        }
    }

    /// States of copied rows, then those of rows that were read.
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
