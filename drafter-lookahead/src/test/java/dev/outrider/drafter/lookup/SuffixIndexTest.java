package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.tree.TokenTree;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SuffixIndexTest {
    private static final DraftBudget BUDGET = new DraftBudget(64, 40);

    @Test
    void aMatchOfMTokensIsContinuedByOnePlusFourM() {
        int[] text = new int[42];
        for (int i = 0; i < 40; i++) {
            text[i] = i;
        }
        text[40] = 3;
        text[41] = 4;

        assertThat(indexOf(1, Arrays.copyOf(text, 41)).guess(BUDGET))
                .isEqualTo(TokenTree.chain(3, 4, 5, 6, 7, 8));
        assertThat(indexOf(1, text).guess(BUDGET))
                .isEqualTo(TokenTree.chain(4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
    }

    @Test
    void whereTooLittleFollowsAnEarlierPlaceOfAShorterSuffixIsTaken() {
        var index = indexOf(1, 9, 5, 6, 7, 8, 1, 2, 3, 9, 4, 9, 4, 9);

        // (9, 4, 9) recurs with two tokens after its first place; 9 alone came first of all.
        assertThat(index.guess(BUDGET).token(1)).isEqualTo(5);
    }

    @Test
    void branchesContinueShorterSuffixesToo() {
        int[] text = {1, 2, 3, 10, 11, 0, 7, 2, 3, 20, 21, 0, 8, 3, 30, 31, 0, 1, 2, 3};

        var tree = indexOf(3, text).guess(new DraftBudget(64, 2));

        assertThat(tree)
                .isEqualTo(
                        tree(builder -> {
                            int ten = builder.add(0, 10);
                            builder.add(ten, 11);
                        }));
        var richer =
                indexOf(3, 5, 3, 30, 31, 0, 7, 2, 3, 20, 21, 0, 1, 2, 3, 10, 11, 0, 9, 1, 2, 3)
                        .guess(new DraftBudget(5, 2));
        assertThat(richer)
                .isEqualTo(
                        tree(builder -> {
                            int ten = builder.add(0, 10);
                            builder.add(ten, 11);
                            int twenty = builder.add(0, 20);
                            builder.add(twenty, 21);
                            builder.add(0, 30);
                        }));
    }

    @Test
    void budgetsAreKeptOnPeriodicTexts() {
        var index = indexOf(4, new int[500]);
        for (int nodes = 0; nodes < 6; nodes++) {
            var tree = index.guess(new DraftBudget(nodes, Math.min(nodes, 3)));

            assertThat(tree.draftedNodes()).isLessThanOrEqualTo(nodes);
            assertThat(tree.maxDepth()).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void aMatchThatIsTooShortIsNotContinued() {
        var index = new SuffixIndex(new SuffixAutomatonConfig(40, 1, 3, 0, 1000));
        for (int token : new int[] {1, 2, 3, 4, 5, 1, 2}) {
            index.append(token);
        }
        assertThat(index.guess(BUDGET).draftedNodes()).isZero();

        index.append(3);
        assertThat(index.guess(BUDGET).token(1)).isEqualTo(4);
    }

    @Test
    void noiseIsNotGuessedAt() {
        var index = new SuffixIndex(new SuffixAutomatonConfig(40, 1, 1, 0.4, 10_000));
        int drafted = 0;
        int[] text = Noise.tokens(8, 600);
        for (int i = 0; i < text.length; i++) {
            index.append(text[i]);
            drafted += i < 300 ? 0 : index.guess(BUDGET).draftedNodes();
        }
        assertThat(drafted).isLessThan(30);
    }

    @Test
    void settingsThatCannotWorkAreRefused() {
        assertThatThrownBy(() -> new SuffixAutomatonConfig(0, 1, 1, 0, 1000))
                .hasMessage("length 0 must be between 1 and 1024");
        assertThatThrownBy(() -> new SuffixAutomatonConfig(40, 17, 1, 0, 1000))
                .hasMessage("branches 17 must be between 1 and 16");
        assertThatThrownBy(() -> new SuffixAutomatonConfig(40, 1, 0, 0, 1000))
                .hasMessage("minMatch 0 must be at least 1");
        assertThatThrownBy(() -> new SuffixAutomatonConfig(40, 1, 1, -0.1, 1000))
                .hasMessage("minChance -0.1 must be between 0 and 1");
        assertThatThrownBy(() -> new SuffixAutomatonConfig(40, 1, 1, 0, 3))
                .hasMessage("window 3 must be at least 16");
    }

    private static TokenTree tree(java.util.function.Consumer<TokenTree.Builder> nodes) {
        var builder = TokenTree.builder(3);
        nodes.accept(builder);
        return builder.build();
    }

    private static SuffixIndex indexOf(int branches, int... text) {
        var index = new SuffixIndex(new SuffixAutomatonConfig(40, branches, 1, 0, 1000));
        Arrays.stream(text).forEach(index::append);
        return index;
    }
}
