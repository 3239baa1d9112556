package com.example.fuzzylookup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.FirstDraft;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Tests the properties that only this drafter has; the conformance test checks those of every drafter.
class FuzzyLookupTest {
    private static final TableTarget TARGET =
            TableTarget.of(TableModel.random(9, DistributionStyle.DENSE, 1));

    @Test
    void continuesWhereTheSameTokensOccurred() {
        assertArrayEquals(
                new int[] {3, 4, 5, 1},
                guesses(new FuzzyLookupConfig(2, 0, 4), 0, 1, 2, 3, 4, 5, 1, 2));
    }

    @Test
    void continuesWhereOneTokenWasAnother() {
        int[] text = {6, 1, 2, 3, 4, 7, 1, 2, 3};

        assertEquals(0, guesses(new FuzzyLookupConfig(4, 0, 4), text).length);
        assertArrayEquals(new int[] {4, 7, 1, 2}, guesses(new FuzzyLookupConfig(4, 1, 4), text));
    }

    @Test
    void prefersFewerMismatchesToAMoreRecentPlace() {
        assertArrayEquals(
                new int[] {5},
                guesses(new FuzzyLookupConfig(3, 1, 1), 1, 2, 3, 5, 8, 2, 3, 6, 1, 2, 3));
    }

    private static int[] guesses(FuzzyLookupConfig config, int... text) {
        var drafter = new FuzzyLookupFactory().create(config, () -> TARGET);
        int[] tree = FirstDraft.of(drafter, DraftBudget.chain(config.length()), text).tree().tokens();
        return Arrays.copyOfRange(tree, 1, tree.length);
    }
}
