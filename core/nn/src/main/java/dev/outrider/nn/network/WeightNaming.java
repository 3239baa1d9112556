package dev.outrider.nn.network;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/// The names of a decoder's weights in a checkpoint.
public interface WeightNaming {
    /// The tensors a weight is made of, stacked along their first dimension; all have the same shape. Empty for
    /// a weight that the layout has no name for.
    ///
    /// @param number of the layer or the expert, from 0; 0 for weights that are not per layer
    List<String> names(Weight weight, int number);

    /// Where a weight lies in tensors that it may share with others.
    ///
    /// @param number of the layer or the expert, from 0; 0 for weights that are not per layer
    default List<TensorPart> parts(Weight weight, int number) {
        return names(weight, number).stream().map(TensorPart::whole).toList();
    }

    /// Whether a tensor that no weight is made of may be left out without a change of results.
    ///
    /// @param name any tensor of the checkpoint
    /// @param all  all of them
    boolean mayStayUnread(String name, Set<String> all);

    /// Returns the names of a model's layout.
    ///
    /// @param config of the part that is read
    /// @param names  of the tensors that are there
    static WeightNaming of(DecoderConfig config, Collection<String> names) {
        return TensorNames.of(config, names);
    }

    /// Returns the names of a GGUF file whose weights are in tensors of their own, gates too.
    ///
    /// @param architecture `general.architecture`
    static WeightNaming ofGguf(DecoderConfig config, String architecture) {
        return TensorNames.ofGguf(config, architecture, Set.of(), true);
    }

    /// Returns the name of a weight in a layer of the Llama family, without the start of the layer's names.
    ///
    /// @throws IllegalArgumentException if such a layer does not have the weight
    static String inLayer(Weight weight) {
        return TensorNames.inPlainLayer(weight);
    }
}
