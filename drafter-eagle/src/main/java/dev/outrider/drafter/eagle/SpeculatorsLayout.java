package dev.outrider.drafter.eagle;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.network.FusionConfig;
import java.util.Set;

/// The layout of the library speculators, which vLLM serves: the configuration of a layer inside that of the head, with a section
/// about the verifier, which is the target. Ids of layers count inputs: id n is the residual stream after n layers.
///
/// @param targetName        what the target is called there
/// @param speculativeTokens how many tokens to draft
/// @see "vllm-project/speculators, version 0.7, config.py and models/eagle3/config.py"
record SpeculatorsLayout(String targetName, int speculativeTokens) implements EagleExport.Layout {
    private static final String VERSION = "0.7.0";
    private static final Set<String> FAMILIES = Set.of("llama", "qwen3");

    @Override
    public String title() {
        return "speculators";
    }

    @Override
    public boolean middle() {
        return false;
    }

    @Override
    public boolean mapsAlways() {
        return false;
    }

    @Override
    public ObjectNode config(HeadLayout head, ObjectNode layer, ExportTarget target) {
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
        root.set("speculators_config", method(target));
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

    private ObjectNode method(ExportTarget target) {
        var section = JsonNodeFactory.instance.objectNode();
        section.put("algorithm", "eagle3");
        section.putArray("proposal_methods")
                .addObject()
                .put("proposal_type", "greedy")
                .put("speculative_tokens", speculativeTokens)
                .put("verifier_accept_k", 1)
                .put("accept_tolerance", 0.0);
        section.put("default_proposal_method", "greedy");
        var verifier = section.putObject("verifier").put("name_or_path", targetName);
        var architectures = verifier.putArray("architectures");
        target.architectures().forEach(architectures::add);
        return section;
    }
}
