package dev.outrider.hub;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Optional;

/// Errors for answers of the hub that are not what was asked for.
///
/// @param endpoint   the hub
/// @param recognised whether a token was sent
record HubErrors(URI endpoint, boolean recognised) {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final String KIND = "X-Error-Code";

    /// Returns the exception for a response that a retry will not change.
    ///
    /// @param file   the requested file; empty for the list of files
    /// @param status of the response
    OutriderException of(HubName name, Optional<String> file, int status, HttpHeaders headers) {
        var kind = headers.firstValue(KIND).orElse("");
        return switch (kind) {
            case "GatedRepo" -> gated(name, status);
            case "RepoNotFound" -> noModel(name, status);
            case "RevisionNotFound" -> noRevision(name);
            case "EntryNotFound" -> noFile(name, file.orElse(""));
            default ->
                    switch (status) {
                        case UNAUTHORIZED -> unknown(name);
                        case FORBIDDEN -> gated(name, status);
                        case NOT_FOUND ->
                                file.map(each -> noFile(name, each))
                                        .orElseGet(() -> noModel(name, status));
                        default -> unexpected(name, status);
                    };
        };
    }

    private OutriderException gated(HubName name, int status) {
        return ErrorCode.HUB_ACCESS_DENIED.error(
                "the hub does not give '%s' to %s (%d): its owner decides who may have it"
                        .formatted(name, who(), status),
                "Open %s/%s in a browser, accept its conditions with your account, make a token for reading there, and set"
                                .formatted(endpoint, name.repository())
                        + " HF_TOKEN to it.");
    }

    private OutriderException unknown(HubName name) {
        return ErrorCode.HUB_ACCESS_DENIED.error(
                "the hub does not give '%s' to %s (401)".formatted(name, who()),
                recognised
                        ? "The token in HF_TOKEN is wrong or has expired: make another in the settings of your account, or leave"
                                + " it out."
                        : "Set HF_TOKEN to a token of an account that may read it.");
    }

    private OutriderException noModel(HubName name, int status) {
        return ErrorCode.HUB_NOT_FOUND.error(
                "the hub at %s has no model '%s', or none that %s may see (%d)"
                        .formatted(endpoint, name.repository(), who(), status),
                "Correct the name; if the model is private, set HF_TOKEN to a token of an account that may read it.");
    }

    private static OutriderException noRevision(HubName name) {
        return ErrorCode.HUB_NOT_FOUND.error(
                "'%s' has no revision '%s'".formatted(name.repository(), name.revision()),
                "Give a branch, a tag or a whole commit after the @.");
    }

    private static OutriderException noFile(HubName name, String file) {
        return ErrorCode.HUB_NOT_FOUND.error(
                "'%s@%s' has no file '%s'".formatted(name.repository(), name.revision(), file),
                "Correct the name of the file.");
    }

    private OutriderException unexpected(HubName name, int status) {
        return invalid("asked for '%s', %s answered %d".formatted(name, endpoint, status));
    }

    private String who() {
        return recognised ? "the account of your token" : "somebody without a token";
    }

    static OutriderException invalid(String problem) {
        return ErrorCode.HUB_ANSWER_INVALID.error(
                problem, "Check that HF_ENDPOINT is the address of a hub that you trust.");
    }

    static OutriderException offline(HubName name) {
        return ErrorCode.HUB_OFFLINE.error(
                "'%s' is not in the cache as a whole, and HF_HUB_OFFLINE says not to ask the hub"
                        .formatted(name),
                "Run 'outrider pull %s' where there is a network, with the same HF_HOME, or unset HF_HUB_OFFLINE."
                        .formatted(name));
    }
}
