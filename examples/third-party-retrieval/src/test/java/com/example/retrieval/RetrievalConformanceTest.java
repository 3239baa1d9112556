package com.example.retrieval;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.DrafterConformance;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// Everything Outrider promises about any drafter, put to the test on this one. The target is a table whose tokens are letters.
class RetrievalConformanceTest extends DrafterConformance {
    private static final TargetModel TARGET =
            TableTarget.of(TableModel.random(7, DistributionStyle.DENSE, 5));
    @TempDir static Path folder;

    @BeforeAll
    static void write() throws IOException {
        Files.writeString(folder.resolve("letters.txt"), "abcdefgabdcbagfdeabcgfabdefg");
    }

    @Override
    protected TargetModel target() {
        return TARGET;
    }

    @Override
    protected Drafter drafter() {
        var config = new RetrievalConfig(folder.resolve("letters.txt"), 1, 3, 4);
        return new RetrievalFactory().create(config, () -> TARGET);
    }
}
