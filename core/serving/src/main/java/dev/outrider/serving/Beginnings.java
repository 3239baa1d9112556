package dev.outrider.serving;

import dev.outrider.common.PrefixSharing;
import dev.outrider.common.PrefixSharing.KeptPrompts;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.target.HiddenState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/// Shares the common prefixes of prompts: the second prompt with a prefix reads it into the target's store, and later prompts take
/// it from there. Shares nothing if the target cannot share prefixes. Confined to the loop, except [#bytes].
final class Beginnings implements AutoCloseable {
    /// A shorter prefix is read by every prompt.
    static final int LEAST = 32;

    /// The length of a prefix is a multiple of this: prompts with different endings may have a few more tokens in common by chance.
    private static final int BLOCK = 16;

    private static final int RECENT = 64;

    /// The part of the memory for caches that prefixes use at most while no request needs it.
    private static final int PART_OF_MEMORY = 4;

    private final Optional<PrefixSharing> sharing;
    private final Set<HiddenState> states = new HashSet<>();
    private final long most;
    private final LongSupplier free;
    private final Deque<int[]> recent = new ArrayDeque<>();
    private final List<Beginning> readers = new ArrayList<>();
    private Optional<KeptPrompts> store;
    private volatile long bytes;

    /// @param sharing the target's, if sharing is wanted
    /// @param memory bytes for the caches of all requests and for prefixes
    /// @param free   bytes of them that no request uses
    Beginnings(
            Optional<PrefixSharing> sharing,
            Collection<ServedVariant> variants,
            long memory,
            LongSupplier free) {
        this.sharing = sharing;
        variants.forEach(each ->
                each.decoder().drafter().map(Drafter::hiddenStates).ifPresent(states::addAll));
        this.most = memory / PART_OF_MEMORY;
        this.free = free;
        this.store = open();
    }

    private Optional<KeptPrompts> open() {
        return sharing.map(each -> each.keep(most, states));
    }

    /// Returns the prefix of a prompt that it shares with others. The last token is not part of it: it is the root of the first
    /// tree.
    ///
    /// @param wanted states that the sequence asks for
    /// @return empty if prompts are not shared, or not with these states
    Optional<Beginning> of(int[] prompt, Set<HiddenState> wanted) {
        if (store.isEmpty() || !states.containsAll(wanted)) {
            return Optional.empty();
        }
        int common = recent.stream().mapToInt(each -> common(each, prompt)).max().orElse(0);
        int shared = Math.min(common, prompt.length - 1) / BLOCK * BLOCK;
        recent.addFirst(prompt);
        if (recent.size() > RECENT) {
            recent.removeLast();
        }
        int known = known(Arrays.copyOf(prompt, prompt.length - 1));
        int length = shared - known < LEAST ? known : shared;
        var beginning = new Beginning(Arrays.copyOf(prompt, length < LEAST ? 0 : length));
        readers.add(beginning);
        return Optional.of(beginning);
    }

    private static int common(int[] one, int[] other) {
        int difference = Arrays.mismatch(one, other);
        return difference < 0 ? one.length : difference;
    }

    private int known(int[] tokens) {
        return store.map(each -> each.read(tokens, 0)).orElse(0);
    }

    /// Returns the used bytes. For any thread; does not wait for a reading.
    long bytes() {
        return bytes;
    }

    /// Frees all prefixes.
    void forget() {
        close();
        store = open();
    }

    @Override
    public void close() {
        store.ifPresent(KeptPrompts::close);
        store = Optional.empty();
        bytes = 0;
    }

    /// The prefix of a prompt. Closed when its request continues without it.
    final class Beginning implements AutoCloseable {
        private final int[] tokens;
        private int last;
        private boolean refused;

        private Beginning(int[] tokens) {
            this.tokens = tokens;
        }

        /// Returns the number of its tokens that are kept now.
        int known() {
            return tokens.length == 0 ? 0 : Beginnings.this.known(tokens);
        }

        /// Returns whether there is nothing left to read, or no memory to keep more.
        boolean over() {
            return refused || known() == tokens.length;
        }

        /// Reads a part, while there is memory for it. Tokens that were dropped since the last part are not read again.
        ///
        /// @return number of tokens that were read
        int read(int rows) {
            int before = known();
            boolean stopped = over() || before < last || most > free.getAsLong();
            last = stopped ? before : store.map(each -> each.read(tokens, rows)).orElse(0);
            count();
            refused = last <= before;
            return Math.max(0, last - before);
        }

        /// Drops a prefix that this sequence did not read to its end, unless another sequence reads it too.
        @Override
        public void close() {
            readers.remove(this);
            if (readers.stream().noneMatch(each -> Arrays.equals(each.tokens, tokens))) {
                store.ifPresent(each -> each.abandon(tokens));
            }
            count();
        }

        private void count() {
            bytes = store.map(KeptPrompts::bytes).orElse(0L);
        }
    }
}
