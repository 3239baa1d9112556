package dev.outrider.drafting.head;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderConfigBuilder;
import java.util.List;
import java.util.Optional;

/// The `config.json` of a head.
public final class HeadJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private HeadJson() {}

    /// Returns a builder of decoder layers that have the sizes of a target's layers, in the form of the Llama family.
    ///
    /// @param layers           number of layers
    /// @param intermediateSize width of their feed-forward layers; 0 for the target's
    public static DecoderConfigBuilder layersLike(
            DecoderConfig target, int layers, int intermediateSize) {
        var builder = layersLike(target).layers(layers);
        return intermediateSize == 0 ? builder : builder.intermediateSize(intermediateSize);
    }

    /// Returns a builder of decoder layers that have the sizes of a target's layers, in the form of the Llama family.
    public static DecoderConfigBuilder layersLike(DecoderConfig target) {
        return DecoderConfig.builder()
                .vocabularySize(target.vocabularySize())
                .hiddenSize(target.hiddenSize())
                .intermediateSize(target.intermediateSize())
                .layers(target.layers())
                .heads(target.heads())
                .keyValueHeads(target.keyValueHeads())
                .headSize(target.headSize())
                .maxPositions(target.maxPositions())
                .normEpsilon(target.normEpsilon())
                .ropeTheta(target.ropeTheta())
                .ropeScaling(target.ropeScaling());
    }

    /// Returns the configuration that a plain model with these layers would write.
    ///
    /// @param storage number format of the finished tensors
    /// @throws IllegalArgumentException if no model type has such layers
    public static ObjectNode ofLayers(DecoderConfig layers, int endOfText, TensorType storage) {
        return parsed(
                ModelConfigWriter.toJson(
                        new ModelConfig(
                                Family.of(layers),
                                layers,
                                List.of(endOfText),
                                List.of(endOfText),
                                Optional.of(storage))));
    }

    /// Parses a text that this process wrote.
    public static ObjectNode parsed(String json) {
        try {
            return (ObjectNode) JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no configuration: " + json, e);
        }
    }

    /// Returns an empty object.
    public static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /// Returns the text of a file.
    public static String text(ObjectNode root) {
        return root.toPrettyString() + "\n";
    }
}
