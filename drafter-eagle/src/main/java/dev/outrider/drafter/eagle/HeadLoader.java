package dev.outrider.drafter.eagle;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.feature.FeatureDraft;
import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.drafting.feature.TargetFit;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.FeatureNetwork;
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

    /// Makes a drafter of what was loaded.
    @FunctionalInterface
    interface Assembly {
        /// @param network    the drafter closes it
        /// @param parameters of the layers
        /// @param digest     of their weights
        Drafter drafter(CheckedHead head, FeatureNetwork network, long parameters, String digest);
    }

    /// Loads a head that guesses token by token.
    ///
    /// @throws OutriderException if files are missing, broken or unsupported, or made for another target
    Drafter load(
            Path path,
            Optional<Precision> precision,
            Drafting drafting,
            CheckedHead.LayoutReader reader) {
        return load(
                path,
                precision,
                reader,
                (head, network, parameters, digest) ->
                        new FeatureDrafter(
                                new FeatureDraft(
                                        network,
                                        head.layout().captured(),
                                        head.layout().recycling(),
                                        head.vocabulary(),
                                        drafting),
                                parameters,
                                digest));
    }

    /// @throws OutriderException if files are missing, broken or unsupported, or made for another target
    Drafter load(
            Path path,
            Optional<Precision> precision,
            CheckedHead.LayoutReader reader,
            Assembly assembly) {
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
            return assembly.drafter(
                    head, network, Weight.parameters(layout.config()), tensors.digest());
        }
    }
}
