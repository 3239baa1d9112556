package dev.outrider.testkit;

import dev.outrider.common.sampling.SamplingOperators;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;

/// Operators by the names of their keys.
final class OperatorSettings {
    private OperatorSettings() {}

    /// Returns operators of which only the named ones are on.
    ///
    /// @param settings names and values in turns
    static SamplingOperators of(Object... settings) {
        var given = new HashMap<Object, Object>();
        for (int index = 0; index < settings.length; index += 2) {
            given.put(settings[index], settings[index + 1]);
        }
        var components = SamplingOperators.class.getRecordComponents();
        var values =
                Arrays.stream(components)
                        .map(each -> given.getOrDefault(each.getName(), standard(each)))
                        .toArray();
        try {
            return (SamplingOperators)
                    SamplingOperators.class.getDeclaredConstructors()[0].newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(e);
        }
    }

    private static Object standard(RecordComponent component) {
        try {
            return component.getAccessor().invoke(SamplingOperators.none());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
