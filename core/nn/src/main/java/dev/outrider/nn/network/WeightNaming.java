package dev.outrider.nn.network;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/// The names of a decoder's weights in a checkpoint.
public interface WeightNaming {
    /// Returns the tensors that a weight is read from, stacked along their first dimension; all have the same shape. Empty if the
    /// layout has no name for the weight.
    ///
    /// @param number of the layer or the expert, from 0; 0 for weights that are not per layer
    List<String> names(Weight weight, int number);

    /// Returns the places of a weight in tensors that it may share with others.
    ///
    /// @param number of the layer or the expert, from 0; 0 for weights that are not per layer
    default List<TensorPart> parts(Weight weight, int number) {
        return names(weight, number).stream().map(TensorPart::whole).toList();
    }

    /// Returns whether a tensor that no weight is read from may be left out without a change of results.
    ///
    /// @param name any tensor of the checkpoint
    /// @param all  all of them
    boolean mayStayUnread(String name, Set<String> all);

    /// Returns the names of a model's layout.
    ///
    /// @param config of the stack that is read
    /// @param names  of the existing tensors
    static WeightNaming of(DecoderConfig config, Collection<String> names) {
        return TensorNames.of(config, names);
    }

    /// Returns the names of a GGUF file whose weights have separate tensors, gates included.
    ///
    /// @param architecture `general.architecture`
    static WeightNaming ofGguf(DecoderConfig config, String architecture) {
        return TensorNames.ofGguf(config, architecture, Set.of(), true);
    }

    /// Returns the name of a weight in a layer of the Llama family, without the prefix of the layer's names.
    ///
    /// @throws IllegalArgumentException if such a layer does not have the weight
    static String inLayer(Weight weight) {
        return TensorNames.inPlainLayer(weight);
    }
}
