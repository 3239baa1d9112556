package dev.outrider.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outrider.serve.connection.ClientConnection;
import dev.outrider.serve.request.ApiException;
import dev.outrider.serve.request.JsonFields;
import dev.outrider.spi.error.OutriderException;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpException;
import io.helidon.http.Method;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// JSON in, JSON out, and errors in OpenAI's form. For every service of the server.
public final class Exchange {
    /// The header that names the fields of a request which were not read.
    public static final String IGNORED = "X-Outrider-Ignored";

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MAX_NAMED = 20;

    private Exchange() {}

    /// Answers a request.
    @FunctionalInterface
    public interface Call {
        /// Answers.
        ///
        /// @throws ApiException an answer that is an error
        void answer(ServerRequest request, ServerResponse response)
                throws IOException, InterruptedException;
    }

    /// Returns a handler that turns failures into answers.
    public static Handler of(Call call) {
        return (request, response) -> {
            try {
                call.answer(request, response);
            } catch (ApiException e) {
                send(request, response, e);
            } catch (OutriderException e) {
                send(request, response, ApiException.of(e, Duration.ofSeconds(1)));
            } catch (CloseConnectionException
                    | UncheckedIOException
                    | HttpException
                    | RequestException e) {
                throw e; // the client is gone, or what it sent is no HTTP
            } catch (RuntimeException | Error e) {
                LOG.error("{} {} failed", request.prologue().method(), request.path().path(), e);
                send(
                        request,
                        response,
                        ApiException.of(
                                500,
                                "server_error",
                                "internal_error",
                                "the server failed; its log says why"));
            }
        };
    }

    /// The fields of a request's body.
    ///
    /// @throws ApiException if it is no JSON object
    public static JsonFields fields(ServerRequest request) throws IOException {
        var type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("");
        boolean json = type.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
        if (!json) {
            throw ApiException.rejected(
                    415, "unsupported_media_type", "the Content-Type must be application/json");
        }
        byte[] body;
        try (var in = request.content().inputStream()) {
            body = in.readAllBytes();
        } catch (CloseConnectionException e) {
            throw cut(408, "request_timeout", "the body did not come whole in time (serve.idle)");
        } catch (IllegalArgumentException e) {
            throw cut(400, "bad_request", "the body has a chunk without a length");
        }
        ClientConnection.current().restart();
        return JsonFields.parse(body);
    }

    private static ApiException cut(int status, String code, String message) {
        ClientConnection.current().refused();
        return ApiException.rejected(status, code, message);
    }

    /// Sends an object.
    public static void send(ServerResponse response, JsonNode node) {
        response.header(HeaderValues.CONTENT_TYPE_JSON);
        response.send(bytes(node));
    }

    /// The text of an object.
    public static byte[] bytes(JsonNode node) {
        try {
            return JSON.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sends an error; if an answer has begun, the connection ends instead.
    static void send(ServerRequest request, ServerResponse response, ApiException failure) {
        if (response.isSent()) {
            throw failure;
        }
        response.status(failure.status());
        if (failure.retrySeconds() > 0) {
            response.header(HeaderNames.RETRY_AFTER, Long.toString(failure.retrySeconds()));
        }
        if (failure.status() == 401) {
            response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        if (ClientConnection.current().isRefused()) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        if (request.prologue().method().equals(Method.HEAD)) {
            response.send();
        } else {
            send(response, failure.body());
        }
    }

    /// Names fields that were ignored. A client chooses the names: only letters, digits and a few signs are repeated.
    public static void ignored(ServerResponse response, List<String> names) {
        if (!names.isEmpty()) {
            var shown =
                    names.stream()
                            .limit(MAX_NAMED)
                            .map(name -> name.replaceAll("[^A-Za-z0-9_.-]", "?"))
                            .map(name -> name.substring(0, Math.min(MAX_NAMED * 2, name.length())))
                            .toList();
            response.header(IGNORED, String.join(", ", shown));
        }
    }

    /// Begins a stream of events.
    static OutputStream events(ServerResponse response) {
        response.header(HeaderNames.CONTENT_TYPE, "text/event-stream; charset=utf-8");
        return response.outputStream();
    }

    /// Sends an event of a stream.
    static void send(OutputStream out, JsonNode data) throws IOException {
        out.write(event(data.toString()));
        out.flush();
    }

    /// A line of a stream of events.
    public static byte[] event(String data) {
        return "data: %s\n\n".formatted(data).getBytes(StandardCharsets.UTF_8);
    }
}
