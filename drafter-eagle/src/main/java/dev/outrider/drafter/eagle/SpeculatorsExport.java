package dev.outrider.drafter.eagle;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.Require;
import dev.outrider.drafting.export.HeadFolders;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.util.Optional;
import java.util.Set;

/// The configuration of `export speculators`.
public record SpeculatorsExport(
        @Inline HeadFolders folders,
        @Doc(
                        "What the file calls the target: its name on the hub, or a path that exists where the file is loaded. The name on the hub, or the folder's, when it is not given.")
                Optional<String> targetName,
        @Doc("How many tokens engines should draft, at least 1.") @Default("5")
                int speculativeTokens,
        @Inline LayoutOverrides overrides) {
    public SpeculatorsExport {
        Require.atLeast("speculativeTokens", speculativeTokens, 1);
    }

    /// `export speculators`: the layout of that library, which vLLM serves, has the configuration of a layer inside that of
    /// the head, and a section about the verifier, which is the target. Ids of layers count inputs: id n is the residual
    /// stream after n layers.
    ///
    /// @see "vllm-project/speculators, version 0.7, config.py and models/eagle3/config.py"
    public static final class Export extends EagleExport<SpeculatorsExport> {
        private static final String VERSION = "0.7.0";
        private static final Set<String> FAMILIES = Set.of("llama", "qwen3");

        public Export() {
            super(
                    "speculators",
                    SpeculatorsExport.class,
                    "speculators",
                    false,
                    false,
                    "Writes an EAGLE-3 head as the library speculators does; vLLM serves it.",
                    "The numbers stay as they are, bit by bit. A head without an embedding of its own gets the target's.");
        }

        @Override
        public String write(SpeculatorsExport config) {
            return write(config, config.folders(), config.overrides());
        }

        @Override
        ObjectNode config(
                SpeculatorsExport config, EagleLayout head, ObjectNode layer, ExportTarget target) {
            var family = layer.path("model_type").asText();
            if (!FAMILIES.contains(family)) {
                throw cannotSay("a layer of the family '%s'".formatted(family));
            }
            var fusion = head.config().fusion().orElseThrow();
            if (fusion.join() != FusionConfig.Join.WIDE_FIRST_LAYER) {
                throw cannotSay("more than one layer that reads embeddings");
            }
            if (fusion.targetHiddenSize() != head.config().hiddenSize()) {
                throw cannotSay(
                        "a width of %d for a target of width %d"
                                .formatted(head.config().hiddenSize(), fusion.targetHiddenSize()));
            }
            var root = JsonNodeFactory.instance.objectNode();
            root.putArray("architectures").add("Eagle3Speculator");
            root.put("speculators_model_type", "eagle3");
            root.put("speculators_version", VERSION);
            root.set("speculators_config", method(config, target));
            root.set("transformer_layer_config", layer);
            root.put("draft_vocab_size", fusion.headSize());
            root.putNull("target_hidden_size");
            var ids = root.putArray("eagle_aux_hidden_state_layer_ids");
            head.capturedLayers().forEach(ids::add);
            root.put("norm_before_residual", fusion.has(FusionConfig.Switch.NORMED_RESIDUAL));
            root.put("norm_before_fc", fusion.capturedNorm() == FusionConfig.CapturedNorm.JOINED);
            root.put("fc_norm", fusion.capturedNorm() == FusionConfig.CapturedNorm.EACH);
            root.put("norm_output", head.recyclesNormed());
            root.put("embed_requires_grad", false);
            root.put("tie_word_embeddings", false);
            root.set("torch_dtype", layer.path("torch_dtype"));
            return root;
        }

        private static ObjectNode method(SpeculatorsExport config, ExportTarget target) {
            var section = JsonNodeFactory.instance.objectNode();
            section.put("algorithm", "eagle3");
            section.putArray("proposal_methods")
                    .addObject()
                    .put("proposal_type", "greedy")
                    .put("speculative_tokens", config.speculativeTokens())
                    .put("verifier_accept_k", 1)
                    .put("accept_tolerance", 0.0);
            section.put("default_proposal_method", "greedy");
            var verifier =
                    section.putObject("verifier")
                            .put("name_or_path", config.targetName().orElse(target.name()));
            var architectures = verifier.putArray("architectures");
            target.architectures().forEach(architectures::add);
            return section;
        }
    }
}
