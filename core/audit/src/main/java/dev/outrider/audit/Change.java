package dev.outrider.audit;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/// A named change of a record: one fault.
///
/// @param name   in reports
/// @param change applied to a correct server
record Change<T>(String name, UnaryOperator<T> change) {
    T apply(T correct) {
        return change.apply(correct);
    }

    /// Returns this change followed by another; the name does not contain the order.
    Change<T> and(Change<T> other) {
        var both =
                name.compareTo(other.name()) < 0
                        ? List.of(name, other.name())
                        : List.of(other.name(), name);
        return new Change<>(String.join(" + ", both), each -> other.apply(change.apply(each)));
    }

    /// Returns changes that set one component each to its value without an effect.
    static <R extends Record> List<Change<R>> removals(R none) {
        return Arrays.stream(none.getClass().getRecordComponents())
                .map(part ->
                        new Change<R>(
                                part.getName() + " ignored",
                                each -> with(each, part.getName(), value(none, part.getName()))))
                .toList();
    }

    /// A record with another value of one component.
    @SuppressWarnings("unchecked") // a record's constructor makes that record
    static <R extends Record> R with(R record, String component, Object value) {
        var parts = record.getClass().getRecordComponents();
        var values =
                Arrays.stream(parts)
                        .map(each ->
                                each.getName().equals(component)
                                        ? value
                                        : value(record, each.getName()))
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

    /// A component of a record.
    static Object value(Record record, String component) {
        try {
            var accessor = record.getClass().getDeclaredMethod(component);
            accessor.setAccessible(true);
            return accessor.invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("%s does not say '%s'".formatted(record, component), e);
        }
    }
}
