package dev.outrider.serve.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.time.Duration;
import java.util.List;

/// An answer that is an error, in OpenAI's form.
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// The error type of a request that is invalid.
    public static final String INVALID = "invalid_request_error";

    /// Kinds of failures that the request causes.
    private static final List<ErrorCode> REQUEST =
            List.of(
                    ErrorCode.CONTEXT_EXCEEDED,
                    ErrorCode.PROMPT_EMPTY,
                    ErrorCode.TOKEN_OUT_OF_RANGE,
                    ErrorCode.SOURCE_MISSING,
                    ErrorCode.SOURCE_UNEXPECTED,
                    ErrorCode.LOSSY_NOT_ALLOWED,
                    ErrorCode.CAPABILITY_MISSING,
                    ErrorCode.DATA_INVALID);

    private final transient ObjectNode body = JsonNodeFactory.instance.objectNode();
    private final int status;
    private final long retrySeconds;

    private ApiException(
            int status, String type, String code, String field, String message, long retrySeconds) {
        super(message);
        this.status = status;
        this.retrySeconds = retrySeconds;
        var error = body.putObject("error");
        error.put("message", message);
        error.put("type", type);
        error.put("param", field.isEmpty() ? null : field);
        error.put("code", code);
    }

    /// Returns an error with a status.
    public static ApiException of(int status, String type, String code, String message) {
        return new ApiException(status, type, code, "", message, 0);
    }

    /// Returns the error of a request that cannot be answered.
    public static ApiException rejected(int status, String code, String message) {
        return of(status, INVALID, code, message);
    }

    /// Returns the error for a field with an invalid value.
    ///
    /// @param message the mistake and the expected values
    public static ApiException invalid(String field, String message) {
        return new ApiException(400, INVALID, "invalid_value", field, message, 0);
    }

    /// Returns the error for a field that requests something unsupported.
    public static ApiException unsupported(String field, String message) {
        return new ApiException(400, INVALID, "unsupported_parameter", field, message, 0);
    }

    /// Returns the error for an unknown model.
    public static ApiException noModel(String message) {
        return new ApiException(404, INVALID, "model_not_found", "model", message, 0);
    }

    /// Returns the error for a request that the engine refuses. A request that needs too much memory is an invalid request.
    ///
    /// @param retry when a full queue may have room
    public static ApiException refused(OutriderException refusal, Duration retry) {
        return refusal.code().equals(ErrorCode.OUT_OF_MEMORY)
                ? of(400, INVALID, refusal.code().name(), String.valueOf(refusal.getMessage()))
                : of(refusal, retry);
    }

    /// Returns the error for a failure. Lack of memory is temporary.
    ///
    /// @param retry when a full queue may have room
    public static ApiException of(OutriderException failure, Duration retry) {
        var code = failure.code();
        var message = String.valueOf(failure.getMessage());
        if (code.equals(ErrorCode.QUEUE_FULL)) {
            return new ApiException(
                    429,
                    "rate_limit_error",
                    code.name(),
                    "",
                    message,
                    Math.max(1, retry.toSeconds()));
        }
        if (code.equals(ErrorCode.SERVICE_CLOSED) || code.equals(ErrorCode.OUT_OF_MEMORY)) {
            return new ApiException(503, "service_unavailable", code.name(), "", message, 1);
        }
        return REQUEST.contains(code)
                ? new ApiException(400, INVALID, code.name(), "", message, 0)
                : new ApiException(500, "server_error", code.name(), "", message, 0);
    }

    /// The HTTP status.
    public int status() {
        return status;
    }

    /// Returns the body in OpenAI's form.
    public JsonNode body() {
        return body;
    }

    /// Returns the seconds after which a retry may work; 0 if that is unknown.
    public long retrySeconds() {
        return retrySeconds;
    }
}
