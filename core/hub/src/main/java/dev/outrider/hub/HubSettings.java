package dev.outrider.hub;

import dev.outrider.common.BoundedFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.Require;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Addresses of the hub and its cache, from the environment variables of the hub's own programs.
///
/// @param endpoint address of the hub, without a slash at its end
/// @param cache    folder of the cache
/// @param token    the user's access token
/// @param offline  whether no server may be asked
/// @param proxies  the proxies of requests
public record HubSettings(
        URI endpoint, Path cache, Optional<Token> token, boolean offline, ProxySelector proxies) {
    private static final String DEFAULT_ENDPOINT = "https://huggingface.co";
    private static final Set<String> TRUE = Set.of("1", "on", "yes", "true");
    private static final int LONGEST_TOKEN_FILE = 4096;

    /// Reads the variables.
    ///
    /// @param environment of the process
    /// @param home        the user's folder
    /// @throws OutriderException `USAGE` if a value is invalid, `IO_FAILED` if the file with the
    ///     token cannot be read
    public static HubSettings of(Map<String, String> environment, Path home) {
        var variables = new Variables(environment);
        var own =
                variables
                        .path("HF_HOME", home)
                        .orElseGet(() ->
                                variables
                                        .path("XDG_CACHE_HOME", home)
                                        .orElse(home.resolve(".cache"))
                                        .resolve("huggingface"));
        var cache =
                variables
                        .path("HF_HUB_CACHE", home)
                        .or(() -> variables.path("HUGGINGFACE_HUB_CACHE", home))
                        .orElseGet(() -> own.resolve("hub"));
        return new HubSettings(
                endpoint(variables),
                cache.toAbsolutePath().normalize(),
                token(
                        variables,
                        variables.path("HF_TOKEN_PATH", home).orElse(own.resolve("token"))),
                variables.isTrue("HF_HUB_OFFLINE") || variables.isTrue("TRANSFORMERS_OFFLINE"),
                Proxies.of(variables::value));
    }

    private static URI endpoint(Variables variables) {
        var text = variables.value("HF_ENDPOINT").orElse(DEFAULT_ENDPOINT).replaceAll("/+$", "");
        try {
            var endpoint = URI.create(text);
            if (Redirects.Server.of(endpoint).isPresent()
                    && endpoint.getRawUserInfo() == null
                    && endpoint.getRawQuery() == null
                    && endpoint.getRawFragment() == null) {
                return endpoint;
            }
        } catch (IllegalArgumentException e) {
            // Refused below, like any other invalid address.
        }
        throw ErrorCode.USAGE.error(
                "HF_ENDPOINT is '%s'; expected the address of a server, such as %s"
                        .formatted(text.replaceAll("//[^/]*@", "//***@"), DEFAULT_ENDPOINT),
                "Correct the variable, or leave it out.");
    }

    private static Optional<Token> token(Variables variables, Path file) {
        var given = variables.value("HF_TOKEN").or(() -> variables.value("HUGGING_FACE_HUB_TOKEN"));
        var source = given.isPresent() ? "HF_TOKEN" : "'%s'".formatted(file);
        var text = given.or(() -> written(file)).map(String::strip).filter(each -> !each.isEmpty());
        try {
            return text.map(Token::new);
        } catch (IllegalArgumentException e) {
            throw ErrorCode.USAGE.error(
                    "%s holds no token: %s".formatted(source, e.getMessage()),
                    "Make a token in the settings of your account on the hub, and put it there.");
        }
    }

    private static Optional<String> written(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(BoundedFile.text(file, LONGEST_TOKEN_FILE));
        } catch (IOException e) {
            throw ErrorCode.IO_FAILED.error(
                    "the token in '%s' cannot be read: %s".formatted(file, FailureReason.of(e)),
                    "Check that the file may be read, or remove it.",
                    e);
        }
    }

    /// Environment variables; an empty value counts as not set.
    private record Variables(Map<String, String> environment) {
        Optional<String> value(String name) {
            return Optional.ofNullable(environment.get(name)).filter(each -> !each.isBlank());
        }

        boolean isTrue(String name) {
            return value(name).map(each -> each.toLowerCase(Locale.ROOT)).stream()
                    .anyMatch(TRUE::contains);
        }

        Optional<Path> path(String name, Path home) {
            return value(name)
                    .map(text ->
                            text.startsWith("~/")
                                    ? home.resolve(text.substring(2))
                                    : Path.of(text));
        }
    }

    /// The user's access token. Its text is never printed.
    ///
    /// @param secret the text to send
    record Token(String secret) {
        Token {
            Require.that(
                    !secret.isEmpty() && secret.chars().allMatch(each -> each > ' ' && each < 0x7F),
                    "a token is one word of printable ASCII characters");
        }

        @Override
        public String toString() {
            return "***";
        }
    }

    /// Proxies from `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, in lower or upper
    /// case.
    static final class Proxies extends ProxySelector {
        private static final int USUAL_PORT = 80;

        private final Map<String, InetSocketAddress> byScheme;
        private final List<String> excepted;

        private Proxies(Map<String, InetSocketAddress> byScheme, List<String> excepted) {
            this.byScheme = byScheme;
            this.excepted = excepted;
        }

        /// @param variable a variable of the environment
        /// @throws OutriderException `USAGE` if one is not a valid address of a proxy, or contains
        ///     a password
        static Proxies of(Function<String, Optional<String>> variable) {
            var byScheme = new HashMap<String, InetSocketAddress>();
            for (var scheme : List.of("http", "https")) {
                either(variable, scheme + "_proxy")
                        .or(() -> either(variable, "all_proxy"))
                        .ifPresent(text -> byScheme.put(scheme, address(scheme, text)));
            }
            var excepted =
                    either(variable, "no_proxy").stream()
                            .flatMap(text -> Arrays.stream(text.split(",")))
                            .map(text -> text.strip().toLowerCase(Locale.ROOT))
                            .filter(text -> !text.isEmpty())
                            .toList();
            return new Proxies(Map.copyOf(byScheme), excepted);
        }

        private static Optional<String> either(
                Function<String, Optional<String>> variable, String name) {
            return variable.apply(name).or(() -> variable.apply(name.toUpperCase(Locale.ROOT)));
        }

        private static InetSocketAddress address(String scheme, String text) {
            try {
                var uri = URI.create(text.contains("://") ? text : "http://" + text);
                if (uri.getHost() != null
                        && uri.getRawUserInfo() == null
                        && "http".equalsIgnoreCase(uri.getScheme())) {
                    return InetSocketAddress.createUnresolved(
                            uri.getHost(), uri.getPort() < 0 ? USUAL_PORT : uri.getPort());
                }
            } catch (IllegalArgumentException e) {
                // Refused below. The text may contain a password and is not shown.
            }
            throw ErrorCode.USAGE.error(
                    "the proxy for %s is not http://HOST:PORT, the only kind supported; it may have no password"
                            .formatted(scheme),
                    "Correct %s_proxy or all_proxy, or leave them out.".formatted(scheme));
        }

        @Override
        public List<Proxy> select(URI uri) {
            var proxy = byScheme.get(String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT));
            var host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
            return proxy == null
                            || excepted.stream().anyMatch(each -> covers(each, host, uri.getPort()))
                    ? List.of(Proxy.NO_PROXY)
                    : List.of(new Proxy(Proxy.Type.HTTP, proxy));
        }

        /// `no_proxy` lists hosts, domains with or without a leading dot, either with a port, or
        /// `*`.
        private static boolean covers(String exception, String host, int port) {
            if (exception.equals("*")) {
                return true;
            }
            var name = exception.startsWith(".") ? exception.substring(1) : exception;
            return List.of(host, host + ":" + port).stream()
                    .anyMatch(each -> each.equals(name) || each.endsWith("." + name));
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException cause) {
            // The caller receives the exception.
        }
    }
}
