package dev.outrider.nn.vector;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.List;

/// Checks whether this process has Java's vector module. Loads no class of the module before the check.
public final class VectorMachine {
    private static final String MODULE = "jdk.incubator.vector";

    static final String JAVA = "Java's vector code";

    /// The property that chooses the code of products: `auto`, `pairs` for machine code without VNNI and VBMI, or `java` for Java's
    /// vector code alone.
    static final String KERNELS = "outrider.kernels";

    private static final List<String> KNOWN = List.of("auto", "pairs", "java");

    private VectorMachine() {}

    /// Returns whether the process was started with the module, or with its classes on the boot class path, as the launcher does.
    public static boolean available() {
        try {
            Class.forName(MODULE + ".Vector", false, VectorMachine.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /// Throws if the process does not have the module, or a property with an unknown value.
    ///
    /// @throws OutriderException `BACKEND_UNAVAILABLE`, `CONFIG_INVALID`
    public static void require() {
        if (!available()) {
            throw new OutriderException(
                    ErrorCode.BACKEND_UNAVAILABLE,
                    "the back end 'vector' needs the module %s, which this process was started without"
                            .formatted(MODULE),
                    "Start Java with --add-modules %s.".formatted(MODULE));
        }
        requireKnown(System.getProperty(KERNELS, "auto"));
    }

    static void requireKnown(String integers) {
        if (!KNOWN.contains(integers)) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "the property %s is '%s', expected one of %s"
                            .formatted(KERNELS, integers, String.join(", ", KNOWN)),
                    "Leave it out, or set it to java to multiply without machine code.");
        }
    }

    static boolean kernelsWanted() {
        return !"java".equals(System.getProperty(KERNELS));
    }

    static boolean allKernels() {
        return System.getProperty(KERNELS, "auto").equals("auto");
    }

    /// Returns what multiplies integers.
    public static String integers() {
        require();
        return IntegerKernel.name();
    }

    /// Returns what multiplies floats of 16 and 32 bits.
    public static String floats() {
        require();
        return FloatTiles.runs(PanelFormat.F32.blocks()) ? "machine code" : JAVA;
    }

    /// Returns what multiplies floats and integers, for provenance.
    public static String products() {
        return available()
                ? "floats by %s, integers by %s".formatted(floats(), integers())
                : "none";
    }

    /// Returns whether machine code multiplies some integers.
    public static boolean kernels() {
        return available() && !integers().equals(JAVA);
    }

    /// Returns whether machine code multiplies integers of 8 bits, and not Java.
    public static boolean fastIntegers() {
        return available() && IntegerKernel.runs(PanelFormat.LEVELS.integers());
    }

    /// Returns the width of the machine's vectors, for provenance.
    public static String name() {
        return available() ? "%d bits".formatted(Lanes.FLOATS.vectorBitSize()) : "none";
    }
}
