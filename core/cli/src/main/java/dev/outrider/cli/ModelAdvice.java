package dev.outrider.cli;

import dev.outrider.cli.ModelFacts.MemoryFacts.Line;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// The advice that would help most to run a model on this machine.
///
/// @param own          the weights as the file has them
/// @param others       in bf16, int8, w8a8 and int4
/// @param available    bytes of memory
/// @param cache        bytes of the processor's last cache, 0 if that is not known
/// @param fastIntegers whether machine code multiplies integers
record ModelAdvice(
        Line own, List<Line> others, long available, long cache, BooleanSupplier fastIntegers) {
    private static final double GIGABYTE = 1e9;
    private static final double MEGABYTE = 1e6;

    /// A share of the bytes of bf16: formats below it have about eight bits or fewer.
    private static final double FEW_BITS = 0.75;

    private static final Set<String> EIGHT_BITS = Set.of("int8", "w8a8");

    /// Returns one line.
    String line() {
        if (own.bytes() > available) {
            return fitting()
                    .findFirst()
                    .map(each ->
                            Console.format(
                                    "the weights take %.1f GB, and %.1f GB are free. precision: %s takes %.1f GB, and changes the numbers",
                                    own.bytes() / GIGABYTE,
                                    available / GIGABYTE,
                                    each.precision(),
                                    each.bytes() / GIGABYTE))
                    .orElse("no precision fits the memory that is free: use a smaller model");
        }
        if (2 * own.bytesPerPass() < cache) {
            return Console.format(
                    "speculation hardly pays: a pass reads %.1f MB, which lie in the processor's cache of %.1f MB. MODEL@SHAPE, of a folder in plain weights, has a larger model's costs",
                    own.bytesPerPass() / MEGABYTE, cache / MEGABYTE);
        }
        boolean fewBits = own.bytesPerPass() < FEW_BITS * others.getFirst().bytesPerPass();
        var faster =
                fitting()
                        .filter(each -> EIGHT_BITS.contains(each.precision()))
                        .reduce((_, last) -> last);
        if (faster.isPresent() && !fewBits && own.bytes() > GIGABYTE) {
            return Console.format(
                    "a pass reads %.1f GB with precision: %s, and %.1f GB as the file has them; which changes its numbers: see tune --allow-format-change",
                    faster.get().bytesPerPass() / GIGABYTE,
                    faster.get().precision(),
                    own.bytesPerPass() / GIGABYTE);
        }
        return "next: outrider tune --target MODEL --prompts FILE finds what drafts for it";
    }

    private Stream<Line> fitting() {
        return others.stream()
                .filter(each -> each.bytes() <= available)
                .filter(each -> !each.precision().equals("w8a8") || fastIntegers.getAsBoolean());
    }
}
