package dev.outrider.drafter.medusa;

import dev.outrider.drafting.export.HeadFolders;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.util.Optional;

/// What `outrider export medusa-v1` reads.
public record MedusaExportConfig(
        @Inline HeadFolders folders,
        @Doc(
                        "What the file calls the target: its name on the hub, or a path that whoever loads the file finds. The name on the hub, or the folder's, when it is not given.")
                Optional<String> targetName) {}
