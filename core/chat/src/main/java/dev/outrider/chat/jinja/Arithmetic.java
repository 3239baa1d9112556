package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Real;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Operators with Python's meaning. Integers of more than 64 bits are refused.
final class Arithmetic {
    private Arithmetic() {}

    static Value compute(String operator, Value left, Value right, Budget budget) {
        if (operator.equals("~")) {
            return joined(Printing.str(left, budget), Printing.str(right, budget), budget);
        }
        if (Values.isNumber(left) && Values.isNumber(right)) {
            return numbers(operator, left, right, budget);
        }
        if (operator.equals("+")
                && left instanceof Text(String a)
                && right instanceof Text(String b)) {
            return joined(a, b, budget);
        }
        if (operator.equals("+")
                && left instanceof Sequence(List<Value> a)
                && right instanceof Sequence(List<Value> b)) {
            budget.makeList((long) a.size() + b.size());
            var both = new ArrayList<>(a);
            both.addAll(b);
            return new Sequence(both);
        }
        if (operator.equals("*") && Values.isInteger(right)) {
            return repeated(left, Values.toLong(right), budget);
        }
        if (operator.equals("*") && Values.isInteger(left)) {
            return repeated(right, Values.toLong(left), budget);
        }
        throw new TemplateException(
                "'%s' cannot be applied to %s and %s"
                        .formatted(operator, Values.kind(left), Values.kind(right)));
    }

    private static Value joined(String left, String right, Budget budget) {
        budget.makeText((long) left.length() + right.length());
        return new Text(left + right);
    }

    private static Value repeated(Value value, long count, Budget budget) {
        int times = (int) Math.clamp(count, 0, Integer.MAX_VALUE);
        if (value instanceof Text(String text)) {
            budget.makeText((long) times * text.length());
            return new Text(text.repeat(times));
        }
        if (value instanceof Sequence(List<Value> elements)) {
            budget.makeList((long) times * elements.size());
            var all = new ArrayList<Value>();
            if (!elements.isEmpty()) {
                Collections.nCopies(times, elements).forEach(all::addAll);
            }
            return new Sequence(all);
        }
        throw Values.wrongKind(value, "a string or a list");
    }

    private static Value numbers(String operator, Value left, Value right, Budget budget) {
        boolean integers = Values.isInteger(left) && Values.isInteger(right);
        budget.make(Budget.Footprint.NUMBER);
        try {
            return integers && !operator.equals("/")
                    ? integers(operator, Values.toLong(left), Values.toLong(right))
                    : new Real(reals(operator, Values.toDouble(left), Values.toDouble(right)));
        } catch (ArithmeticException e) {
            throw new TemplateException(
                    "%s %s %s has no result: division by zero or more than 64 bits"
                            .formatted(
                                    Printing.str(left, budget),
                                    operator,
                                    Printing.str(right, budget)));
        }
    }

    private static Value integers(String operator, long left, long right) {
        return switch (operator) {
            case "+" -> new Int(Math.addExact(left, right));
            case "-" -> new Int(Math.subtractExact(left, right));
            case "*" -> new Int(Math.multiplyExact(left, right));
            case "//" -> new Int(Math.floorDivExact(left, right));
            case "%" -> new Int(Math.floorMod(left, right));
            case "**" -> right < 0 ? new Real(Math.pow(left, right)) : new Int(power(left, right));
            default -> throw new TemplateException("unknown operator '%s'".formatted(operator));
        };
    }

    private static long power(long base, long exponent) {
        if (base == 0 || base == 1) {
            return exponent == 0 ? 1 : base;
        }
        if (base == -1) {
            return exponent % 2 == 0 ? 1 : -1;
        }
        long result = 1;
        for (long i = 0; i < exponent; i++) {
            result = Math.multiplyExact(result, base);
        }
        return result;
    }

    private static double reals(String operator, double left, double right) {
        if (right == 0 && (operator.equals("/") || operator.equals("//") || operator.equals("%"))) {
            throw new ArithmeticException("division by zero");
        }
        return switch (operator) {
            case "+" -> left + right;
            case "-" -> left - right;
            case "*" -> left * right;
            case "/" -> left / right;
            case "//" -> Math.floor(left / right);
            case "%" -> left - right * Math.floor(left / right);
            case "**" -> Math.pow(left, right);
            default -> throw new TemplateException("unknown operator '%s'".formatted(operator));
        };
    }
}
