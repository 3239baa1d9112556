package dev.outrider.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests every known input, and some inputs that differ from it in a few bytes.
final class SeedsTest {
    private static final int NEIGHBOURS = Boolean.getBoolean("outrider.nightly") ? 40 : 15;

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource
    void everySeedEndsInAResultOrACode(Target target) throws IOException {
        var seeds = Seeds.of(target);

        assertThat(seeds).isNotEmpty();
        for (var seed : seeds) {
            read(target, Files.readAllBytes(seed), seed.toString());
        }
    }

    @ParameterizedTest
    @EnumSource
    void soDoItsNeighbours(Target target) throws IOException {
        for (var seed : Seeds.of(target)) {
            byte[] original = Files.readAllBytes(seed);
            for (int number = 0; number < NEIGHBOURS; number++) {
                read(target, neighbour(original, number), seed + ", neighbour " + number);
            }
        }
    }

    /// Each target accepts at least one seed. Otherwise all changed inputs could fail at the same early check. A plugin that is
    /// accepted needs a compiled class; the command line's tests have one.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PLUGIN")
    void oneSeedIsAccepted(Target target) throws IOException {
        assertThat(Seeds.of(target))
                .anySatisfy(seed ->
                        assertThatCode(() -> target.read(Files.readAllBytes(seed), folder))
                                .doesNotThrowAnyException());
    }

    private void read(Target target, byte[] input, String which) {
        try {
            Oracle.check(target, input, folder);
        } catch (IOException | RuntimeException | Error e) {
            throw new AssertionError(which, e);
        }
    }

    /// Returns the input with a few bytes flipped, dropped or repeated.
    private static byte[] neighbour(byte[] original, long number) {
        var random = new SplittableRandom(number);
        byte[] bytes = original.clone();
        for (int change = random.nextInt(1, 4); change > 0 && bytes.length > 1; change--) {
            int at = random.nextInt(bytes.length);
            int length = random.nextInt(Math.min(16, bytes.length - at) + 1);
            bytes =
                    switch (random.nextInt(3)) {
                        case 0 -> flipped(bytes, at, random.nextInt(1, 256));
                        case 1 -> joined(bytes, at, at + length);
                        default -> joined(bytes, at + length, at);
                    };
        }
        return bytes;
    }

    private static byte[] flipped(byte[] bytes, int at, int by) {
        bytes[at] ^= (byte) by;
        return bytes;
    }

    /// Returns the beginning up to one position and everything from another: the part between is
    /// dropped or repeated.
    private static byte[] joined(byte[] bytes, int end, int start) {
        byte[] joined = Arrays.copyOf(bytes, end + bytes.length - start);
        System.arraycopy(bytes, start, joined, end, bytes.length - start);
        return joined;
    }
}
