package dev.outrider.testkit;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/// The assertions of the conformance suites. They throw [AssertionError], so that the suites need no test library if
/// [SuiteRunner] runs them. The names are those of AssertJ and JUnit.
final class Expect {
    private Expect() {}

    /// A check that does not apply, if JUnit is absent.
    static final class Skipped extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Skipped(String reason) {
            super(reason);
        }
    }

    /// Skips the check unless a condition holds.
    ///
    /// @param reason why the check does not apply otherwise
    static void assumeTrue(boolean condition, String reason) {
        if (!condition) {
            throw skipped(reason);
        }
    }

    static void assumeFalse(boolean condition, String reason) {
        assumeTrue(!condition, reason);
    }

    /// A separate class, so that the outer class can be loaded if JUnit is absent.
    private static final class WithJUnit {
        static RuntimeException aborted(String reason) {
            return new TestAbortedException("Assumption failed: " + reason);
        }
    }

    private static RuntimeException skipped(String reason) {
        try {
            return WithJUnit.aborted(reason);
        } catch (NoClassDefFoundError withoutJUnit) {
            return new Skipped(reason);
        }
    }

    /// Returns whether an exception means that a check does not apply.
    static boolean isSkip(Throwable problem) {
        return problem instanceof Skipped
                || problem.getClass().getName().equals("org.opentest4j.TestAbortedException");
    }

    static That assertThat(@Nullable Object actual) {
        return new That(actual);
    }

    /// Returns an assertion on what a call throws.
    static That assertThatThrownBy(Action call) {
        try {
            call.run();
        } catch (Throwable thrown) {
            return new That(thrown);
        }
        throw new AssertionError("expected an exception, nothing was thrown");
    }

    /// A call that may throw anything.
    @FunctionalInterface
    interface Action {
        void run() throws Throwable;
    }

    /// A tolerance.
    record Within(double value) {}

    static Within within(double value) {
        return new Within(value);
    }

    /// Assertions on one value. Not thread-safe.
    static final class That {
        private final @Nullable Object actual;
        private String description = "";

        private That(@Nullable Object actual) {
            this.actual = actual;
        }

        /// Sets the beginning of the failure message.
        That describedAs(String format, @Nullable Object... values) {
            description = "[" + format.formatted(values) + "] ";
            return this;
        }

        That as(String format, @Nullable Object... values) {
            return describedAs(format, values);
        }

        That isEqualTo(@Nullable Object expected) {
            return require(Objects.deepEquals(actual, expected), "equal to", expected);
        }

        That containsExactly(Object expected) {
            return isEqualTo(expected);
        }

        /// @param expected an array of doubles, each of which may differ by the tolerance
        That containsExactly(double[] expected, Within tolerance) {
            double[] given = (double[]) present();
            boolean near = given.length == expected.length;
            for (int i = 0; near && i < given.length; i++) {
                near = Math.abs(given[i] - expected[i]) <= tolerance.value();
            }
            return require(near, "within %s of".formatted(tolerance.value()), expected);
        }

        That isCloseTo(double expected, Within tolerance) {
            return require(
                    Math.abs(number() - expected) <= tolerance.value(),
                    "within %s of".formatted(tolerance.value()),
                    expected);
        }

        That isNotEqualTo(@Nullable Object other) {
            return require(!Objects.deepEquals(actual, other), "different from", other);
        }

        That isInstanceOf(Class<?> type) {
            return require(type.isInstance(actual), "an instance of", type.getName());
        }

        <T> That isInstanceOfSatisfying(Class<T> type, Consumer<T> requirement) {
            isInstanceOf(type);
            requirement.accept(type.cast(actual));
            return this;
        }

        That isFalse() {
            return isEqualTo(false);
        }

        That isZero() {
            return require(number() == 0, "equal to", 0);
        }

        That isLessThan(double bound) {
            return require(number() < bound, "less than", bound);
        }

        That isLessThanOrEqualTo(double bound) {
            return require(number() <= bound, "at most", bound);
        }

        That isGreaterThan(double bound) {
            return require(number() > bound, "more than", bound);
        }

        That isBetween(double low, double high) {
            return require(
                    number() >= low && number() <= high, "between %s and".formatted(low), high);
        }

        That isNotBlank() {
            return require(!String.valueOf(actual).isBlank(), "text, got", actual);
        }

        That hasSize(int size) {
            return require(size(present()) == size, "of size", size);
        }

        That hasSameSizeAs(Object other) {
            return hasSize(size(other));
        }

        That contains(Object element) {
            return require(elements().contains(element), "a collection with", element);
        }

        That containsAll(Collection<?> expected) {
            return require(elements().containsAll(expected), "a collection with all of", expected);
        }

        @SuppressWarnings("unchecked")
        <T> That allSatisfy(Consumer<T> requirement) {
            elements().forEach(each -> requirement.accept((T) each));
            return this;
        }

        private Object present() {
            return Objects.requireNonNull(actual, description);
        }

        private double number() {
            return ((Number) present()).doubleValue();
        }

        private Collection<?> elements() {
            return (Collection<?>) present();
        }

        private static int size(Object value) {
            return switch (value) {
                case Collection<?> collection -> collection.size();
                case CharSequence text -> text.length();
                case Optional<?> optional -> optional.isPresent() ? 1 : 0;
                default -> Array.getLength(value);
            };
        }

        private That require(boolean holds, String relation, @Nullable Object expected) {
            if (!holds) {
                throw new AssertionError(
                        "%sexpected: %s %s, got: %s"
                                .formatted(description, relation, shown(expected), shown(actual)));
            }
            return this;
        }

        private static String shown(@Nullable Object value) {
            var text = Arrays.deepToString(new @Nullable Object[] {value});
            return text.substring(1, text.length() - 1);
        }
    }
}
