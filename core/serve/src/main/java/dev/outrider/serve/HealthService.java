package dev.outrider.serve;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.outrider.serve.request.ApiException;
import dev.outrider.serve.request.ServedTarget;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/// `/health`, and `/metrics` in the text form of Prometheus.
///
/// @param closing whether the server is closing
record HealthService(ServedTarget served, BooleanSupplier closing) implements HttpService {
    @Override
    public void routing(HttpRules rules) {
        rules.get(
                "/health",
                Exchange.of((_, response) -> {
                    if (closing.getAsBoolean()) {
                        throw ApiException.of(
                                503, "service_unavailable", "closing", "the server ends");
                    }
                    Exchange.send(
                            response, JsonNodeFactory.instance.objectNode().put("status", "ok"));
                }));
        rules.get(
                "/metrics",
                Exchange.of((_, response) -> {
                    response.header(
                            HeaderNames.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
                    response.send(
                            new MetricsText(served.name())
                                    .of(served.engine().counters())
                                    .getBytes(StandardCharsets.UTF_8));
                }));
    }
}
