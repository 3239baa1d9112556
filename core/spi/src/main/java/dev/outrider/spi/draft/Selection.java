package dev.outrider.spi.draft;

import java.util.Set;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The way in which the nodes of a draft were chosen: the distribution q that an acceptance rule divides by.
///
/// Declaring a distribution other than the one really drawn from makes every lossless rule lossy
/// (docs/reference/algorithms.md A1.3): same temperature, truncation and rounding as the draw.
///
/// Tokens that were drawn and then selected again by their values (re-ranked, thinned out, cut before a drawn token) follow no known
/// distribution: declare them as [PointMass] (docs/reference/algorithms.md I1), also if this is only possible in the round. Stopping
/// after a token that stays, and leaving out nodes that were chosen before the draw, change no distribution.
@API(status = Status.STABLE, since = "2")
public sealed interface Selection {
    /// {@return the kind of this selection}
    Selection.Kind kind();

    /// Nodes are a deterministic function of the history, or chosen in a way that was not recorded: argmax, top-k, lookup, drawn
    /// trees that were re-ranked or thinned out. Exact with rules that ignore q.
    record PointMass() implements Selection {
        @Override
        public Selection.Kind kind() {
            return Selection.Kind.POINT_MASS;
        }
    }

    /// The children of a node are independent draws from `distributions.row(node)`; duplicates may occur. A sampled
    /// chain is the case of one child.
    ///
    /// @param distributions q at every node that has children
    record Independent(DraftDistributions distributions) implements Selection {
        @Override
        public Selection.Kind kind() {
            return Selection.Kind.INDEPENDENT;
        }
    }

    /// The children of a node are draws from `distributions.row(node)` without replacement, in draw order.
    ///
    /// @param distributions q at every node that has children, before anything was removed
    /// @see "Chen et al. 2024 (Sequoia), section 3.2"
    record WithoutReplacement(DraftDistributions distributions) implements Selection {
        @Override
        public Selection.Kind kind() {
            return Selection.Kind.WITHOUT_REPLACEMENT;
        }
    }

    /// The kinds of [Selection], for declarations made before any draft exists.
    enum Kind {
        /// [Selection.PointMass].
        POINT_MASS,
        /// [Selection.Independent].
        INDEPENDENT,
        /// [Selection.WithoutReplacement].
        WITHOUT_REPLACEMENT;

        /// {@return every kind, for rules that do not use q}
        public static Set<Kind> any() {
            return Set.of(values());
        }
    }
}
