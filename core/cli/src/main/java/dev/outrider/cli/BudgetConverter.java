package dev.outrider.cli;

import dev.outrider.experiment.bench.Bench.Budget;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// A number of prompts, or a duration.
final class BudgetConverter implements ITypeConverter<Budget> {
    @Override
    public Budget convert(String text) {
        try {
            return text.matches("[1-9][0-9]{0,6}")
                    ? Budget.ofPrompts(Integer.parseInt(text))
                    : Budget.ofTime(new DurationConverter().convert(text));
        } catch (TypeConversionException e) {
            throw new TypeConversionException(
                    "'%s' is neither a number of prompts, such as 80, nor a time, such as 15m or 1h30m"
                            .formatted(text));
        }
    }
}
