package dev.outrider.treeverify.model;

import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.treeverify.TornadoTargetConfig;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.TreeVerifyPlugin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// Real checkpoints on the device.
final class Checkpoints {
    private Checkpoints() {}

    /// Returns the root of the checkout.
    static Path root() {
        return Path.of(System.getProperty("outrider.root", "")).toAbsolutePath();
    }

    /// Returns a public checkpoint; the test is skipped if it is absent.
    static Path shared(String name) {
        var found =
                Stream.concat(
                                Optional.ofNullable(System.getenv("OUTRIDER_SHARED"))
                                        .map(Path::of)
                                        .stream(),
                                Stream.of(
                                        root().resolve("../shared"),
                                        root().resolve("../../shared")))
                        .map(shared -> shared.resolve("checkpoints").resolve(name).normalize())
                        .filter(Files::isDirectory)
                        .findFirst();
        Assumptions.assumeTrue(found.isPresent(), name + " is not here; set OUTRIDER_SHARED");
        return found.orElseThrow();
    }

    /// Opens a checkpoint on device 0.
    static TargetModel open(Path path) {
        return open(path, WeightFormat.F32);
    }

    /// Opens a checkpoint on device 0.
    static TargetModel open(Path path, WeightFormat precision) {
        return new TreeVerifyPlugin.TornadoTargetFactory()
                .open(
                        new TornadoTargetConfig(
                                path,
                                precision,
                                0,
                                16,
                                Optional.of(512),
                                Optional.empty(),
                                CudaGraphs.ON,
                                Optional.empty()));
    }

    /// Returns the continuation of a prompt by plain greedy decoding.
    static int[] greedy(TargetModel target, int[] prompt, int count) {
        try (var session = target.open(SessionRequest.ofCapacity(prompt.length + count))) {
            session.prefill(Arrays.copyOf(prompt, prompt.length - 1)).close();
            return greedy(session, prompt[prompt.length - 1], count);
        }
    }

    /// Returns the continuation of a sequence after a root by plain greedy decoding.
    static int[] greedy(TargetSession session, int root, int count) {
        var tokens = new int[count];
        int next = root;
        for (int index = 0; index < count; index++) {
            try (var scores = session.score(TokenTree.rootOnly(next))) {
                next = scores.argmax(0);
            }
            tokens[index] = next;
            session.commit(new Verdict(List.of(), next, Verdict.Origin.BONUS));
        }
        return tokens;
    }
}
