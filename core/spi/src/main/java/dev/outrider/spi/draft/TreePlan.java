package dev.outrider.spi.draft;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.tree.TreeShape;
import java.util.List;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The shape of the drafts of every drafter that can branch. In configurations it may also be written as
/// `{file: PATH}`, the path of a tree file.
@API(status = Status.STABLE, since = "2")
public sealed interface TreePlan {
    /// {@return most nodes below the root}
    default int maxNodes() {
        return switch (this) {
            case Chain(int length) -> length;
            case LevelWidths(var widths) -> PlanLimits.nodesOf(widths);
            case SampledWithReplacement(var widths) -> PlanLimits.nodesOf(widths);
            case SampledWithoutReplacement(var widths) -> PlanLimits.nodesOf(widths);
            case Coupled(var widths) -> PlanLimits.nodesOf(widths);
            case RankPaths(var paths) -> paths.size();
            case SampledPaths(var paths, _) -> paths.size();
            case Dynamic(_, _, int totalNodes) -> totalNodes;
        };
    }

    /// {@return greatest depth}
    default int maxDepth() {
        return switch (this) {
            case Chain(int length) -> length;
            case LevelWidths(var widths) -> widths.size();
            case SampledWithReplacement(var widths) -> widths.size();
            case SampledWithoutReplacement(var widths) -> widths.size();
            case Coupled(var widths) -> widths.size();
            case RankPaths(var paths) -> PlanLimits.depth(paths);
            case SampledPaths(var paths, _) -> PlanLimits.depth(paths);
            case Dynamic(_, int depth, int totalNodes) -> Math.min(depth, totalNodes);
        };
    }

    /// {@return the shape of its drafts}
    default TreeShape shape() {
        return this instanceof Chain ? TreeShape.CHAIN : TreeShape.TREE;
    }

    /// {@return how the nodes are chosen, for a drafter whose own sampling is greedy or not}
    ///
    /// @param greedyDrafter whether the drafter takes the most probable token instead of drawing
    default Selection.Kind selection(boolean greedyDrafter) {
        return switch (this) {
            case Chain _ when !greedyDrafter -> Selection.Kind.INDEPENDENT;
            case SampledWithReplacement _ -> Selection.Kind.INDEPENDENT;
            case SampledWithoutReplacement _ -> Selection.Kind.WITHOUT_REPLACEMENT;
            case SampledPaths(_, boolean withReplacement) ->
                    withReplacement
                            ? Selection.Kind.INDEPENDENT
                            : Selection.Kind.WITHOUT_REPLACEMENT;
            case Chain _, LevelWidths _, RankPaths _, Dynamic _, Coupled _ ->
                    Selection.Kind.POINT_MASS;
        };
    }

    /// One guess after another: the drafter's argmax if it is greedy, otherwise a draw.
    ///
    /// @param length tokens, at least 1
    @Doc("One guess after another.")
    record Chain(@Doc("Tokens, at least 1.") int length) implements TreePlan {
        /// Checks the numbers.
        public Chain {
            PlanLimits.requireLength("length", length);
        }
    }

    /// Every node at depth d has its `widths[d]` most probable successors as children.
    ///
    /// @param widths children of each node by level; all at least 1
    @Doc("The most probable guesses: so many children for every node of a level.")
    record LevelWidths(
            @Doc("Children of each node by level; each at least 1.") List<Integer> widths)
            implements TreePlan {
        /// Checks the numbers.
        public LevelWidths {
            widths = List.copyOf(widths);
            PlanLimits.requireWidths(widths);
        }
    }

    /// Explicit rank paths: `[0, 2]` is the third best successor of the best successor of the root. Every
    /// prefix of a path must be listed.
    ///
    /// @param paths rank paths
    /// @see "Cai et al. 2024 (Medusa), section 3.2; Chen et al. 2024 (Sequoia)"
    @Doc("Explicit paths of ranks among the most probable guesses.")
    record RankPaths(
            @Doc(
                            "[0, 2] is the third best successor of the best one; every prefix of a path must be listed.")
                    List<List<Integer>> paths)
            implements TreePlan {
        /// Checks the numbers.
        public RankPaths {
            paths = PlanLimits.checkedPaths(paths);
        }
    }

