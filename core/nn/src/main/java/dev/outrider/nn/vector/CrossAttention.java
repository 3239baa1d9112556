package dev.outrider.nn.vector;

import dev.outrider.common.Undo;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.vector.Attention.SourceMask;
import dev.outrider.nn.vector.Layer.CrossLayer;
import java.util.List;
import java.util.Optional;

/// Attention of a decoder's rows to its encoder's states. Confined to the pass.
///
/// @see "Vaswani et al. 2017, section 3.2.3"
record CrossAttention(DecoderConfig config, Workspace workspace) {
    /// Returns the keys and values that every layer computes from the encoder's states. The caller closes them.
    ///
    /// @param states states of the encoder, `[length, hiddenSize]`
    /// @param format format of the cache
    VectorCache keysAndValues(List<Layer> layers, float[] states, int length, PanelFormat format) {
        int size = config.hiddenSize();
        var cache = VectorCache.of(config, length, format);
        return Undo.onFailure(
                cache::close,
                () -> {
                    workspace.input.take(states, 0, size, length, size);
                    for (int layer = 0; layer < layers.size(); layer++) {
                        var keyValue = layers.get(layer).cross().orElseThrow().keyValue();
                        keyValue.apply(workspace.input, length, workspace.queries, workspace);
                        keep(cache, layer, length);
                    }
                    return cache;
                });
    }

    private void keep(VectorCache cache, int layer, int length) {
        int size = config.headSize();
        int heads = config.keyValueHeads();
        var made = workspace.queries;
        for (int row = 0; row < length; row++) {
            for (int head = 0; head < heads; head++) {
                int key = made.at(row) + head * size;
                int value = key + heads * size;
                cache.write(layer, head, row, made.numbers(), key, made.numbers(), value);
            }
        }
    }

    /// Computes attention for the rows of a pass, from the workspace's input into its attended rows.
    ///
    /// @param number index of the layer
    void attend(CrossLayer layer, int number, PassPlan plan) {
        int rows = plan.rows();
        int width = config.heads() * config.headSize();
        var queries = workspace.queries;
        layer.query().apply(workspace.input, rows, queries, workspace);
        for (int row = 0; row < rows; row++) {
            queries.scale(row, width, config.scoreScale());
        }
        workspace.attended.shape(rows, width);
        int heads = config.keyValueHeads();
        workspace
                .team()
                .run(
                        plan.blocks().size() * heads,
                        (worker, from, end) -> {
                            for (int part = from; part < end; part++) {
                                attend(plan, part / heads, number, part % heads, worker);
                            }
                        });
    }

    private void attend(PassPlan plan, int index, int number, int head, int worker) {
        var block = plan.blocks().get(index);
        var source = ((VectorCache) block.cache()).source();
        new Attention(
                        config,
                        number,
                        source,
                        block.tokens().length,
                        new SourceMask(source.capacity()),
                        Optional.empty())
                .attend(
                        workspace.queries,
                        config.headSize(),
                        plan.starts()[index],
                        head,
                        workspace.attended,
                        workspace.attention(worker));
    }
}
