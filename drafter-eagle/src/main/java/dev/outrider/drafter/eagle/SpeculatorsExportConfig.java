package dev.outrider.drafter.eagle;

import dev.outrider.drafting.export.HeadFolders;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.util.Optional;

/// What `outrider export speculators` reads.
public record SpeculatorsExportConfig(
        @Inline HeadFolders folders,
        @Doc(
                        "What the file calls the target: its name on the hub, or a path that whoever loads the file finds. The name on the hub, or the folder's, when it is not given.")
                Optional<String> targetName,
        @Doc("How many tokens engines should draft, at least 1.") @Default("5")
                int speculativeTokens,
        @Inline LayoutOverrides overrides) {
    public SpeculatorsExportConfig {
        if (speculativeTokens < 1) {
            throw new IllegalArgumentException(
                    "'speculativeTokens' must be at least 1, got " + speculativeTokens);
        }
    }
}
