package dev.outrider.drafter.eagle;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.feature.FeatureDraft;
import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.drafting.feature.TargetFit;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.Optional;

/// Opens a head's folder, has its layout read, and loads it for a target. Prints what was decided.
///
/// @param kind   what it takes
/// @param target  whom it drafts for
record HeadLoader(HeadKind kind, TargetModel target) {
    private static final System.Logger LOG = System.getLogger(HeadLoader.class.getName());

    /// @throws OutriderException if files are missing, broken or unsupported, or made for another target
    Drafter load(
            Path path,
            Optional<Precision> precision,
            Drafting drafting,
            CheckedHead.LayoutReader reader) {
        var fit = new TargetFit(kind.drafter(), target);
        var directory = new Checkpoint(path);
        var root = ConfigNode.read(directory.config());
        try (var tensors = directory.openTensors()) {
            var head = CheckedHead.read(kind, path, root, tensors, target.description(), reader);
            var layout = head.layout();
            var network = fit.load(layout.config(), head.weights(), precision);
            LOG.log(
                    System.Logger.Level.INFO,
                    "drafter '%s' at %s: %s".formatted(kind.drafter(), path, layout.summary()));
            return new FeatureDrafter(
                    new FeatureDraft(
                            network,
                            layout.captured(),
                            layout.recycling(),
                            head.vocabulary(),
                            drafting),
                    Weight.parameters(layout.config()),
                    tensors.digest());
        }
    }
}
