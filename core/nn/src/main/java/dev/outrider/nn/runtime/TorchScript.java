package dev.outrider.nn.runtime;

import ai.djl.engine.EngineException;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.JniUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/// TorchScript compiled in memory from source that Java has generated.
///
/// This reaches every operation of the engine, bfloat16 and prepacked weights included, and runs many of them in
/// one native call. Methods look like this, indented by two spaces:
///
/// ```
///   def twice(self: __torch__.M, x: Tensor) -> Tensor:
///     return torch.add(x, x)
/// ```
///
/// Thread-safe as far as its methods write to no shared tensor.
public final class TorchScript implements AutoCloseable {
    private final PtNDManager manager;
    private final PtSymbolBlock module;

    private TorchScript(PtNDManager manager, PtSymbolBlock module) {
        this.manager = manager;
        this.module = module;
    }

    /// Compiles methods.
    ///
    /// @param methods method definitions, indented by two spaces
    /// @throws IllegalArgumentException if they do not compile; the message is the compiler's
    public static TorchScript compile(String methods) {
        var manager = TensorRuntime.newManager();
        TensorThread.enterInference();
        try {
            var module =
                    JniUtils.loadModule(
                            manager,
                            new ByteArrayInputStream(TorchArchive.of(methods)),
                            false,
                            false);
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

    /// Calls a method without recording gradients. What it makes are inference tensors: later operations that
    /// record gradients must not read them, nor may anything but another inference call write to them.
    ///
    /// @return the result; the caller closes it
    /// @throws EngineException if an operation fails; the message holds the position in the source
    public TorchValue call(String method, TorchValue... arguments) {
        return new TorchValue(NativeCall.run(module, method, false, arguments));
    }

    /// Calls a method and, where the calling thread has gradients on, records them. What it makes are
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
}
