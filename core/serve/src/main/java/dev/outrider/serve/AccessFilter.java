package dev.outrider.serve;

import dev.outrider.serve.Server.Place;
import dev.outrider.serve.connection.ClientConnection;
import dev.outrider.serve.request.ApiException;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Admits requests: with the key if there is one; from pages of other origins only if that is allowed; and to a server that listens
/// on this machine alone only under this machine's own names and the given one, so that no page can reach it by a foreign name that
/// resolves to this machine.
final class AccessFilter implements Filter {
    private static final String BEARER = "Bearer ";

    private final Optional<byte[]> key;
    private final Pattern own;
    private final List<String> origins;
    private final boolean loopback;

    AccessFilter(Place place, List<String> origins) {
        this.key = place.key().map(text -> text.getBytes(StandardCharsets.UTF_8));
        this.own =
                Pattern.compile(
                        "(localhost|127(\\.\\d{1,3}){3}|\\[::1]|%s)(:\\d{1,5})?"
                                .formatted(Pattern.quote(place.name())),
                        Pattern.CASE_INSENSITIVE);
        this.origins = origins;
        this.loopback = loopback(place.host());
    }

    /// Returns whether only this machine reaches a server on that host.
    static boolean loopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        var connection = ClientConnection.current();
        connection.restart();
        try {
            if (preflight(request, response)) {
                response.status(204).send();
                return;
            }
            admit(request);
            chain.proceed();
        } catch (ApiException e) {
            Exchange.send(request, response, e);
        } finally {
            connection.answered(
                    request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)
                            || response.headers().containsToken(HeaderValues.CONNECTION_CLOSE));
        }
    }

    /// Adds the headers that browsers ask for, and returns whether the request was only a preflight.
    private boolean preflight(RoutingRequest request, RoutingResponse response) {
        var origin = request.headers().first(HeaderNames.ORIGIN).filter(origins::contains);
        if (origin.isEmpty()) {
            return false;
        }
        response.header(HeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin.get());
        response.header(HeaderNames.VARY, "Origin");
        response.header(HeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, Exchange.IGNORED);
        if (!request.prologue().method().equals(Method.OPTIONS)) {
            return false;
        }
        response.header(HeaderNames.ACCESS_CONTROL_ALLOW_METHODS, "GET, POST");
        request.headers()
                .first(HeaderNames.ACCESS_CONTROL_REQUEST_HEADERS)
                .ifPresent(
                        names -> response.header(HeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, names));
        return true;
    }

    private void admit(RoutingRequest request) {
        var host = request.headers().first(HeaderNames.HOST).orElse("");
        if (loopback && !own.matcher(host).matches()) {
            throw ApiException.rejected(
                    403,
                    "wrong_host",
                    "this server listens on the local machine only, and the Host header names another one");
        }
        var path = request.path().path();
        if (key.isPresent() && !path.equals("/health") && !PageService.files().contains(path)) {
            var given = request.headers().first(HeaderNames.AUTHORIZATION).orElse("");
            boolean right =
                    given.regionMatches(true, 0, BEARER, 0, BEARER.length())
                            && MessageDigest.isEqual(
                                    given.substring(BEARER.length())
                                            .getBytes(StandardCharsets.UTF_8),
                                    key.get());
            if (!right) {
                throw ApiException.of(
                        401,
                        "authentication_error",
                        "invalid_api_key",
                        "the header 'Authorization: Bearer KEY' is missing or has another key");
            }
        }
    }
}
