package dev.outrider.nn.runtime;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.IValue;
import java.util.Arrays;
import java.util.List;

/// An argument or result of a TorchScript method. A value made once can be passed in many calls, which spares
/// long lists of weights from being built anew.
///
/// Owner: whoever made it. A list keeps its tensors' memory alive by itself. Not thread-safe.
public final class TorchValue implements AutoCloseable {
    private final IValue value;

    TorchValue(IValue value) {
        this.value = value;
    }

    /// A `Tensor`.
    public static TorchValue of(Tensor tensor) {
        return new TorchValue(IValue.from(tensor.raw()));
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
    public static TorchValue ofTensors(List<Tensor> tensors) {
        return new TorchValue(
                IValue.listFrom(tensors.stream().map(Tensor::raw).toArray(PtNDArray[]::new)));
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

    /// The tensor this value is, owned by `manager`.
    public Tensor toTensor(PtNDManager manager) {
        return new Tensor(value.toTensor(manager));
    }

    /// The tensors of a `List[Tensor]`, owned by `manager`.
    public List<Tensor> toTensors(PtNDManager manager) {
        return Arrays.stream(value.toTensorArray(manager)).map(Tensor::new).toList();
    }

    /// The array this value is, owned by `manager`.
    ///
    /// @throws IllegalStateException if it is a bfloat16 tensor
    public NDArray toArray(PtNDManager manager) {
        return toTensor(manager).array();
    }

    /// The arrays of a `List[Tensor]`, owned by `manager`.
    ///
    /// @throws IllegalStateException if one is a bfloat16 tensor
    public List<NDArray> toArrays(PtNDManager manager) {
        return toTensors(manager).stream().map(Tensor::array).toList();
    }

    /// The number an `int` is.
    public long toLong() {
        return value.toLong();
    }

    /// The number a `float` is.
    public double toDouble() {
        return value.toDouble();
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
