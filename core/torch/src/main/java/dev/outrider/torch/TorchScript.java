package dev.outrider.torch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import ai.djl.engine.EngineException;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.JniUtils;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// A TorchScript program, compiled in memory. It runs many operations of PyTorch in one native call.
///
/// A program is a list of methods, indented by two spaces:
///
/// ```
///   def twice(self, x: Tensor) -> Tensor:
///     return x + x
/// ```
///
/// Programs are made of whole resource files ([#resource]) and of the constants that they read ([#constants]).
///
/// Thread-safe as long as its methods write to no tensor that threads share.
public final class TorchScript implements AutoCloseable {
    /// Pickle protocol 2 of an instance of `__torch__.M` with the state `{"training": False}`.
    private static final byte[] INSTANCE =
            "\u0080\u0002c__torch__\nM\n)\u0081}(X\u0008\0\0\0training\u0089ub."
                    .getBytes(ISO_8859_1);

    /// Pickle protocol 2 of the empty tuple.
    private static final byte[] EMPTY_TUPLE = {(byte) 0x80, 2, ')', '.'};

    private final PtNDManager manager;
    private final PtSymbolBlock module;

    private TorchScript(PtNDManager manager, PtSymbolBlock module) {
        this.manager = manager;
        this.module = module;
    }

    /// Compiles a program.
    ///
    /// @param methods method definitions, indented by two spaces
    /// @throws IllegalArgumentException if they do not compile; the message is the compiler's
    public static TorchScript compile(String methods) {
        var manager = TensorRuntime.newManager();
        TensorThread.enterInference();
        try {
            var archive = new ByteArrayInputStream(archive(methods));
            var module = JniUtils.loadModule(manager, archive, false, false);
            JniUtils.enableInferenceMode(module);
            return new TorchScript(manager, module);
        } catch (EngineException e) {
            manager.close();
            throw new IllegalArgumentException(
                    "TorchScript does not compile: " + e.getMessage(), e);
        } catch (IOException e) {
            manager.close();
            throw new UncheckedIOException(e);
        }
    }

    /// The methods of a resource file, whose definitions are not indented.
    ///
    /// @param owner a class in the package that the file belongs to
    /// @param name  of the file, without its ending `.torchscript`
    public static String resource(Class<?> owner, String name) {
        var file = name + ".torchscript";
        try (var stream = owner.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalArgumentException(
                        "there is no resource '%s' beside %s".formatted(file, owner.getName()));
            }
            return new String(stream.readAllBytes(), UTF_8).indent(2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Methods without arguments that return constants, such as `self.n_heads()`.
    ///
    /// @param values of type Integer, Double, Boolean or `List<Integer>`; by name
    public static String constants(Map<String, ?> values) {
        return values.entrySet().stream()
                .map(each -> constant(each.getKey(), each.getValue()))
                .sorted()
                .collect(Collectors.joining());
    }

    private static String constant(String name, Object value) {
        var type =
                switch (value) {
                    case Integer _ -> "int";
                    case Double _ -> "float";
                    case Boolean _ -> "bool";
                    case Iterable<?> _ -> "List[int]";
                    default ->
                            throw new IllegalArgumentException(
                                    "constant '%s' is a %s; expected a number, a boolean or a list"
                                            .formatted(name, value.getClass().getName()));
                };
        var text = value instanceof Boolean flag ? (flag ? "True" : "False") : value.toString();
        return "  def %s(self) -> %s:\n    return %s\n".formatted(name, type, text);
    }

    /// Calls a method without recording gradients. Its results are inference tensors: later operations that
    /// record gradients must not read them, and only other inference calls may write to them.
    ///
    /// @return the result; the caller closes it
    /// @throws EngineException if an operation fails; the message contains the position in the source
    public TorchValue call(String method, TorchValue... arguments) {
        return new TorchValue(NativeCall.run(module, method, false, arguments));
    }

    /// Calls a method and records gradients if the calling thread has them switched on. Its results are
    /// ordinary tensors.
    ///
    /// @return the result; the caller closes it
    /// @throws EngineException if an operation fails
    public TorchValue callRecording(String method, TorchValue... arguments) {
        return new TorchValue(NativeCall.run(module, method, true, arguments));
    }

    /// Releases the compiled code. Idempotent.
    @Override
    public void close() {
        module.close();
        manager.close();
    }

    /// An uncompressed zip with the source of one class `M` without parameters and a pickle of one instance of it.
    private static byte[] archive(String methods) {
        var source =
                """
                class M(Module):
                  __parameters__ = []
                  __buffers__ = []
                  training : bool
                """
                        + methods;
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            store(zip, "m/data.pkl", INSTANCE);
            store(zip, "m/code/__torch__.py", source.getBytes(UTF_8));
            store(zip, "m/constants.pkl", EMPTY_TUPLE);
            store(zip, "m/version", "10\n".getBytes(US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void store(ZipOutputStream zip, String name, byte[] content) throws IOException {
        var checksum = new CRC32();
        checksum.update(content);
        var entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(content.length);
        entry.setCrc(checksum.getValue());
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }
}
