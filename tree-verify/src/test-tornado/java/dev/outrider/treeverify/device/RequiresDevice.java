package dev.outrider.treeverify.device;

import dev.outrider.spi.error.OutriderException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Marks a test that runs kernels. With an SDK but without a device it is skipped, with the reason.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresDevice.Condition.class)
public @interface RequiresDevice {
    /// Looks for devices once for each test class; the runtime keeps the list.
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            try {
                return ConditionEvaluationResult.enabled(Devices.at(0).info().toString());
            } catch (OutriderException e) {
                return ConditionEvaluationResult.disabled(String.valueOf(e.getMessage()));
            }
        }
    }
}
