package dev.outrider.drafter.lookup;

import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/// Bytes of the arrays of numbers that an object of this project holds, itself or in such objects that it holds.
final class HeldBytes {
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private long bytes;

    private HeldBytes() {}

    static long of(Object holder) {
        var held = new HeldBytes();
        held.add(holder);
        return held.bytes;
    }

    private void add(Object value) {
        if (value == null || !seen.add(value)) {
            return;
        }
        var type = value.getClass();
        switch (value) {
            case int[] numbers -> bytes += (long) Integer.BYTES * numbers.length;
            case double[] numbers -> bytes += (long) Double.BYTES * numbers.length;
            case Object[] values -> {
                for (int index = 0; index < values.length; index++) {
                    add(Array.get(values, index));
                }
            }
            default -> {
                if (type.getName().startsWith("dev.outrider") && !type.isHidden()) {
                    addFields(type, value);
                }
            }
        }
    }

    private void addFields(Class<?> type, Object value) {
        try {
            for (var field : type.getDeclaredFields()) {
                if (!field.isSynthetic()
                        && !Modifier.isStatic(field.getModifiers())
                        && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    add(field.get(value));
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("a field was made accessible", e);
        }
    }
}
