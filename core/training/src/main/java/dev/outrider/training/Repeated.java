package dev.outrider.training;

import dev.outrider.common.Require;
import java.util.Iterator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The elements of a stream that is opened again at its end. Confined.
final class Repeated<T> implements AutoCloseable {
    private final Supplier<Stream<T>> source;
    private Stream<T> stream;
    private Iterator<T> elements;

    Repeated(Supplier<Stream<T>> source) {
        this.source = source;
        stream = source.get();
        elements = stream.iterator();
    }

    /// @throws IllegalArgumentException if there is none
    T next() {
        if (!elements.hasNext()) {
            stream.close();
            stream = source.get();
            elements = stream.iterator();
            Require.that(elements.hasNext(), "the document source is empty");
        }
        return elements.next();
    }

    @Override
    public void close() {
        stream.close();
    }
}
