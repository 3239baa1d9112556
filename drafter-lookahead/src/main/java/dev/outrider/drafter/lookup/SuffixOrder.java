package dev.outrider.drafter.lookup;

import java.util.Arrays;

/// Sorts the suffixes of a text by their first tokens: multikey quicksort. Suffixes that are equal
/// in all of these tokens are in the order of the text, so repeated text costs no more than other
/// text.
///
/// @see "Bentley and Sedgewick 1997, Fast algorithms for sorting and searching strings, section 2"
final class SuffixOrder {
    private static final int FEW = 12;

    private final int[] tokens;
    private final int sortedTokens;
    private final int[] order;

    private SuffixOrder(int[] tokens, int sortedTokens) {
        this.tokens = tokens;
        this.sortedTokens = sortedTokens;
        this.order = new int[tokens.length];
        Arrays.setAll(order, position -> position);
    }

    /// Returns the beginnings of the suffixes in ascending order.
    ///
    /// @param tokens       the text
    /// @param sortedTokens number of tokens of a suffix that are compared
    static int[] of(int[] tokens, int sortedTokens) {
        var sort = new SuffixOrder(tokens, sortedTokens);
        sort.sort(0, tokens.length, 0);
        return sort.order;
    }

    private void sort(int from, int to, int depth) {
        int low = from;
        int high = to;
        int level = depth;
        while (high - low > FEW && level < sortedTokens) {
            int pivot = pivot(low, high, level);
            int less = low;
            int greater = high;
            int next = low;
            while (next < greater) {
                int token = token(order[next], level);
                if (token < pivot) {
                    swap(less++, next++);
                } else if (token > pivot) {
                    swap(next, --greater);
                } else {
                    next++;
                }
            }
            sort(low, less, level);
            sort(greater, high, level);
            low = less;
            high = greater;
            level++;
        }
        if (level == sortedTokens) {
            Arrays.sort(order, low, high);
        } else {
            insert(low, high, level);
        }
    }

    private void insert(int from, int to, int depth) {
        for (int i = from + 1; i < to; i++) {
            int position = order[i];
            int at = i;
            while (at > from && comesBefore(position, order[at - 1], depth)) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = position;
        }
    }

    private boolean comesBefore(int one, int other, int depth) {
        for (int level = depth; level < sortedTokens; level++) {
            int difference = Integer.compare(token(one, level), token(other, level));
            if (difference != 0) {
                return difference < 0;
            }
        }
        return one < other;
    }

    /// Returns the median of three medians of three.
    private int pivot(int from, int to, int depth) {
        int step = (to - from) / 9;
        return median(
                ofThree(from, step, depth),
                ofThree(from + 3 * step, step, depth),
                ofThree(from + 6 * step, step, depth));
    }

    private int ofThree(int from, int step, int depth) {
        return median(
                token(order[from], depth),
                token(order[from + step], depth),
                token(order[from + 2 * step], depth));
    }

    private static int median(int a, int b, int c) {
        return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    }

    /// The end of the text sorts before every token.
    private int token(int position, int depth) {
        int at = position + depth;
        return at < tokens.length ? tokens[at] : -1;
    }

    private void swap(int a, int b) {
        int kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
}
