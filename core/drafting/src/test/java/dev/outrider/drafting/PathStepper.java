package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// A stepper whose network is a [PathLogits]. It asserts that its callers keep the contract, and counts passes.
final class PathStepper implements DraftStepper {
    private final PathLogits network;
    private final List<Integer> committed;
    private final List<List<Integer>> rows = new ArrayList<>();
    private final List<Integer> passSizes = new ArrayList<>();
    private boolean started;

    PathStepper(PathLogits network, List<Integer> committed) {
        this.network = network;
        this.committed = committed;
    }

    @Override
    public LogitRows root() {
        assertThat(started).as("root asked for twice").isFalse();
        started = true;
        return index -> {
            assertThat(index).isZero();
            return network.segmentAfter(committed);
        };
    }

    @Override
    public LogitRows step(List<StepInput> nodes) {
        assertThat(started).as("step before root").isTrue();
        assertThat(new HashSet<>(nodes)).as("distinct nodes").hasSameSizeAs(nodes);
        assertThat(nodes.stream().map(StepInput::depth).distinct()).hasSize(1);
        int first = rows.size();
        for (var node : nodes) {
            var path =
                    new ArrayList<>(
                            node.parentRow() == StepInput.ROOT
                                    ? committed
                                    : rows.get(node.parentRow()));
            path.add(node.token());
            assertThat(path).hasSize(committed.size() + node.depth());
            rows.add(path);
        }
        passSizes.add(nodes.size());
        return index -> network.segmentAfter(rows.get(first + index));
    }

    /// The committed tokens and the path of one row.
    List<Integer> pathOfRow(int row) {
        return rows.get(row);
    }

    /// The number of nodes of each pass after the root's.
    List<Integer> passSizes() {
        return passSizes;
    }

    boolean started() {
        return started;
    }
}
