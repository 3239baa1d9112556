package dev.outrider.demo.corpus;

import java.util.ArrayList;

/// Sums with their working: column addition, subtraction by steps, multiplication by parts, and word problems.
final class ArithmeticWriter {
    private ArithmeticWriter() {}

    static PromptAndContinuation write(Choices choices) {
        return switch (choices.between(0, 3)) {
            case 0 -> addition(choices.between(11, 999), choices.between(11, 999));
            case 1 -> {
                int larger = choices.between(31, 999);
                yield subtraction(larger, choices.between(11, larger - 1));
            }
            case 2 -> multiplication(choices.between(12, 99), choices.between(2, 9));
            default -> wordProblem(choices);
        };
    }

    private static PromptAndContinuation addition(int a, int b) {
        var working = new StringBuilder();
        int carry = 0;
        for (int left = a, right = b; left > 0 || right > 0; left /= 10, right /= 10) {
            int sum = left % 10 + right % 10 + carry;
            working.append(" %d + %d".formatted(left % 10, right % 10));
            if (carry > 0) {
                working.append(" + ").append(carry);
            }
            working.append(" = ").append(sum).append(", write ").append(sum % 10);
            carry = sum / 10;
            working.append(carry > 0 ? ", carry " + carry + "." : ".");
        }
        if (carry > 0) {
            working.append(" Write ").append(carry).append('.');
        }
        return sum("%d + %d".formatted(a, b), working.toString(), a + b);
    }

    private static PromptAndContinuation subtraction(int a, int b) {
        var working = new StringBuilder();
        int left = a;
        for (int unit = 100; unit >= 1; unit /= 10) {
            int part = b / unit % 10 * unit;
            if (part > 0) {
                working.append(" %d - %d = %d.".formatted(left, part, left - part));
                left -= part;
            }
        }
        return sum("%d - %d".formatted(a, b), working.toString(), a - b);
    }

    private static PromptAndContinuation multiplication(int a, int b) {
        int tens = a / 10 * 10;
        int ones = a % 10;
        var working =
                ones == 0
                        ? " %d * %d = %d.".formatted(a, b, a * b)
                        : " %d * %d = %d. %d * %d = %d. %d + %d = %d."
                                .formatted(
                                        tens, b, tens * b, ones, b, ones * b, tens * b, ones * b,
                                        a * b);
        return sum("%d * %d".formatted(a, b), working, a * b);
    }

    private static PromptAndContinuation sum(String task, String working, int answer) {
        return new PromptAndContinuation(
                "Calculate: %s\nWorking:".formatted(task),
                "%s\nAnswer: %d\n".formatted(working, answer));
    }

    private static PromptAndContinuation wordProblem(Choices choices) {
        var people = choices.pickDistinct(Lexicon.PEOPLE, 2);
        var person = people.getFirst();
        var goods = choices.pick(Lexicon.GOODS);
        int count = choices.between(5, 60);
        var story = new ArrayList<String>();
        var working = new StringBuilder();
        story.add(
                "%s has %s."
                        .formatted(
                                person.name(),
                                Prose.counted(count, goods.singular(), goods.plural())));
        int steps = choices.between(1, 3);
        for (int i = 0; i < steps; i++) {
            boolean gains = count < 5 || choices.chance(0.5);
            int change = gains ? choices.between(2, 40) : choices.between(1, count - 1);
            var sentence =
                    gains
                            ? choices.phrase(
                                    "{Subject} buys {n} more.",
                                    "{Subject} finds {n} more.",
                                    "{other} gives {object} {n} more.")
                            : choices.phrase(
                                    "{Subject} gives {n} to {other}.",
                                    "{Subject} loses {n}.",
                                    "{Subject} sells {n}.");
            story.add(
                    Prose.fill(
                            sentence,
                            "subject",
                            person.subject(),
                            "object",
                            person.object(),
                            "other",
                            people.getLast().name(),
                            "n",
                            change));
            int next = gains ? count + change : count - change;
            working.append(" %d %s %d = %d.".formatted(count, gains ? "+" : "-", change, next));
            count = next;
        }
        return new PromptAndContinuation(
                "Problem: %s How many %s does %s have?\nWorking:"
                        .formatted(String.join(" ", story), goods.plural(), person.name()),
                "%s\nAnswer: %s has %s.\n"
                        .formatted(
                                working,
                                person.name(),
                                Prose.counted(count, goods.singular(), goods.plural())));
    }
}
