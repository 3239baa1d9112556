package dev.outrider.hub;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Proxies as `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy` give them, in small or capital letters.
final class Proxies extends ProxySelector {
    private static final int USUAL_PORT = 80;

    private final Map<String, InetSocketAddress> byScheme;
    private final List<String> excepted;

    private Proxies(Map<String, InetSocketAddress> byScheme, List<String> excepted) {
        this.byScheme = byScheme;
        this.excepted = excepted;
    }

    /// @param variable a variable of the environment
    /// @throws OutriderException `USAGE` if one is no address of a proxy, or has a password in it
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
            // Refused below. The text may hold a password and is not shown.
        }
        throw new OutriderException(
                ErrorCode.USAGE,
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

    /// `no_proxy` names hosts, domains with or without a dot before them, either with a port, or everything.
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
        // Whoever asked is told by the exception.
    }
}
