package dev.outrider.nn.network;

import dev.outrider.nn.runtime.TorchValue;
import java.util.ArrayList;
import java.util.Optional;

/// A stack's weights as [DecoderScript] wants them: projections joined, matrices prepacked where that pays.
/// While loading, one layer at a time is held twice.
///
/// @param layers `List[List[Tensor]]`: per layer the weights in the order of [ScriptText.Slot]
/// @param shared `List[Tensor]`: the weights outside the layers in the order of [ScriptText.Shared]
record PackedWeights(TorchValue layers, TorchValue shared) implements AutoCloseable {
    /// @param lender for a stack that has no embedding or head of its own: whose it reads
    static PackedWeights load(
            DecoderConfig config,
            WeightSource source,
            LinearKind kind,
            Optional<BorrowedWeights> lender) {
        var packer = new WeightPacker(config, source, kind);
        var shared = new SharedPacker(packer, lender).weights();
        var layers = new ArrayList<TorchValue>();
        for (int layer = 0; layer < config.layers(); layer++) {
            layers.add(new LayerPacker(packer, layer).weights());
        }
        var list = TorchValue.ofList(layers);
        layers.forEach(TorchValue::close);
        return new PackedWeights(list, shared);
    }

    @Override
    public void close() {
        layers.close();
        shared.close();
    }
}
