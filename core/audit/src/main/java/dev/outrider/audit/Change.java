package dev.outrider.audit;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/// A named change of a record: one fault.
///
/// @param name   how reports call it
/// @param change of what a correct server does
record Change<T>(String name, UnaryOperator<T> change) {
    T apply(T correct) {
        return change.apply(correct);
    }

    /// This change and then another.
    Change<T> and(Change<T> other) {
        return new Change<>(name + " + " + other.name(), each -> other.apply(change.apply(each)));
    }

    /// Every two changes of which neither undoes, repeats or hides the other.
    static <T> List<Change<T>> pairs(List<Change<T>> singles, T correct) {
        var pairs = new ArrayList<Change<T>>();
        var alone = singles.stream().map(each -> each.apply(correct)).toList();
        for (int first = 0; first < singles.size(); first++) {
            for (int second = first + 1; second < singles.size(); second++) {
                var pair = singles.get(first).and(singles.get(second));
                var both = pair.apply(correct);
                var turned = singles.get(second).and(singles.get(first)).apply(correct);
                if (both.equals(turned) && !alone.contains(both)) {
                    pairs.add(pair);
                }
            }
        }
        return pairs;
    }

    /// Changes that set one component each to what it is where it has no effect.
    static <R extends Record> List<Change<R>> removals(R none) {
        return Arrays.stream(none.getClass().getRecordComponents())
                .map(part ->
                        new Change<R>(
                                part.getName() + " ignored",
                                each -> with(each, part.getName(), value(none, part))))
                .toList();
    }

    /// A record with another value of one component.
    @SuppressWarnings("unchecked") // a record's constructor makes that record
    static <R extends Record> R with(R record, String component, Object value) {
        var parts = record.getClass().getRecordComponents();
        var values =
                Arrays.stream(parts)
                        .map(each -> each.getName().equals(component) ? value : value(record, each))
                        .toArray();
        try {
            var types = Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
            var constructor = record.getClass().getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return (R) constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("%s has no '%s'".formatted(record, component), e);
        }
    }

    private static Object value(Record record, RecordComponent component) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "%s does not say '%s'".formatted(record, component.getName()), e);
        }
    }
}
