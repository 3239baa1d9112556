package dev.outrider.nn.network;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;

/// The place of a weight in a checkpoint: a tensor, or rows of a tensor that several weights share. Tensors of experts may contain
/// one such matrix after the other.
///
/// @param name       of the tensor
/// @param rows       rows of the tensor; 0 if the tensor is the weight alone
/// @param first      row of the tensor that is the weight's first row
/// @param block      rows of the weight that are consecutive in the tensor
/// @param stride     rows from the start of such a block to the start of the next
/// @param transposed whether the rows of the tensor are inputs and its columns outputs
/// @param paired     width of heads whose halves are interleaved in the tensor, so that the two numbers of a rotated pair are
///                   adjacent; 0 if they are not interleaved
/// @param stacked    number of matrices in the tensor, its first dimension; 0 if it is one matrix
/// @param which      number of the matrix that contains the rows
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
    /// Makes a part of heads whose halves are not interleaved.
    public TensorPart(
            String name, long rows, long first, long block, long stride, boolean transposed) {
        this(name, rows, first, block, stride, transposed, 0, 0, 0);
    }

    /// Returns a whole tensor.
    public static TensorPart whole(String name) {
        return new TensorPart(name, 0, 0, 0, 0, false);
    }

    /// Returns consecutive rows of a tensor.
    ///
    /// @param rows  rows of the tensor
    /// @param first row of the weight's first row
    /// @param count rows of the weight
    public static TensorPart slice(String name, long rows, long first, long count) {
        return new TensorPart(name, rows, first, count, 0, false);
    }

    /// Returns the same part of a tensor whose rows are inputs, as in `Conv1D` of GPT-2.
    TensorPart asTransposed() {
        return new TensorPart(name, rows, first, block, stride, true, paired, stacked, which);
    }

    /// Returns the same rows, of heads whose halves are interleaved.
    ///
    /// @param head width of a head
    TensorPart asPaired(long head) {
        return new TensorPart(name, rows, first, block, stride, transposed, head, stacked, which);
    }

    /// Returns the same rows of one of several matrices.
    ///
    /// @param count number of matrices in the tensor
    /// @param index number of the matrix, from 0
    TensorPart asStacked(long count, long index) {
        return new TensorPart(name, rows, first, block, stride, transposed, paired, count, index);
    }

    /// Returns whether the weight is the whole tensor.
    public boolean whole() {
        return rows == 0;
    }

    /// Returns the row of the tensor, or of its matrix, for a row of the weight.
    public long row(long row) {
        long here = paired == 0 ? row : interleaved(row);
        return first + here / block * stride + here % block;
    }

    private long interleaved(long row) {
        long half = paired / 2;
        long inHead = row % paired;
        return row - inHead + inHead % half * 2 + inHead / half;
    }

    /// Returns the shape of the tensor, or of its matrices.
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

    /// Returns the shape of the tensor, with all its matrices.
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

    /// Returns the tensor, or its matrix, without a copy.
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
