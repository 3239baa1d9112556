package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.lookup.HistorySession.HistoryIndex;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowedIndexTest {
    private final List<CommittedTokens> built = new ArrayList<>();
    private int appends;

    @Test
    void neverHoldsMoreThanTheWindowAndKeepsTheLastHalf() {
        var index = new WindowedIndex(Remembering::new, 16);
        for (int token = 0; token < 1000; token++) {
            index.append(token);
            assertThat(built.getLast().length()).isLessThanOrEqualTo(16);
            assertThat(built.getLast().root()).isEqualTo(token);
            assertThat(built.getLast().length()).isGreaterThanOrEqualTo(Math.min(token + 1, 8));
        }
        assertThat(built.getLast().range(0, 9))
                .startsWith(built.getLast().root() - built.getLast().length() + 1);
    }

    @Test
    void everyTokenIsIndexedAtMostTwice() {
        var index = new WindowedIndex(Remembering::new, 100);
        for (int token = 0; token < 10_000; token++) {
            index.append(token);
        }
        assertThat(appends).isLessThanOrEqualTo(20_000);
    }

    @Test
    void memoryStopsGrowing() {
        var index = new WindowedIndex(Remembering::new, 64);
        long most = 0;
        for (int token = 0; token < 100; token++) {
            index.append(token);
            most = Math.max(most, HeldBytes.of(index));
        }
        for (int token = 0; token < 10_000; token++) {
            index.append(token);
            assertThat(HeldBytes.of(index)).isLessThanOrEqualTo(most);
        }
    }

    @Test
    void aWindowThatIsTooSmallIsRefused() {
        assertThatThrownBy(() -> new WindowedIndex(Remembering::new, 15))
                .hasMessage("window 15 must be at least 16");
    }

    private final class Remembering implements HistoryIndex {
        private final CommittedTokens tokens = new CommittedTokens();

        Remembering() {
            built.add(tokens);
        }

        @Override
        public void append(int token) {
            appends++;
            tokens.append(token);
        }

        @Override
        public TokenTree guess(DraftBudget budget) {
            return TokenTree.rootOnly(tokens.root());
        }
    }
}
