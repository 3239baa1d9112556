package dev.outrider.drafter.eagle;

import dev.outrider.drafting.export.HeadFolders;
import dev.outrider.spi.config.Inline;

/// What `outrider export specforge` reads.
public record SpecForgeExportConfig(
        @Inline HeadFolders folders, @Inline LayoutOverrides overrides) {}
