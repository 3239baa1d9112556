package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TreeRows;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;

/// Passes for nodes below a draft that nobody has decided about: scratch rows after the draft's. Logits are copied and each pass is
/// closed at once, on the thread that ran it.
///
/// Confined to one thread.
///
/// @param network the draft model
/// @param cache   holds the rows
/// @param rows    of the draft, and of what is run here
record RowsAhead(DecoderNetwork network, KvCache cache, TreeRows rows) {
    /// Runs nodes in one pass. Their parents were run before.
    ///
    /// @return logits of each
    List<float[]> run(List<StepInput> nodes) {
        try (var pass =
                network.forward(List.of(rows.append(cache, nodes)), PassOutputs.allLogits())) {
            return IntStream.range(0, nodes.size())
                    .mapToObj(row -> pass.logits(row).toArray(ValueLayout.JAVA_FLOAT))
                    .toList();
        }
    }

    /// Rows so far: the row of the next node.
    int next() {
        return rows.size();
    }
}
