package dev.outrider.drafting;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// The forward pass of a drafter for tree expansion, for one round. [#root()] is called first and once,
/// then [#step] once a level.
///
/// Confined to the session's thread.
public interface DraftStepper {
    /// Logits of the root's successors: one row.
    LogitRows root();

    /// Runs one draft step for all nodes in one pass. A node sees the committed tokens, its ancestors and
    /// itself.
    ///
    /// Rows are counted over the calls of a round: the first node of the first call has row 0, the first
    /// node of the next call has the row after the last one of this call.
    ///
    /// @param nodes at least one, all of one depth, no two alike
    /// @return logits of each node's successors, in the order of the nodes; valid until the next call
    LogitRows step(List<StepInput> nodes);

    /// Returns what the logits of a node's successors depend on, in addition to the committed text. If it is less than the node's
    /// path, nodes share rows, and the pass runs one node of each such group.
    default Dependence dependence() {
        return Dependence.PATH;
    }

    /// The part of a node's path that its successors' logits depend on.
    enum Dependence {
        /// All tokens from the root to the node.
        PATH,
        /// The node's token and its depth.
        TOKEN,
        /// Its depth alone: slots of a block that are guessed independently of each other.
        DEPTH
    }

    /// Logits of some nodes.
    @FunctionalInterface
    interface LogitRows {
        /// Logits of one node's successors.
        ///
        /// Shape: at least `[DraftVocabulary.width()]` 32-bit floats in native byte order, no processor
        /// applied yet. Owner: the stepper.
        ///
        /// @param index position of the node in the call
        MemorySegment row(int index);

        /// Returns whether to guess from a row at all, by the drafter's own confidence. It reads the tokens before, which stay, and
        /// no token that is drawn from the row, so a stop changes no distribution (docs/reference/algorithms.md I1).
        ///
        /// @param index position of the node in the call
        default boolean guessesFrom(int index) {
            return true;
        }
    }
}