    /// A beam of `topK` nodes, `depth` levels deep. Of its candidates, the `totalNodes` with the
    /// highest path probability are kept.
    ///
    /// @param topK nodes kept at each level
    /// @param depth levels
    /// @param totalNodes nodes kept in the end
    /// @see "Li et al. 2024 (EAGLE-2), section 4"
    @Doc("A beam of the most probable paths, cut to the best nodes; EAGLE-2's tree.")
    record Dynamic(
            @Doc("Nodes kept at each level.") int topK,
            @Doc("Levels.") int depth,
            @Doc("Nodes kept in the end.") int totalNodes)
            implements TreePlan {
        /// Checks the numbers.
        public Dynamic {
            PlanLimits.requireNodes("topK", topK);
            PlanLimits.requireLength("depth", depth);
            PlanLimits.requireNodes("totalNodes", totalNodes);
        }
    }

    /// Every node at depth d has `widths[d]` children drawn independently; duplicates may occur.
    ///
    /// @param widths children of each node by level; all at least 1
    /// @see "Miao et al. 2023 (SpecInfer)"
    @Doc("Independent draws as children, which may be equal.")
    record SampledWithReplacement(
            @Doc("Children of each node by level; each at least 1.") List<Integer> widths)
            implements TreePlan {
        /// Checks the numbers.
        public SampledWithReplacement {
            widths = List.copyOf(widths);
            PlanLimits.requireWidths(widths);
        }
    }

    /// Every node at depth d has up to `widths[d]` distinct children drawn without replacement.
    ///
    /// @param widths children of each node by level; all at least 1
    /// @see "Chen et al. 2024 (Sequoia), section 3.2"
    @Doc("Distinct children, drawn without replacement.")
    record SampledWithoutReplacement(
            @Doc("Children of each node by level; each at least 1.") List<Integer> widths)
            implements TreePlan {
        /// Checks the numbers.
        public SampledWithoutReplacement {
            widths = List.copyOf(widths);
            PlanLimits.requireWidths(widths);
        }
    }

    /// Explicit paths whose numbers count draws: `[0, 2]` is the third successor drawn below the first one drawn below the
    /// root. Everything that is drawn is in the tree, so siblings are numbered without gaps.
    ///
    /// @param paths           every prefix of a path and every elder sibling must be listed
    /// @param withReplacement whether siblings are independent draws, which may be equal, or distinct ones
    /// @see "Chen et al. 2024 (Sequoia), section 3"
    @Doc("Explicit paths whose numbers count draws.")
    record SampledPaths(
            @Doc(
                            "[0, 2] is the third one drawn below the first; prefixes and elder siblings must be listed.")
                    List<List<Integer>> paths,
            @Default("false")
                    @Doc(
                            "Whether siblings are independent draws, which may be equal, or distinct ones.")
                    boolean withReplacement)
            implements TreePlan {
        /// Checks the numbers.
        public SampledPaths {
            paths = PlanLimits.checkedPaths(paths);
            PlanLimits.requireElderSiblings(paths);
        }
    }

    /// Every node at depth d has as children the first `widths[d]` finishers of its position's race, whose
    /// noise a coupled acceptance rule shares; see [Randomness#gumbelTopK][dev.outrider.spi.sampling.Randomness#gumbelTopK]. A chain is `widths: [1, 1, ...]`.
    ///
    /// To every other rule such nodes are a point mass: the noise of a position is the same in all rounds and is independent of all
    /// randomness of a rule, so that, given the noise, the tree is a function of the history.
    ///
    /// @param widths children of each node by level; all at least 1
    /// @see "Daliri, Musco, Suresh 2024: Coupling without communication and drafter-invariant speculative decoding"
    @Doc("The first finishers of a race whose noise rule gumbel-coupled shares.")
    record Coupled(@Doc("Children of each node by level; each at least 1.") List<Integer> widths)
            implements TreePlan {
        /// Checks the numbers.
        public Coupled {
            widths = List.copyOf(widths);
            PlanLimits.requireWidths(widths);
        }
    }
}
