package dev.outrider.drafter.eagle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.drafting.export.HeadFolders;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.spi.config.Inline;

/// The configuration of `export specforge`.
public record SpecForgeExport(@Inline HeadFolders folders, @Inline LayoutOverrides overrides) {
    /// `export specforge`: SpecForge's layout, which SGLang serves, is a Llama of one layer with the name `midlayer`, and always
    /// has both maps of the vocabulary. Ids of layers count outputs: id n is the residual stream after n + 1 layers. Readers
    /// recognise this by the first id, 1.
    ///
    /// @see "sgl-project/SpecForge, specforge/modeling/draft/llama3_eagle.py; its pull request 879 for norm_output"
    public static final class Export extends EagleExport<SpecForgeExport> {
        private static final int STATES = 3;
        private static final int FIRST_STATE = 2;

        public Export() {
            super(
                    "specforge",
                    SpecForgeExport.class,
                    "SpecForge",
                    true,
                    true,
                    "Writes an EAGLE-3 head as SpecForge does; SGLang serves it.",
                    "The numbers stay as they are, bit by bit, with the target's embedding. norm_output means what it means in SGLang, vLLM and SpecForge since September 2026.");
        }

        @Override
        public String write(SpecForgeExport config) {
            return write(config, config.folders(), config.overrides());
        }

        @Override
        ObjectNode config(
                SpecForgeExport config, EagleLayout head, ObjectNode layer, ExportTarget target) {
            var decoder = head.config();
            var fusion = decoder.fusion().orElseThrow();
            if (!layer.path("model_type").asText().equals("llama")
                    || decoder.queryKeyValueBias()
                    || decoder.feedForwardBias()) {
                throw cannotSay("a layer that is not Llama's without biases");
            }
            if (decoder.layers() != 1 || fusion.has(FusionConfig.Switch.NORMED_RESIDUAL)) {
                throw cannotSay("further layers, or a residual stream that begins normed");
            }
            if (fusion.capturedNorm() == FusionConfig.CapturedNorm.JOINED) {
                throw cannotSay("one norm over all captured states (norm_before_fc)");
            }
            var captured = head.capturedLayers();
            if (captured.size() != STATES || captured.getFirst() != FIRST_STATE) {
                throw cannotSay(
                        "states after %s layers; it has three, the first after %d"
                                .formatted(captured, FIRST_STATE));
            }
            layer.putArray("architectures").add("LlamaForCausalLMEagle3");
            layer.put("draft_vocab_size", fusion.headSize());
            layer.put("target_hidden_size", fusion.targetHiddenSize());
            layer.put("tie_word_embeddings", false);
            layer.put("fc_norm", fusion.capturedNorm() == FusionConfig.CapturedNorm.EACH);
            layer.put("norm_output", head.recyclesNormed());
            var section = layer.putObject("eagle_config").put("use_aux_hidden_state", true);
            var ids = section.putArray("eagle_aux_hidden_state_layer_ids");
            captured.forEach(layers -> ids.add(layers - 1));
            return layer;
        }
    }
}
