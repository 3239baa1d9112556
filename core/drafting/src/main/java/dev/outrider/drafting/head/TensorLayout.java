package dev.outrider.drafting.head;

import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// The table of the tensor names of a head's file. Weights of a layer have the names of the Llama family behind the
/// layer's prefix.
///
/// @param layer  prefix of a layer's tensors; `N` in it stands for the layer's number
/// @param names  of all other weights, and of weights of a layer that have other names (their prefix is in the name,
///     where `N` stands for the number too); no name for a weight that the layout does not have
/// @param unread tensors that may be left out
public record TensorLayout(String layer, Map<Weight, List<String>> names, Predicate<String> unread)
        implements WeightNaming {
    private static final Set<Weight> IN_LAYER = EnumSet.range(Weight.INPUT_NORM, Weight.DOWN_BIAS);

    public TensorLayout {
        names = Map.copyOf(names);
    }

    @Override
    public List<String> names(Weight weight, int number) {
        return names
                .getOrDefault(
                        weight,
                        IN_LAYER.contains(weight)
                                ? List.of(layer + WeightNaming.inLayer(weight))
                                : List.of())
                .stream()
                .map(name -> numbered(name, number))
                .toList();
    }

    /// Returns the name of a tensor of a layer.
    ///
    /// @param number of the layer, from 0
    /// @param tensor its name without the prefix
    public String inLayer(int number, String tensor) {
        return numbered(layer, number) + tensor;
    }

    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return unread.test(name);
    }

    private static String numbered(String name, int number) {
        return name.replace("N", Integer.toString(number));
    }
}
