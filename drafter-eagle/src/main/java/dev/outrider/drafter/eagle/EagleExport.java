package dev.outrider.drafter.eagle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.NamedService;
import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.drafting.export.HeadExport;
import dev.outrider.drafting.export.HeadFolders;
import dev.outrider.drafting.head.HeadCheckpoint;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Writes EAGLE-3 heads in another layout: the same bytes under that layout's names, and a configuration with the same meaning. The
/// file is read back, and kept only if it is the same head. If a head reads the target's embedding, the file contains a copy, as
/// the layouts' own programs write it: without the copy, their classes leave the embedding undefined.
///
/// @param <C> the record of the configuration
abstract class EagleExport<C extends Record> extends NamedService<C> implements HeadExport<C> {
    private static final String MIDDLE = "midlayer.";
    private static final String FIRST = "layers.0.";
    private static final String EMBEDDING = "embed_tokens.weight";
    private static final String WEIGHTS = "model.safetensors";

    private final String title;
    private final boolean middle;
    private final boolean mapsAlways;

    /// @param title      name of the layout, for messages
    /// @param middle     whether the only layer has the name `midlayer`; otherwise layers have numbers
    /// @param mapsAlways whether the maps of the draft vocabulary are written even if it is the target's
    EagleExport(
            String name,
            Class<C> configType,
            String title,
            boolean middle,
            boolean mapsAlways,
            String description,
            String details) {
        super(
                name,
                configType,
                description,
                details,
                "export %1$s --head models/demo-eagle3 --target models/demo-target --out demo-eagle3-%1$s"
                        .formatted(name));
        this.title = title;
        this.middle = middle;
        this.mapsAlways = mapsAlways;
    }

    /// Returns `config.json`.
    ///
    /// @param layer the configuration of the layer as a separate model
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if the layout cannot describe the head
    abstract ObjectNode config(C config, EagleLayout head, ObjectNode layer, ExportTarget target);

    /// Returns the error for a head that the layout cannot describe.
    final OutriderException cannotSay(String what) {
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                "the head has %s, which the layout of %s cannot say".formatted(what, title),
                "Choose another layout; 'outrider export' lists them.");
    }

    /// Returns one line about the written files.
    ///
    /// @param overrides settings that the head's own file leaves out
    final String write(C config, HeadFolders folders, LayoutOverrides overrides) {
        var target = ExportTarget.read(folders.target());
        var source = new Checkpoint(folders.head());
        var root = ConfigNode.read(source.config());
        try (var tensors = source.openTensors();
                var targets = target.checkpoint().openTensors()) {
            var head = read(target, root, tensors, overrides);
            var json = config(config, head.layout(), layer(target, head, tensors), target);
            var written = renamed(head, tensors);
            if (!head.layout()
                    .config()
                    .fusion()
                    .orElseThrow()
                    .has(FusionConfig.Switch.OWN_EMBEDDING)) {
                written.add(target.embedding(targets, EMBEDDING));
            }
            folders.write(
                    WEIGHTS,
                    written,
                    HeadJson.text(json),
                    () -> requireSame(folders, target, head.layout(), json));
            return "%s: %s, %d tensors"
                    .formatted(folders.out(), head.layout().summary(), written.size());
        }
    }

    private static HeadCheckpoint<EagleLayout> read(
            ExportTarget target,
            ConfigNode root,
            CheckpointTensors tensors,
            LayoutOverrides overrides) {
        return EagleHead.THIRD.read(
                tensors.source(),
                root,
                tensors,
                target.description(),
                (node, files, described) ->
                        Eagle3Reader.read(EagleHead.THIRD, node, files, described, overrides));
    }

    /// Returns the draft layer as the configuration of a model.
    private ObjectNode layer(
            ExportTarget target, HeadCheckpoint<EagleLayout> head, CheckpointTensors tensors) {
        var decoder = head.layout().config().toBuilder().fusion(Optional.empty()).build();
        try {
            return HeadJson.parsed(
                    ModelConfigWriter.toJson(
                            new ModelConfig(
                                    Family.of(decoder),
                                    decoder,
                                    target.model().beginOfSequence(),
                                    target.model().endOfSequence(),
                                    Optional.of(tensors.tensor("fc.weight").type()))));
        } catch (IllegalArgumentException e) {
            throw cannotSay("a layer that no model has (%s)".formatted(e.getMessage()));
        }
    }

    private List<StoredTensor> renamed(
            HeadCheckpoint<EagleLayout> head, CheckpointTensors tensors) {
        var written = new ArrayList<StoredTensor>();
        for (var name : new TreeSet<>(tensors.names())) {
            if (!head.layout().names().mayStayUnread(name, tensors.names())) {
                var stored = tensors.tensor(name);
                written.add(
                        new StoredTensor(
                                renamed(name), stored.type(), stored.shape(), stored.data()));
            }
        }
        var vocabulary = head.vocabulary();
        if (mapsAlways || vocabulary.width() < vocabulary.targetSize()) {
            written.addAll(VocabularyMaps.stored(vocabulary));
        }
        return written;
    }

    private String renamed(String name) {
        if (middle && name.startsWith(FIRST)) {
            return MIDDLE + name.substring(FIRST.length());
        }
        return !middle && name.startsWith(MIDDLE) ? FIRST + name.substring(MIDDLE.length()) : name;
    }

    private void requireSame(
            HeadFolders folders, ExportTarget target, EagleLayout head, ObjectNode json) {
        try (var tensors = CheckpointTensors.ofFile(folders.out().resolve(WEIGHTS))) {
            var root = new ConfigNode(folders.out().resolve("config.json"), "", json);
            var again = read(target, root, tensors, LayoutOverrides.NONE).layout();
            if (!again.drafts(head)) {
                throw cannotSay(
                        "switches that read back as another head: it is %s, and would be %s"
                                .formatted(head.summary(), again.summary()));
            }
        }
    }
}
