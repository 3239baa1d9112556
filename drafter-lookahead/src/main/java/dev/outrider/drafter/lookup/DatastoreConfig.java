package dev.outrider.drafter.lookup;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterTraits;
import java.nio.file.Path;

/// Configuration of the drafter `datastore`.
@Doc(
        "Drafts trees of the most frequent continuations of the text's longest suffix that a corpus on disk has;"
                + " 'outrider train datastore' makes one.")
public record DatastoreConfig(
        @Doc("The datastore, a folder.") Path path,
        @Doc(
                        "Longest suffix that is looked up, in tokens; with depth at most what the datastore sorted, 32 unless it was made otherwise.")
                @Default("16")
                int maxMatch,
        @Doc("Shortest suffix that is worth a guess, in tokens.") @Default("2") int minMatch,
        @Doc("Most nodes of a draft, 1 to 1024; published: 64.") @Default("16") int nodes,
        @Doc("Greatest depth of a draft, at most nodes.") @Default("8") int depth,
        @Doc(
                        "Least share of the matches, and one more, that must go on with a guess, 0 to 1; published: 0.")
                @Default("0.1")
                double minChance) {
    private static final int MAX_NODES = 1024;

    public DatastoreConfig {
        Require.between("minMatch", minMatch, 1, maxMatch);
        Require.between("nodes", nodes, 1, MAX_NODES);
        Require.between("depth", depth, 1, nodes);
        Require.share("minChance", minChance);
    }

    DrafterTraits traits() {
        return DrafterTraits.tree(nodes, depth);
    }
}
