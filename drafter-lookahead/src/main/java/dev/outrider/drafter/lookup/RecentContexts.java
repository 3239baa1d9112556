package dev.outrider.drafter.lookup;

import java.util.Arrays;

/// Numbers contexts, at most `capacity` of them; beyond that, a new one takes the number of the
/// context that was not updated for the longest time. A hash table that compares the tokens
/// themselves, so it finds exactly equal contexts.
///
/// Memory: at most `4 (width + 5)` bytes per number; it grows by doubling. The numbers follow from
/// the calls alone. Confined to one thread.
final class RecentContexts {
    /// Marks a missing context.
    static final int NONE = -1;

    /// Fills the positions of a context shorter than `width`.
    private static final int NO_TOKEN = -1;

    private static final int FIRST_SIZE = 64;

    private final int width;
    private final int capacity;
    private int size;
    private int oldest = NONE;
    private int newest = NONE;

    /// By number: the tokens, the contexts updated just before and after it, and the next one of
    /// its bucket.
    private int[] tokens;

    private int[] older;
    private int[] newer;
    private int[] next;

    /// By hash: the first number of each bucket.
    private int[] buckets;

    /// @param width    maximum tokens of a context
    /// @param capacity maximum number of contexts, at least 1
    RecentContexts(int width, int capacity) {
        this.width = width;
        this.capacity = capacity;
        int room = Math.min(FIRST_SIZE, capacity);
        this.tokens = new int[room * width];
        this.older = new int[room];
        this.newer = new int[room];
        this.next = new int[room];
        this.buckets = emptyBuckets(room);
    }

    /// Creates a copy with the same numbers.
    RecentContexts(RecentContexts original) {
        this.width = original.width;
        this.capacity = original.capacity;
        this.size = original.size;
        this.oldest = original.oldest;
        this.newest = original.newest;
        this.tokens = original.tokens.clone();
        this.older = original.older.clone();
        this.newer = original.newer.clone();
        this.next = original.next.clone();
        this.buckets = original.buckets.clone();
    }

    /// Returns the room without growing: every number is below it.
    int room() {
        return next.length;
    }

    /// Returns the number of the context of the last `length` tokens, or [#NONE].
    int find(int[] context, int length) {
        int number = buckets[bucket(hash(context, length))];
        while (number != NONE && !same(number, context, length)) {
            number = next[number];
        }
        return number;
    }

    /// Makes a numbered context the newest.
    void renew(int number) {
        unlinkAge(number);
        linkNewest(number);
    }

    /// Gives a new context a number and makes it the newest.
    int add(int[] context, int length) {
        if (size == room() && size < capacity) {
            grow();
        }
        int number = size < capacity ? size++ : forgetOldest();
        int start = number * width;
        Arrays.fill(tokens, start, start + width - length, NO_TOKEN);
        System.arraycopy(context, context.length - length, tokens, start + width - length, length);
        linkBucket(number);
        linkNewest(number);
        return number;
    }

    long bytes() {
        return (long) Integer.BYTES * (tokens.length + 3L * next.length + buckets.length);
    }

    private int forgetOldest() {
        int number = oldest;
        unlinkAge(number);
        int bucket = bucket(hash(number));
        if (buckets[bucket] == number) {
            buckets[bucket] = next[number];
        } else {
            int before = buckets[bucket];
            while (next[before] != number) {
                before = next[before];
            }
            next[before] = next[number];
        }
        return number;
    }

    private void linkBucket(int number) {
        int bucket = bucket(hash(number));
        next[number] = buckets[bucket];
        buckets[bucket] = number;
    }

    private void linkNewest(int number) {
        older[number] = newest;
        newer[number] = NONE;
        if (newest == NONE) {
            oldest = number;
        } else {
            newer[newest] = number;
        }
        newest = number;
    }

    private void unlinkAge(int number) {
        if (older[number] == NONE) {
            oldest = newer[number];
        } else {
            newer[older[number]] = newer[number];
        }
        if (newer[number] == NONE) {
            newest = older[number];
        } else {
            older[newer[number]] = older[number];
        }
    }

    private void grow() {
        int room = (int) Math.min(2L * room(), capacity);
        tokens = Arrays.copyOf(tokens, room * width);
        older = Arrays.copyOf(older, room);
        newer = Arrays.copyOf(newer, room);
        next = Arrays.copyOf(next, room);
        buckets = emptyBuckets(room);
        for (int number = 0; number < size; number++) {
            linkBucket(number);
        }
    }

    private boolean same(int number, int[] context, int length) {
        int end = (number + 1) * width;
        return (length == width || tokens[end - length - 1] == NO_TOKEN)
                && Arrays.equals(
                        tokens,
                        end - length,
                        end,
                        context,
                        context.length - length,
                        context.length);
    }

    private int hash(int number) {
        int end = (number + 1) * width;
        int hash = 0;
        for (int i = 1; i <= width && tokens[end - i] != NO_TOKEN; i++) {
            hash = mixed(hash, tokens[end - i]);
        }
        return hash;
    }

    private static int hash(int[] context, int length) {
        int hash = 0;
        for (int i = 1; i <= length; i++) {
            hash = mixed(hash, context[context.length - i]);
        }
        return hash;
    }

    private static int mixed(int hash, int token) {
        int product = (hash + token + 1) * 0x9e3779b1;
        return product ^ product >>> 15;
    }

    private int bucket(int hash) {
        return hash & buckets.length - 1;
    }

    /// Returns as many buckets as numbers, rounded up to a power of two.
    private static int[] emptyBuckets(int room) {
        var empty = new int[room == 1 ? 1 : 2 * Integer.highestOneBit(room - 1)];
        Arrays.fill(empty, NONE);
        return empty;
    }
}
