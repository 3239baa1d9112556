package dev.outrider.nn.network;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;

/// Where a weight lies in a checkpoint: a tensor, or rows of one that several weights share. Tensors of experts may hold one such
/// matrix behind the other.
///
/// @param name       of the tensor
/// @param rows       rows of the tensor; 0 if it is the weight and nothing else
/// @param first      the tensor's row that is the weight's first
/// @param block      rows of the weight that follow one another there
/// @param stride     from where such a block begins to where the next one does
/// @param transposed whether the tensor has inputs for rows and outputs for columns
/// @param paired     width of heads whose halves lie interleaved there, so that what rotates together is side by side; 0 if they do
///     not
/// @param stacked    how many matrices the tensor holds, its first dimension; 0 if it is one
/// @param which      of them the rows are in
public record TensorPart(
        String name,
        long rows,
        long first,
        long block,
        long stride,
        boolean transposed,
        long paired,
        long stacked,
        long which) {
    /// Rows of heads that lie as they are.
    public TensorPart(
            String name, long rows, long first, long block, long stride, boolean transposed) {
        this(name, rows, first, block, stride, transposed, 0, 0, 0);
    }

    /// A tensor of its own.
    public static TensorPart whole(String name) {
        return new TensorPart(name, 0, 0, 0, 0, false);
    }

    /// Rows that follow one another.
    ///
    /// @param rows  of the tensor
    /// @param first of the weight's
    /// @param count the weight's
    public static TensorPart slice(String name, long rows, long first, long count) {
        return new TensorPart(name, rows, first, count, 0, false);
    }

    /// The same in a tensor whose rows are inputs, as `Conv1D` of GPT-2 keeps them.
    TensorPart asTransposed() {
        return new TensorPart(name, rows, first, block, stride, true, paired, stacked, which);
    }

    /// The same rows, of heads whose halves lie interleaved.
    ///
    /// @param head width of a head
    TensorPart asPaired(long head) {
        return new TensorPart(name, rows, first, block, stride, transposed, head, stacked, which);
    }

    /// The same rows of one of several matrices.
    ///
    /// @param count how many the tensor holds
    /// @param index which of them, from 0
    TensorPart asStacked(long count, long index) {
        return new TensorPart(name, rows, first, block, stride, transposed, paired, count, index);
    }

    /// Whether it is the tensor as it is.
    public boolean whole() {
        return rows == 0;
    }

    /// The row that is a row of the weight, of the tensor or of its matrix.
    public long row(long row) {
        long here = paired == 0 ? row : interleaved(row);
        return first + here / block * stride + here % block;
    }

    private long interleaved(long row) {
        long half = paired / 2;
        long inHead = row % paired;
        return row - inHead + inHead % half * 2 + inHead / half;
    }

    /// Shape of the tensor, or of its matrices.
    ///
    /// @param weight shape of the weight
    long[] shape(long[] weight) {
        if (whole()) {
            return weight;
        }
        if (weight.length == 1) {
            return new long[] {rows};
        }
        return transposed ? new long[] {weight[1], rows} : new long[] {rows, weight[1]};
    }

    /// Shape of the tensor, with all its matrices.
    ///
    /// @param weight shape of the weight
    long[] wholeShape(long[] weight) {
        long[] one = shape(weight);
        if (stacked == 0) {
            return one;
        }
        long[] all = new long[one.length + 1];
        all[0] = stacked;
        System.arraycopy(one, 0, all, 1, one.length);
        return all;
    }

    /// The tensor, or its matrix, without a copy.
    ///
    /// @param weight shape of the weight
    /// @throws dev.outrider.spi.error.OutriderException as [CheckpointTensors#tensor]
    StoredTensor in(CheckpointTensors tensors, long[] weight) {
        var tensor = tensors.tensor(name, wholeShape(weight));
        return stacked == 0 ? tensor : tensor.of(which);
    }

    @Override
    public String toString() {
        return name;
    }
}
