package dev.outrider.hub;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Follows redirects of the hub. The token is sent to the hub only, and not at all after a redirect
/// to another server; a request that began with HTTPS does not continue without it.
///
/// @param http     does not follow redirects itself
/// @param endpoint the hub
/// @param silence  maximum time to wait for a response
record Redirects(
        HttpClient http, URI endpoint, Optional<HubSettings.Token> token, Duration silence) {
    private static final Set<Integer> ELSEWHERE = Set.of(301, 302, 303, 307, 308);
    private static final int MAX = 10;

    /// Asks the hub itself for the headers of content that another server may hold.
    HttpResponse<ArrivingBytes> head(URI address) throws IOException {
        return ask("HEAD", address, OptionalLong.empty(), false);
    }

    /// Returns the content of an address.
    ///
    /// @param from   first wanted byte; empty for all
    /// @param abroad whether other servers may send it; if not, the result is the redirect
    HttpResponse<ArrivingBytes> get(URI address, OptionalLong from, boolean abroad)
            throws IOException {
        return ask("GET", address, from, abroad);
    }

    private HttpResponse<ArrivingBytes> ask(
            String method, URI address, OptionalLong from, boolean abroad) throws IOException {
        var at = address;
        boolean home = true;
        for (int hops = 0; hops <= MAX; hops++) {
            var answer = send(method, at, from, home);
            if (!ELSEWHERE.contains(answer.statusCode())) {
                return answer;
            }
            var next = next(at, answer);
            home &= Server.of(next).equals(Server.of(endpoint));
            if (!home && !abroad) {
                return answer;
            }
            answer.body().close();
            at = next;
        }
        throw HubErrors.invalid(
                "%s redirects more than %d times".formatted(address.getHost(), MAX));
    }

    private HttpResponse<ArrivingBytes> send(
            String method, URI address, OptionalLong from, boolean home) throws IOException {
        var request =
                HttpRequest.newBuilder(address)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .header("User-Agent", "outrider")
                        .header("Accept-Encoding", "identity")
                        .timeout(silence);
        from.ifPresent(first -> request.header("Range", "bytes=%d-".formatted(first)));
        if (home) {
            token.ifPresent(
                    each -> request.header("Authorization", "Bearer %s".formatted(each.secret())));
        }
        try {
            return http.send(request.build(), _ -> ArrivingBytes.subscriber());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static URI next(URI at, HttpResponse<?> answer) {
        var location = answer.headers().firstValue("Location").orElse("");
        try {
            var next = at.resolve(URI.create(location));
            var to = Server.of(next);
            boolean secure = Server.of(at).filter(Server::isHttps).isPresent();
            if (location.isEmpty() || to.isEmpty() || secure && !to.get().isHttps()) {
                throw elsewhere(at);
            }
            return next;
        } catch (IllegalArgumentException e) {
            throw elsewhere(at);
        }
    }

    /// Addresses of content can contain secrets and are not shown.
    private static RuntimeException elsewhere(URI at) {
        return HubErrors.invalid(
                "%s redirects to an address that is none of %s"
                        .formatted(at.getHost(), at.getScheme().toUpperCase(Locale.ROOT)));
    }

    /// The server of an address. A secret of one server is never sent to another.
    ///
    /// @param scheme `http` or `https`
    /// @param host   in lower case
    /// @param port   the scheme's default if the address has none
    record Server(String scheme, String host, int port) {
        private static final String HTTPS = "https";
        private static final String HTTP = "http";
        private static final int HTTPS_PORT = 443;
        private static final int HTTP_PORT = 80;

        boolean isHttps() {
            return scheme.equals(HTTPS);
        }

        /// Returns the server of an address, if it is an HTTP address.
        static Optional<Server> of(URI address) {
            var scheme = address.getScheme();
            var host = address.getHost();
            if (scheme == null || host == null) {
                return Optional.empty();
            }
            var name = scheme.toLowerCase(Locale.ROOT);
            if (!name.equals(HTTPS) && !name.equals(HTTP)) {
                return Optional.empty();
            }
            int usual = name.equals(HTTPS) ? HTTPS_PORT : HTTP_PORT;
            return Optional.of(
                    new Server(
                            name,
                            host.toLowerCase(Locale.ROOT),
                            address.getPort() < 0 ? usual : address.getPort()));
        }
    }
}
