package dev.outrider.drafter.block;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.training.TrainingPlan;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The `config.json` of trained heads, in the layout of DFlash's authors and SpecForge, which is the one that leaves out what is the
/// target's.
final class BlockConfigJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private BlockConfigJson() {}

    /// The backbone's layers, of a target's sizes, rotation and vocabulary.
    static DecoderConfig layers(DecoderConfig target, BlockPlan plan) {
        return DecoderConfig.builder()
                .vocabularySize(target.vocabularySize())
                .hiddenSize(target.hiddenSize())
                .intermediateSize(
                        plan.intermediateSize() == 0
                                ? target.intermediateSize()
                                : plan.intermediateSize())
                .layers(plan.layers())
                .heads(target.heads())
                .keyValueHeads(target.keyValueHeads())
                .headSize(target.headSize())
                .maxPositions(target.maxPositions())
                .normEpsilon(target.normEpsilon())
                .queryKeyNorm(true)
                .ropeTheta(target.ropeTheta())
                .ropeScaling(target.ropeScaling())
                .build();
    }

    static String of(
            DecoderConfig layers,
            int targetLayers,
            BlockPlan plan,
            HeadForm heads,
            TrainingPlan.Storage storage,
            int endOfText) {
        var model =
                new ModelConfig(
                        Family.of(layers),
                        layers,
                        List.of(endOfText),
                        List.of(endOfText),
                        Optional.of(storage.type()));
        boolean spark = !heads.equals(HeadForm.NONE);
        try {
            var json = (ObjectNode) JSON.readTree(ModelConfigWriter.toJson(model));
            json.putArray("architectures").add(spark ? "DSparkDraftModel" : "DFlashDraftModel");
            json.put("block_size", plan.blockSize());
            json.put("num_target_layers", targetLayers);
            var section = json.putObject("dflash_config");
            section.put("mask_token_id", plan.maskToken());
            var ids = section.putArray("target_layer_ids");
            plan.capturedLayers().forEach(passed -> ids.add(passed - 1));
            if (spark) {
                section.put("projector_type", "dspark");
                section.put("markov_rank", heads.markov().map(HeadForm.Markov::rank).orElse(0));
                heads.markov()
                        .ifPresent(markov ->
                                section.put(
                                        "markov_head_type",
                                        markov.type().name().toLowerCase(Locale.ROOT)));
                section.put("enable_confidence_head", heads.confidence());
                section.put("confidence_head_with_markov", heads.confidenceReads());
            }
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a configuration just written cannot be read", e);
        }
    }
}
