package dev.outrider.nn.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.target.LoadedDecoder.Plan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that a model which could not be loaded leaves nothing open.
class LoadedDecoderTest {
    private static final Path FOLDER =
            Path.of(System.getProperty("outrider.root", "../.."), "models", "tiny-target");

    @TempDir Path directory;

    @Test
    void aNetworkWhoseFilesCannotBeReadToTheirEndIsClosed() throws IOException {
        for (var name : List.of("config.json", "tokenizer.json", "model.safetensors")) {
            Files.copy(FOLDER.resolve(name), directory.resolve(name));
        }
        var closed = new AtomicBoolean();
        assertThatThrownBy(() ->
                        load(
                                directory,
                                () -> cut(directory.resolve("model.safetensors")),
                                () -> new Idle(closed)))
                .isInstanceOf(InternalError.class);
        assertThat(closed).isTrue();
    }

    @Test
    void aNetworkThatIsRefusedStopsTheDigest() {
        var refusal = new IllegalStateException("no");
        var stopped = new AtomicBoolean();
        assertThatThrownBy(() ->
                        LoadedDecoder.digested(
                                () -> {
                                    throw refusal;
                                },
                                told -> {
                                    stopped.set(stops(told));
                                    throw new CancellationException();
                                }))
                .isSameAs(refusal);
        assertThat(stopped).isTrue();
    }

    /// Waits, but not for ever, to be told to stop.
    private static boolean stops(BooleanSupplier told) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!told.getAsBoolean() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        return told.getAsBoolean();
    }

    @Test
    void aDigestStopsWhenNobodyWantsIt() {
        try (var tensors = new Checkpoint(FOLDER).openTensors()) {
            var asked = new AtomicInteger();
            assertThatThrownBy(() -> tensors.digest(() -> asked.incrementAndGet() == 2))
                    .isInstanceOf(CancellationException.class);
            assertThat(asked).hasValue(2);
            assertThat(tensors.digest(() -> false)).isEqualTo(tensors.digest());
        }
    }

    private static void cut(Path file) {
        try {
            Files.write(file, new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void load(Path folder, Runnable before, Supplier<DecoderNetwork> network) {
        LoadedDecoder.load(
                new Checkpoint(folder),
                Optional.empty(),
                () -> Long.MAX_VALUE,
                (_, _) -> {
                    before.run();
                    return new Plan(new DecoderMemory(1, 0), network, 1);
                });
    }

    private record Idle(AtomicBoolean closed) implements DecoderNetwork {
        @Override
        public KvCache newCache(int rows) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            closed.set(true);
        }
    }
}
