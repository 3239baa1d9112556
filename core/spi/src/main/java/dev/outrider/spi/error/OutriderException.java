package dev.outrider.spi.error;

import java.io.Serial;
import java.util.Objects;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// A failure that a user can act on: a code, the wrong value, the expected one, and the remedy.
///
/// [#getMessage()] reads `CODE: problem` followed by the remedy on an indented line of its own.
@API(status = Status.STABLE, since = "2")
public final class OutriderException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    /// The kind of the failure.
    private final ErrorCode code;

    /// The problem, without code and remedy.
    private final String problem;

    /// The remedy for the user.
    private final String remedy;

    /// A failure without a lower-level cause.
    ///
    /// @param code    kind of the failure
    /// @param problem one sentence: the mistake, the value, the expected values
    /// @param remedy  one sentence: what the user can do about it
    public OutriderException(ErrorCode code, String problem, String remedy) {
        super(format(code, problem, remedy));
        this.code = code;
        this.problem = problem;
        this.remedy = remedy;
    }

    /// As the three-argument constructor, keeping the lower-level failure as the cause.
    ///
    /// @param code kind of the failure
    /// @param problem one sentence: the mistake, the value, the expected values
    /// @param remedy one sentence: what the user can do about it
    /// @param cause the lower-level failure
    public OutriderException(ErrorCode code, String problem, String remedy, Throwable cause) {
        super(format(code, problem, remedy), cause);
        this.code = code;
        this.problem = problem;
        this.remedy = remedy;
    }

    /// {@return the kind of the failure}
    public ErrorCode code() {
        return code;
    }

    /// {@return the problem, without code and remedy, for messages that list several problems}
    public String problem() {
        return problem;
    }

    /// {@return the same failure, with the place in front of the problem} Callers use it to add the variant, prompt or file.
    ///
    /// @param place a few words, such as `variant 'chain'`
    public OutriderException within(String place) {
        return new OutriderException(code, place + ": " + problem, remedy, this);
    }

    private static String format(ErrorCode code, String problem, String remedy) {
        Objects.requireNonNull(code, "code");
        return "%s: %s%n  %s".formatted(code, problem, remedy).replace("\r\n", "\n");
    }
}
