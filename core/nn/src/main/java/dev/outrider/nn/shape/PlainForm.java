package dev.outrider.nn.shape;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RopeScaling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The form of decoders that compute the same function in a larger shape: Llama's, with biases of queries, keys and values, or norms of
/// queries and keys.
final class PlainForm {
    private PlainForm() {}

    /// Returns the differences of a decoder from this form; empty if it has this form.
    static List<String> differences(DecoderConfig decoder) {
        var differences = new ArrayList<String>();
        blocks(decoder.form(), differences);
        if (decoder.rotarySize() != decoder.headSize()) {
            differences.add("heads that are rotated in part");
        }
        if (decoder.localRopeTheta().isPresent()
                || !(decoder.ropeScaling() instanceof RopeScaling.Unscaled)) {
            differences.add("scaled rotary positions");
        }
        if (decoder.outputBias() || decoder.feedForwardBias()) {
            differences.add("biases of the output projection or of the feed-forward layers");
        }
        return differences;
    }

    /// Returns the same for a whole model, whose layers must be alike, because it gets more of them.
    static List<String> differencesOfModel(DecoderConfig decoder) {
        var differences = new ArrayList<>(differences(decoder));
        if (decoder.slidingWindow().isPresent() && decoder.firstWindowLayer() < decoder.layers()) {
            differences.add("layers with a window");
        }
        return differences;
    }

    /// Returns the parts of a model that neither this form nor its plain weights have, if there are any.
    ///
    /// @param differences of its decoder
    static Optional<String> obstacle(ModelConfig model, List<String> differences) {
        if (model.quantisation().isPresent()) {
            return Optional.of("quantised weights");
        }
        return Optional.of(String.join(" and ", differences)).filter(what -> !what.isEmpty());
    }

    private static void blocks(BlockForm form, List<String> differences) {
        var llama = BlockForm.llama();
        if (form.feedForward().experts().isPresent()) {
            differences.add("experts");
        } else if (!form.feedForward().equals(llama.feedForward())) {
            differences.add("feed-forward layers without a SiLU gate");
        }
        if (form.norms().zeroCentred()) {
            differences.add("norms whose weights are stored as the difference from 1");
        } else if (!form.norms().equals(llama.norms())) {
            differences.add("other norms than RMS norms before the blocks");
        }
        if (!form.scores().equals(llama.scores())) {
            differences.add("attention scores with a factor, a cap or sinks of their own");
        }
        if (!form.scales().equals(llama.scales())) {
            differences.add("scaled embeddings, residuals or logits");
        }
        if (form.parallel()
                || !form.kinds().isEmpty()
                || !form.positions().equals(llama.positions())) {
            differences.add(
                    "layers that are parallel, differ, or have other than rotary positions");
        }
    }
}
