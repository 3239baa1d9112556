package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import dev.outrider.nn.checkpoint.StoredTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// All parameters of a learner, in the order its TorchScript reads them.
///
/// @param list the parameters
public record ParameterSet(List<Parameter> list) {
    public ParameterSet {
        list = List.copyOf(list);
    }

    /// Returns the number of trained numbers.
    public long count() {
        return list.stream().mapToLong(Parameter::size).sum();
    }

    /// Values before the first step, the same for the same seed.
    List<float[]> initial(long seed) {
        var random = new SplittableRandom(seed);
        return list.stream().map(parameter -> initial(parameter, random)).toList();
    }

    /// Arrays of zeros in the parameters' sizes.
    List<float[]> zeros() {
        return list.stream().map(parameter -> new float[parameter.size()]).toList();
    }

    /// Arrays of those values; the manager owns them.
    List<NDArray> arrays(NDManager manager, List<float[]> values) {
        var arrays = new ArrayList<NDArray>();
        for (int i = 0; i < list.size(); i++) {
            arrays.add(manager.create(values.get(i), new Shape(list.get(i).shape())));
        }
        return arrays;
    }

    /// The tensors of a finished checkpoint.
    ///
    /// @param values one array per parameter, row-major
    public List<StoredTensor> stored(List<float[]> values, TrainingPlan.Storage storage) {
        var tensors = new ArrayList<StoredTensor>();
        for (int i = 0; i < list.size(); i++) {
            var parameter = list.get(i);
            int rowSize = parameter.size() / Math.toIntExact(parameter.shape()[0]);
            int from = 0;
            for (var part : parameter.parts()) {
                long[] shape = parameter.shape().clone();
                shape[0] = part.rows();
                int to = from + rowSize * part.rows();
                tensors.add(
                        storage.stored(
                                part.name(), Arrays.copyOfRange(values.get(i), from, to), shape));
                from = to;
            }
        }
        return tensors;
    }

    private static float[] initial(Parameter parameter, SplittableRandom random) {
        return switch (parameter.initial()) {
            case Parameter.Initial.Constant(float value) -> {
                var array = new float[parameter.size()];
                Arrays.fill(array, value);
                yield array;
            }
            case Parameter.Initial.Normal(double deviation) -> {
                var array = new float[parameter.size()];
                for (int i = 0; i < array.length; i++) {
                    array[i] = (float) (random.nextGaussian() * deviation);
                }
                yield array;
            }
            case Parameter.Initial.Given(float[] values) -> values.clone();
        };
    }
}
