package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import java.util.List;

/// Learns from what a drafter visits: the successors' distribution of a teacher at every visited node. Confined to one thread.
public interface VisitLearner {
    /// Digest of the teacher's weights. It must be the target that judged the drafts.
    String teacherDigest();

    /// What the program's `visited_loss` reads for a batch; without gradient. The teacher runs here.
    ///
    /// @param manager owner of the result
    List<NDArray> inputs(VisitedRows rows, PtNDManager manager);
}
