package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.HashMap;

/// Sums with their working: column addition, subtraction by steps, multiplication by parts, and word problems.
final class ArithmeticWriter {
    private ArithmeticWriter() {}

    static Document.Parts write(Choices choices) {
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

    private static Document.Parts addition(int a, int b) {
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

    private static Document.Parts subtraction(int a, int b) {
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

    private static Document.Parts multiplication(int a, int b) {
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

    private static Document.Parts sum(String task, String working, int answer) {
        return new Document.Parts(
                "Calculate: %s\nWorking:".formatted(task),
                "%s\nAnswer: %d\n".formatted(working, answer));
    }

    private static Document.Parts wordProblem(Choices choices) {
        var people = choices.pickDistinct(Lexicon.PEOPLE, 2);
        var person = people.getFirst();
        var goods = choices.word("goods");
        int count = choices.between(5, 60);
        var story = new ArrayList<String>();
        var working = new StringBuilder();
        story.add("%s has %s.".formatted(person, Prose.counted(count, goods)));
        var values = new HashMap<String, Object>(Lexicon.pronouns(person));
        values.put("other", people.getLast());
        int steps = choices.between(1, 3);
        for (int i = 0; i < steps; i++) {
            boolean gains = count < 5 || choices.chance(0.5);
            int change = gains ? choices.between(2, 40) : choices.between(1, count - 1);
            values.put("n", change);
            var sentence = choices.pick(Lexicon.sentences(gains ? "gains" : "losses"));
            story.add(Prose.fill(sentence, values));
            int next = gains ? count + change : count - change;
            working.append(" %d %s %d = %d.".formatted(count, gains ? "+" : "-", change, next));
            count = next;
        }
        return new Document.Parts(
                "Problem: %s How many %s does %s have?\nWorking:"
                        .formatted(String.join(" ", story), goods, person),
                "%s\nAnswer: %s has %s.\n".formatted(working, person, Prose.counted(count, goods)));
    }
}
