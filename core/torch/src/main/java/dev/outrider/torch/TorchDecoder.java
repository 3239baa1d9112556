package dev.outrider.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// The decoders that can run in PyTorch, for training and for the target `djl`: those of Llama's form, dense or with
/// Mixtral's experts in all layers. The program is `decoder.torchscript`.
public final class TorchDecoder {
    private TorchDecoder() {}

    /// A parameter of the program: one weight, or several that are stacked.
    ///
    /// @param weights weights in it, stacked along the rows
    /// @param numbers number of the layer or expert of each of them
    public record Slot(List<Weight> weights, List<Integer> numbers) {
        /// The weights of one layer.
        public static Slot of(int number, Weight... weights) {
            return new Slot(List.of(weights), Collections.nCopies(weights.length, number));
        }

        boolean matrix() {
            return weights.getFirst().linear() || weights.getFirst() == Weight.EMBEDDING;
        }

        /// Rows of all weights.
        long rows(DecoderConfig config) {
            long rows = 0;
            for (int index = 0; index < weights.size(); index++) {
                rows += weights.get(index).shape(config, numbers.get(index))[0];
            }
            return rows;
        }

        /// Copies the weights, stacked.
        ///
        /// @param to 32-bit floats
        void read(DecoderConfig config, WeightSource source, MemorySegment to) {
            long at = 0;
            for (int index = 0; index < weights.size(); index++) {
                long bytes = weights.get(index).elements(config, numbers.get(index)) * Float.BYTES;
                var part = to.asSlice(at, bytes);
                source.read(weights.get(index), numbers.get(index), part::copyFrom);
                at += bytes;
            }
        }
    }

    /// Returns whether a decoder can run in PyTorch.
    public static boolean computes(DecoderConfig config) {
        var form =
                config.form()
                        .feedForward()
                        .experts()
                        .map(each ->
                                new Experts(each.count(), each.chosen(), each.intermediateSize()))
                        .map(BlockForm::mixture)
                        .orElseGet(BlockForm::llama);
        var attention = config.attention();
        return config.form().equals(form)
                && config.part() == Part.DECODER
                && config.fusion().isEmpty()
                && config.headSize() % 2 == 0
                && config.rotarySize() == config.headSize()
                && config.localRopeTheta().isEmpty()
                && attention.slidingWindow().isEmpty()
                && !attention.queryKeyValueBias()
                && !attention.outputBias()
                && !attention.queryKeyNorm()
                && !config.feedForwardBias();
    }

    /// The methods of `decoder.torchscript`, and the methods that they use.
    ///
    /// @param config   one that [#computes] accepts
    /// @param bfloat16 whether matrices are multiplied in bfloat16
    public static String methods(DecoderConfig config, boolean bfloat16) {
        var experts = config.form().feedForward().experts();
        return LayerScript.linear(bfloat16)
                + LayerScript.methods(config)
                + TorchScript.resource(
                        TorchDecoder.class, experts.isPresent() ? "experts" : "dense")
                + experts.map(each ->
                                TorchScript.constants(
                                        Map.of("experts", each.count(), "chosen", each.chosen())))
                        .orElse("")
                + TorchScript.resource(TorchDecoder.class, "decoder")
                + TorchScript.constants(
                        Map.of(
                                "layers", config.layers(),
                                "vocabulary", config.vocabularySize(),
                                "tied", config.tiedHead()));
    }

    /// Returns the number of parameters of such a program.
    public static int parameters(DecoderConfig config) {
        return slots(config).size();
    }

    /// Cosines and signed sines of the positions, `[positions, 1, D]` each.
    public static List<NDArray> angles(DecoderConfig config, int positions, PtNDManager manager) {
        var angles = RopeTable.of(config, positions);
        var sizes = new Shape(positions, 1, config.headSize());
        return List.of(
                manager.create(angles.headCosines(), sizes),
                manager.create(angles.headSignedSines(), sizes));
    }

    /// The parameters in the order in which the program reads them.
    public static List<Slot> slots(DecoderConfig config) {
        var slots = new ArrayList<Slot>();
        slots.add(Slot.of(0, Weight.EMBEDDING));
        for (int layer = 0; layer < config.layers(); layer++) {
            slots.add(Slot.of(layer, Weight.INPUT_NORM));
            slots.add(Slot.of(layer, Weight.QUERY, Weight.KEY, Weight.VALUE));
            slots.add(Slot.of(layer, Weight.OUTPUT));
            slots.add(Slot.of(layer, Weight.FEED_FORWARD_NORM));
            if (config.form().feedForward().experts().isPresent()) {
                slots.add(Slot.of(layer, Weight.ROUTER));
                slots.add(experts(config, layer, Weight.EXPERT_GATE, Weight.EXPERT_UP));
                slots.add(experts(config, layer, Weight.EXPERT_DOWN));
            } else {
                slots.add(Slot.of(layer, Weight.GATE, Weight.UP));
                slots.add(Slot.of(layer, Weight.DOWN));
            }
        }
        slots.add(Slot.of(0, Weight.FINAL_NORM));
        if (!config.tiedHead()) {
            slots.add(Slot.of(0, Weight.HEAD));
        }
        return slots;
    }

    /// The matrices of all experts of a layer, expert after expert.
    private static Slot experts(DecoderConfig config, int layer, Weight... kinds) {
        var weights = new ArrayList<Weight>();
        var numbers = new ArrayList<Integer>();
        int end = kinds[0].first(config, layer + 1);
        for (int number = kinds[0].first(config, layer); number < end; number++) {
            for (var kind : kinds) {
                weights.add(kind);
                numbers.add(number);
            }
        }
        return new Slot(weights, numbers);
    }
}
