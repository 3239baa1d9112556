package dev.outrider.cli;

import dev.outrider.nn.jit.Processor;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// Descriptions of this machine and this JVM.
final class Machine {
    private static final Path CACHE = Path.of("/sys/devices/system/cpu/cpu0/cache/index3/size");

    private static final Pattern CLASSES_OR_LOG =
            Pattern.compile(
                    "-XX:SharedArchiveFile|-XX:AOTCache|-Xlog|-Xbootclasspath|--add-exports=java.base/"
                            + "|-XX:\\+(UnlockExperimentalVMOptions|EnableVector|UseVectorStubs)");

    private Machine() {}

    static String jvm() {
        var flags = flags(ManagementFactory.getRuntimeMXBean().getInputArguments());
        return "%s %s %s"
                .formatted(
                        System.getProperty("java.vm.name"),
                        Runtime.version(),
                        String.join(" ", flags))
                .strip();
    }

    /// Returns the arguments that may change how the JVM runs, without those about class paths and logs, and without those with which
    /// the launcher starts vectors without their module.
    static List<String> flags(List<String> arguments) {
        return arguments.stream()
                .filter(flag -> flag.startsWith("-X") || flag.startsWith("--"))
                .filter(flag -> !CLASSES_OR_LOG.matcher(flag).lookingAt())
                .toList();
    }

    static String processor() {
        return Processor.field("model name")
                .orElseGet(() -> System.getProperty("os.arch", "unknown"))
                .replaceAll("\\s+", " ");
    }

    /// Returns the instruction sets of the processor that decide the speed of a pass.
    static List<String> instructionSets() {
        var known = List.of("avx2", "avx512f", "avx512_bf16", "avx512_vnni", "amx_bf16", "asimd");
        var present = Processor.instructionSets();
        return known.stream().filter(present::contains).toList();
    }

    /// Returns the bytes of the last cache of the first processor, 0 if unknown.
    static long cacheBytes() {
        try {
            var size = Files.readString(CACHE).strip();
            return size.matches("\\d{1,9}K") ? Long.parseLong(size.replace("K", "")) << 10 : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    static String system() {
        return "%s %s".formatted(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /// Returns the physical memory in bytes, if the JVM knows it.
    static long memoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 0;
    }
}
