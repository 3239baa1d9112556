package dev.outrider.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.IValue;
import java.util.List;

/// An argument or result of a TorchScript method. A value can be passed in many calls, so that
/// long lists of weights are not built again for each call.
///
/// Owner: the caller that made it. A list keeps the memory of its tensors alive. Not thread-safe.
public final class TorchValue implements AutoCloseable {
    private final IValue value;

    TorchValue(IValue value) {
        this.value = value;
    }

    /// A `Tensor`.
    public static TorchValue of(NDArray array) {
        return new TorchValue(IValue.from((PtNDArray) array));
    }

    /// An `int`.
    public static TorchValue of(long number) {
        return new TorchValue(IValue.from(number));
    }

    /// A `float`.
    public static TorchValue of(double number) {
        return new TorchValue(IValue.from(number));
    }

    /// A `bool`.
    public static TorchValue of(boolean flag) {
        return new TorchValue(IValue.from(flag));
    }

    /// A `List[int]`.
    public static TorchValue ofLongs(long... numbers) {
        return new TorchValue(IValue.listFrom(numbers));
    }

    /// A `List[Tensor]`.
    public static TorchValue ofArrays(List<? extends NDArray> arrays) {
        return new TorchValue(
                IValue.listFrom(
                        arrays.stream().map(PtNDArray.class::cast).toArray(PtNDArray[]::new)));
    }

    /// A list of values of one type, such as `List[List[Tensor]]`. At least one.
    public static TorchValue ofList(List<TorchValue> values) {
        return new TorchValue(
                IValue.listFrom(values.stream().map(TorchValue::raw).toArray(IValue[]::new)));
    }

    /// The tensor that this value is, owned by `manager`. Only TorchScript may compute with a bfloat16 tensor.
    public NDArray toArray(PtNDManager manager) {
        return value.toTensor(manager);
    }

    /// The tensors of a `List[Tensor]`, owned by `manager`.
    public List<NDArray> toArrays(PtNDManager manager) {
        return List.of(value.toTensorArray(manager));
    }

    /// Releases the handle. Idempotent.
    @Override
    public void close() {
        value.close();
    }

    IValue raw() {
        return value;
    }
}
