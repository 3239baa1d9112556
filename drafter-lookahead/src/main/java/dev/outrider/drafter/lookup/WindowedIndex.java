package dev.outrider.drafter.lookup;

import dev.outrider.common.Require;
import dev.outrider.drafter.lookup.HistorySession.HistoryIndex;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.tree.TokenTree;
import java.util.function.Supplier;

/// An index with a limit: it never has more than `window` tokens. When it is full it is built
/// again from the last half of them, so every token is indexed at most twice and the time stays
/// linear. The forgotten part depends on the number of tokens alone, so a new session with the same
/// tokens has the same index.
public final class WindowedIndex implements HistoryIndex {
    /// The smallest window.
    public static final int MIN_WINDOW = 16;

    private final Supplier<HistoryIndex> empty;
    private final int window;
    private HistoryIndex index;
    private CommittedTokens recent = new CommittedTokens();

    /// @param empty  creates the index of one half
    /// @param window maximum tokens, at least [#MIN_WINDOW]
    public WindowedIndex(Supplier<HistoryIndex> empty, int window) {
        Require.atLeast("window", window, MIN_WINDOW);
        this.empty = empty;
        this.window = window;
        this.index = empty.get();
    }

    @Override
    public void append(int token) {
        if (recent.length() == window) {
            forgetHalf();
        }
        add(token);
    }

    @Override
    public TokenTree guess(DraftBudget budget) {
        return index.guess(budget);
    }

    private void forgetHalf() {
        var kept = recent.range(window - window / 2, window);
        index = empty.get();
        recent = new CommittedTokens();
        for (int token : kept) {
            add(token);
        }
    }

    private void add(int token) {
        recent.append(token);
        index.append(token);
    }
}
