package dev.outrider.experiment.tree;

import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.tree.TreeShape;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// Variants that differ from a given variant only in their tree.
///
/// A drafter can be given a tree if its configuration record has a component of type [TreePlan], or an `Optional` of one,
/// or a record with such a component inlined.
/// An optional `length`, which has the same meaning for chains, is then left out.
final class TreeVariants {
    private static final String LENGTH = "length";

    private TreeVariants() {}

    /// A variant with another tree and name, whose drafts are as deep as the tree.
    ///
    /// @throws OutriderException CAPABILITY_MISSING if the drafter takes no tree
    static VariantConfig with(VariantConfig variant, String name, TreePlan tree) {
        var drafter = variant.drafter();
        return new VariantConfig(
                name,
                new DrafterChoice(drafter.use(), drafter.factory(), with(drafter, tree)),
                variant.rule(),
                Optional.empty(),
                variant.sampling(),
                Optional.empty());
    }

    private static Record with(DrafterChoice drafter, TreePlan tree) {
        Record config = drafter.config();
        if (!takesTree(config.getClass())) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    "drafter '%s' has no key of type tree plan, so that no tree can be given to it"
                            .formatted(drafter.use()),
                    "Choose a variant whose drafter takes a 'tree', such as small-model.");
        }
        try {
            return (Record) with(config, tree);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException refused
                    ? refused
                    : new IllegalStateException("the record's constructor failed", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a configuration record can be read and made", e);
        }
    }

    /// Returns a configuration record with another tree; the tree may be in a record that is inlined.
    private static Object with(Object config, TreePlan tree) throws ReflectiveOperationException {
        RecordComponent[] components = config.getClass().getRecordComponents();
        var types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        var values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(components[i], config, tree);
        }
        var constructor = config.getClass().getDeclaredConstructor(types);
        constructor.trySetAccessible();
        return constructor.newInstance(values);
    }

    private static boolean takesTree(Class<?> config) {
        return Arrays.stream(config.getRecordComponents())
                .anyMatch(component ->
                        takesTree(component)
                                || (component.isAnnotationPresent(Inline.class)
                                        && takesTree(component.getType())));
    }

    private static Object value(RecordComponent component, Object config, TreePlan tree)
            throws ReflectiveOperationException {
        var accessor = component.getAccessor();
        accessor.trySetAccessible();
        Object given = Optional.ofNullable(accessor.invoke(config)).orElseThrow();
        if (component.isAnnotationPresent(Inline.class)) {
            return with(given, tree);
        }
        if (takesTree(component)) {
            requireNoGumbel(given);
            return component.getType() == Optional.class ? Optional.of(tree) : tree;
        }
        if (component.getName().equals(LENGTH) && component.getType() == Optional.class) {
            return Optional.empty();
        }
        return given;
    }

    /// Siblings of a Gumbel race have no explicit shapes; ranked siblings in their place would have another acceptance.
    private static void requireNoGumbel(Object tree) {
        if (tree instanceof TreePlan.Coupled
                || (tree instanceof Optional<?> given
                        && given.filter(TreePlan.Coupled.class::isInstance).isPresent())) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    "a tree of coupled siblings cannot have explicit paths",
                    "Choose a variant with ranked or drawn siblings.");
        }
    }

    private static boolean takesTree(RecordComponent component) {
        Type type = component.getGenericType();
        return type == TreePlan.class
                || (type instanceof ParameterizedType generic
                        && generic.getRawType() == Optional.class
                        && generic.getActualTypeArguments()[0] == TreePlan.class);
    }

    /// The way in which the children of a node are chosen; it decides what a rank means and how plans of ranks are written.
    enum Siblings {
        /// By falling probability.
        RANKED,
        /// Distinct draws, in draw order.
        DISTINCT,
        /// Independent draws, in draw order.
        INDEPENDENT;

        /// Returns the drafter's own choice; a drafter of chains would have its most probable guesses in a tree.
        static Siblings of(DrafterTraits traits) {
            if (traits.shape() == TreeShape.CHAIN) {
                return RANKED;
            }
            if (traits.selections().contains(Selection.Kind.WITHOUT_REPLACEMENT)) {
                return DISTINCT;
            }
            return traits.selections().contains(Selection.Kind.INDEPENDENT) ? INDEPENDENT : RANKED;
        }

        /// A plan of explicit paths.
        TreePlan plan(List<List<Integer>> paths) {
            return switch (this) {
                case RANKED -> new TreePlan.RankPaths(paths);
                case DISTINCT -> new TreePlan.SampledPaths(paths, false);
                case INDEPENDENT -> new TreePlan.SampledPaths(paths, true);
            };
        }

        /// A plan in which every node above the greatest depth has `ranks` children.
        TreePlan full(int ranks, int depth) {
            var widths = Collections.nCopies(depth, ranks);
            return switch (this) {
                case RANKED -> new TreePlan.LevelWidths(widths);
                case DISTINCT -> new TreePlan.SampledWithoutReplacement(widths);
                case INDEPENDENT -> new TreePlan.SampledWithReplacement(widths);
            };
        }
    }
}
