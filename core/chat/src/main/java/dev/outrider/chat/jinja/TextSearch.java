package dev.outrider.chat.jinja;

/// Finds a text in other texts in time linear in both.
///
/// @see "Knuth, Morris and Pratt 1977"
final class TextSearch {
    private final String wanted;
    private final boolean backwards;
    private final Budget budget;

    /// For each prefix length, the length of its longest proper prefix that is also its suffix.
    private final int[] borders;

    private TextSearch(String wanted, boolean backwards, Budget budget) {
        this.wanted = wanted;
        this.backwards = backwards;
        this.budget = budget;
        budget.work(wanted.length());
        budget.make((long) Integer.BYTES * wanted.length());
        borders = borders();
    }

    /// @param wanted not empty
    static TextSearch forwards(String wanted, Budget budget) {
        return new TextSearch(wanted, false, budget);
    }

    /// Returns a search from the end: positions are counted from the end of the text to the end
    /// of the match.
    ///
    /// @param wanted not empty
    static TextSearch backwards(String wanted, Budget budget) {
        return new TextSearch(wanted, true, budget);
    }

    static boolean contains(String text, String wanted, Budget budget) {
        return wanted.isEmpty() || forwards(wanted, budget).in(text, 0) >= 0;
    }

    /// Returns the number of occurrences without overlaps.
    long count(String text) {
        long count = 0;
        for (int at = in(text, 0); at >= 0; at = in(text, at + wanted.length())) {
            count++;
        }
        return count;
    }

    /// Returns the first position at or after `from`, or -1.
    int in(String text, int from) {
        int matched = 0;
        for (int at = from; at < text.length(); at++) {
            char next = at(text, at);
            while (matched > 0 && at(wanted, matched) != next) {
                matched = borders[matched - 1];
            }
            if (at(wanted, matched) == next) {
                matched++;
            }
            if (matched == wanted.length()) {
                budget.work(at + 1L - from);
                return at + 1 - matched;
            }
        }
        budget.work(text.length() - from);
        return -1;
    }

    private int[] borders() {
        var result = new int[wanted.length()];
        int border = 0;
        for (int length = 1; length < result.length; length++) {
            while (border > 0 && at(wanted, border) != at(wanted, length)) {
                border = result[border - 1];
            }
            if (at(wanted, border) == at(wanted, length)) {
                border++;
            }
            result[length] = border;
        }
        return result;
    }

    private char at(String text, int place) {
        return text.charAt(backwards ? text.length() - 1 - place : place);
    }
}
