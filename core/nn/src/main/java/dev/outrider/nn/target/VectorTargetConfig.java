package dev.outrider.nn.target;

import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the target `vector`.
@Doc(
        "A decoder checkpoint in the Hugging Face layout or a GGUF file, run on the processor by Java's vector code: a row's numbers are the same bits"
                + " whatever is computed beside it.")
public record VectorTargetConfig(
        @Doc("Folder of the checkpoint: config.json, safetensors, tokenizer.json; or a GGUF file.")
                Path path,
        @Doc(
                        "How matrices are kept: f32, bf16, f16, int8, int4 (8 or 4 bits and a scale for every 32 numbers) or w8a8 (8 bits and a scale for"
                                + " every output, and rows rounded to 8 bits too); as the checkpoint has them, in a GGUF file each matrix in its own format, when it is not given. All else is"
                                + " computed in 32 bits.")
                Optional<Precision> precision,
        @Doc(
                        "How rows are that matrices in 4 to 8 bits multiply (precision int8 or int4, files in such formats but floats): int8 (8 bits and a scale"
                                + " for every 32 numbers) or f32 (nearer to the file's numbers). Other matrices multiply 32-bit rows.")
                @Default("int8")
                RowPrecision rowPrecision,
        @Doc(
                        "How keys and values are kept in the cache: f32; bf16, which rounds them and takes half the memory; or int8 (8 bits and a scale"
                                + " for each head's key in a row and for its value), which takes little over a quarter.")
                @Default("f32")
                CachePrecision cachePrecision,
        @Doc(
                        "Threads of a pass in this process, at least 1; more than there are processors are not used. The run's when it is not given.")
                Optional<Integer> threads,
        @Doc(
                        "Longest sequence, at least 1; never beyond the checkpoint's own limit, which it is when it is not given.")
                Optional<Integer> maxPositions,
        @Doc("How reports call the target; the folder's name when it is not given.")
                Optional<String> name) {
    /// Makes a configuration with rows in eight bits for products of integers.
    public VectorTargetConfig(
            Path path,
            Optional<Precision> precision,
            Optional<Integer> threads,
            Optional<Integer> maxPositions,
            Optional<String> name) {
        this(path, precision, RowPrecision.INT8, CachePrecision.F32, threads, maxPositions, name);
    }

    public VectorTargetConfig {
        threads.ifPresent(count -> TargetModels.requirePositive("threads", count));
        maxPositions.ifPresent(count -> TargetModels.requirePositive("maxPositions", count));
    }
}
