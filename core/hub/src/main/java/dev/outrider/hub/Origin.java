package dev.outrider.hub;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/// The server an address belongs to. What is a secret of one server's is told to no other.
///
/// @param scheme `http` or `https`
/// @param host   in small letters
/// @param port   the scheme's own if the address gives none
record Origin(String scheme, String host, int port) {
    private static final String HTTPS = "https";
    private static final String HTTP = "http";
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;

    boolean isHttps() {
        return scheme.equals(HTTPS);
    }

    /// The server of an address, if it is one of HTTP.
    static Optional<Origin> of(URI address) {
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
                new Origin(
                        name,
                        host.toLowerCase(Locale.ROOT),
                        address.getPort() < 0 ? usual : address.getPort()));
    }
}
