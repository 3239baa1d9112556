package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.check.ForwardingDraftSession;
import dev.outrider.engine.check.ForwardingDrafter;
import dev.outrider.engine.random.ForwardingRandomness;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetSession;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Forwarding types forward every method of the contract, default methods included.
class ForwardingTest {
    private record Drafters(Drafter drafter) implements ForwardingDrafter {}

    private record Sessions(DraftSession session) implements ForwardingDraftSession {}

    private record Targets(TargetModel target) implements ForwardingTarget {}

    private record TakenElsewhere(Randomness randomness) implements ForwardingRandomness {}

    private record TargetSessions(TargetSession session) implements ForwardingTargetSession {}

    static List<Arguments> methods() {
        return List.of(
                        Drafter.class,
                        DraftSession.class,
                        TargetModel.class,
                        TargetSession.class,
                        Randomness.class)
                .stream()
                .flatMap(contract ->
                        Arrays.stream(contract.getMethods())
                                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                                .map(method -> Arguments.of(contract, method)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyCallAndItsAnswerPassThrough(Class<?> contract, Method method)
            throws ReflectiveOperationException {
        var calls = new ArrayList<Method>();
        var answer = answer(method.getReturnType());
        var other =
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {contract},
                        (_, called, _) -> {
                            calls.add(called);
                            return answer;
                        });

        var arguments =
                Arrays.stream(method.getParameterTypes()).map(ForwardingTest::answer).toArray();
        var returned = method.invoke(around(other), arguments);

        assertThat(calls).containsExactly(method);
        assertThat(returned).isEqualTo(answer);
    }

    private static @Nullable Object answer(Class<?> type) {
        if (type == Class.class) {
            return String.class;
        }
        if (!type.isPrimitive() || type == void.class) {
            return null;
        }
        return switch (type.getName()) {
            case "long" -> 7L;
            case "int" -> 7;
            case "double" -> .7;
            case "boolean" -> true;
            default -> throw new AssertionError(type);
        };
    }

    private static Object around(Object other) {
        return switch (other) {
            case Drafter drafter -> new Drafters(drafter);
            case DraftSession session -> new Sessions(session);
            case TargetModel target -> new Targets(target);
            case TargetSession session -> new TargetSessions(session);
            case Randomness randomness -> new TakenElsewhere(randomness);
            default -> throw new AssertionError(other);
        };
    }
}
