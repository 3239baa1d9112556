package com.example.retrieval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.FirstDraft;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests the properties that only this drafter has. Token 0 is `a`, 1 is `b` and so on.
class RetrievalTest {
    private static final TableTarget TARGET =
            TableTarget.of(TableModel.random(9, DistributionStyle.DENSE, 1));

    @TempDir private Path folder;

    @Test
    void continuationsThatBeginAlikeShareNodes() throws IOException {
        var tree = draft("abcd abce", new DraftBudget(9, 9), 0, 1);

        var expected = TokenTree.builder(1);
        int c = expected.add(0, 2);
        expected.add(c, 3);
        expected.add(c, 4);
        assertEquals(expected.build(), tree);
    }

    @Test
    void draftsNoMoreThanTheBudgetAllows() throws IOException {
        assertEquals(TokenTree.chain(1, 2), draft("abcd abce", new DraftBudget(9, 1), 0, 1));
        assertEquals(TokenTree.chain(1, 2, 3), draft("abcd abce", new DraftBudget(2, 2), 0, 1));
        assertEquals(TokenTree.rootOnly(1), draft("abcd abce", new DraftBudget(0, 0), 0, 1));
    }

    @Test
    void theDigestIsThatOfTheText() throws IOException {
        assertNotEquals(drafter("abcd").digest(), drafter("abce").digest());
    }

    @Test
    void aTextThatIsMissingOrTooShortIsRefusedWithACode() {
        var missing = new RetrievalConfig(folder.resolve("none.txt"), 2, 4, 2);
        var failure =
                assertThrows(
                        OutriderException.class,
                        () -> new RetrievalFactory().create(missing, () -> TARGET));
        assertEquals("IO_FAILED", failure.code().name());
        var shortText = assertThrows(OutriderException.class, () -> drafter("ab"));
        assertEquals("DATASTORE_TOO_SHORT", shortText.code().name());
    }

    private TokenTree draft(String datastore, DraftBudget budget, int... text) throws IOException {
        return FirstDraft.of(drafter(datastore), budget, text).tree();
    }

    private Drafter drafter(String datastore) throws IOException {
        Path file = Files.writeString(folder.resolve("text.txt"), datastore);
        return new RetrievalFactory().create(new RetrievalConfig(file, 2, 4, 2), () -> TARGET);
    }
}
