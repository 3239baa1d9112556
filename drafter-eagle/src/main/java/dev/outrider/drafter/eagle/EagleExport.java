package dev.outrider.drafter.eagle;

import dev.outrider.nn.network.FusionConfig;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.drafting.export.HeadFolders;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Writes EAGLE-3 heads in another layout: the same bytes under its names, and a configuration that says the same in its words.
/// What was written is read back, and kept only if it is the same head. A head that reads the target's embedding takes it along, as the
/// programs that the layouts come from write it: loaded without it, their own classes leave it undefined.
///
/// @param folders where from and where to
/// @param target  whom the head is for
/// @param layout  how to write
record EagleExport(HeadFolders folders, ExportTarget target, Layout layout) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MIDDLE = "midlayer.";
    private static final String FIRST = "layers.0.";
    private static final String EMBEDDING = "embed_tokens.weight";
    private static final String WEIGHTS = "model.safetensors";

    /// A layout to write.
    interface Layout {
        /// What people call it.
        String title();

        /// Whether the only layer is called `midlayer`; layers have numbers otherwise.
        boolean middle();

        /// Whether the maps of the draft vocabulary are there even where it is the target's.
        boolean mapsAlways();

        /// `config.json`.
        ///
        /// @param layer the layer as a model of its own
        /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if it cannot be said
        ObjectNode config(HeadLayout head, ObjectNode layer, ExportTarget target);

        /// That the layout has no words for something.
        default OutriderException cannotSay(String what) {
            return new OutriderException(
                    ErrorCode.CHECKPOINT_UNSUPPORTED,
                    "the head has %s, which the layout of %s cannot say".formatted(what, title()),
                    "Choose another layout; 'outrider export' lists them.");
        }
    }

    /// @param overrides what the head's own file leaves open
    /// @return what was written, in one line
    String write(LayoutOverrides overrides) {
        var source = new Checkpoint(folders.head());
        var root = ConfigNode.read(source.config());
        try (var tensors = source.openTensors();
                var targets = target.checkpoint().openTensors()) {
            var head = read(root, tensors, overrides);
            var config = layout.config(head.layout(), layer(head, tensors), target);
            var written = renamed(head, tensors);
            if (!head.layout().config().fusion().orElseThrow().has(FusionConfig.Switch.OWN_EMBEDDING)) {
                written.add(target.embedding(targets, EMBEDDING));
            }
            folders.write(WEIGHTS, written, text(config), () -> requireSame(head, config));
            return "%s: %s, %d tensors"
                    .formatted(folders.out(), head.layout().summary(), written.size());
        }
    }

    private CheckedHead read(
            ConfigNode root, CheckpointTensors tensors, LayoutOverrides overrides) {
        return CheckedHead.read(
                HeadKind.THIRD,
                tensors.source(),
                root,
                tensors,
                target.description(),
                (node, files, described) ->
                        Eagle3Reader.read(HeadKind.THIRD, node, files, described, overrides));
    }

    /// The draft layer in words that configurations of models have.
    private ObjectNode layer(CheckedHead head, CheckpointTensors tensors) {
        var decoder = head.layout().config().toBuilder().fusion(Optional.empty()).build();
        try {
            var model =
                    new ModelConfig(
                            Family.of(decoder),
                            decoder,
                            target.model().beginOfSequence(),
                            target.model().endOfSequence(),
                            Optional.of(tensors.tensor("fc.weight").type()));
            return (ObjectNode) JSON.readTree(ModelConfigWriter.toJson(model));
        } catch (IllegalArgumentException e) {
            throw layout.cannotSay("a layer that no model has (%s)".formatted(e.getMessage()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a configuration just written cannot be read", e);
        }
    }

    private List<StoredTensor> renamed(CheckedHead head, CheckpointTensors tensors) {
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
        if (layout.mapsAlways() || vocabulary.width() < vocabulary.targetSize()) {
            written.addAll(VocabularyMaps.stored(vocabulary));
        }
        return written;
    }

    private String renamed(String name) {
        if (layout.middle() && name.startsWith(FIRST)) {
            return MIDDLE + name.substring(FIRST.length());
        }
        return !layout.middle() && name.startsWith(MIDDLE)
                ? FIRST + name.substring(MIDDLE.length())
                : name;
    }

    private void requireSame(CheckedHead head, ObjectNode config) {
        try (var tensors = CheckpointTensors.ofFile(folders.out().resolve(WEIGHTS))) {
            var root = new ConfigNode(folders.out().resolve("config.json"), "", config);
            var again = read(root, tensors, LayoutOverrides.NONE).layout();
            if (!again.drafts(head.layout())) {
                throw layout.cannotSay(
                        "switches that read back as another head: it is %s, and would be %s"
                                .formatted(head.layout().summary(), again.summary()));
            }
        }
    }

    private static String text(ObjectNode config) {
        return config.toPrettyString() + "\n";
    }
}
