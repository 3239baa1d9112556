package dev.outrider.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HubSettingsTest {
    private static final URI SOMEWHERE = URI.create("https://models.example.org/x");

    @TempDir private Path home;

    @Test
    void theCacheIsWhereTheHubsOwnProgramsHaveIt() {
        assertThat(settings().cache()).isEqualTo(home.resolve(".cache/huggingface/hub"));
        assertThat(settings("XDG_CACHE_HOME", "/x").cache())
                .isEqualTo(Path.of("/x/huggingface/hub"));
        assertThat(settings("HF_HOME", "~/hf").cache()).isEqualTo(home.resolve("hf/hub"));
        assertThat(settings("HF_HOME", "/h", "HF_HUB_CACHE", "/c").cache())
                .isEqualTo(Path.of("/c"));
    }

    @Test
    void theTokenComesFromTheVariableOrTheFile() throws IOException {
        assertThat(settings().token()).isEmpty();

        Files.createDirectories(home.resolve(".cache/huggingface"));
        Files.writeString(home.resolve(".cache/huggingface/token"), "from-file\n");

        assertThat(settings().token()).map(HubSettings.Token::secret).contains("from-file");
        assertThat(settings("HF_TOKEN", "from-variable").token())
                .map(HubSettings.Token::secret)
                .contains("from-variable");
    }

    @Test
    void aTokenIsNotShown() {
        assertThat(settings("HF_TOKEN", "hf_secret").toString()).doesNotContain("hf_secret");
    }

    @Test
    void whatCannotBeATokenIsRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> settings("HF_TOKEN", "two\nlines"))
                .hasMessageStartingWith("USAGE: HF_TOKEN holds no token")
                .hasMessageNotContaining("lines");
    }

    @Test
    void offlineIsSaidInSeveralWords() {
        assertThat(settings().offline()).isFalse();
        assertThat(settings("HF_HUB_OFFLINE", "0").offline()).isFalse();
        assertThat(settings("HF_HUB_OFFLINE", "1").offline()).isTrue();
        assertThat(settings("HF_HUB_OFFLINE", "Yes").offline()).isTrue();
        assertThat(settings("TRANSFORMERS_OFFLINE", "true").offline()).isTrue();
    }

    @Test
    void theEndpointIsAServer() {
        assertThat(settings("HF_ENDPOINT", "https://mirror.example.org/hub/").endpoint())
                .isEqualTo(URI.create("https://mirror.example.org/hub"));
        for (var wrong : new String[] {"mirror", "ftp://x", "https://u:p@x", "https://x?y", "%"}) {
            assertThatThrownBy(() -> settings("HF_ENDPOINT", wrong))
                    .hasMessageStartingWith("USAGE: HF_ENDPOINT is '");
        }
        assertThatThrownBy(() -> settings("HF_ENDPOINT", "https://u:secret@x"))
                .hasMessageContaining("'https://***@x'")
                .hasMessageNotContaining("secret");
    }

    @Test
    void proxiesAreThoseOfTheVariables() {
        assertThat(settings().proxies().select(SOMEWHERE)).containsExactly(Proxy.NO_PROXY);
        assertThat(settings("https_proxy", "http://proxy:3128").proxies().select(SOMEWHERE))
                .containsExactly(proxy("proxy", 3128));
        assertThat(settings("ALL_PROXY", "proxy:1").proxies().select(SOMEWHERE))
                .containsExactly(proxy("proxy", 1));
        assertThat(settings("http_proxy", "proxy").proxies().select(SOMEWHERE))
                .containsExactly(Proxy.NO_PROXY);
    }

    @Test
    void serversAreExcepted() {
        for (var exception :
                new String[] {"*", "example.org", ".example.org", "a, models.example.org"}) {
            assertThat(
                            settings("https_proxy", "proxy:1", "no_proxy", exception)
                                    .proxies()
                                    .select(SOMEWHERE))
                    .containsExactly(Proxy.NO_PROXY);
        }
        assertThat(
                        settings("https_proxy", "proxy:1", "NO_PROXY", "xample.org")
                                .proxies()
                                .select(SOMEWHERE))
                .containsExactly(proxy("proxy", 1));
    }

    @Test
    void aProxyWithAPasswordIsRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> settings("https_proxy", "http://u:secret@proxy:1"))
                .hasMessageStartingWith("USAGE: the proxy for https is not http://HOST:PORT")
                .hasMessageNotContaining("secret");
    }

    private static Proxy proxy(String host, int port) {
        return new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(host, port));
    }

    private HubSettings settings(String... variables) {
        var environment = new java.util.HashMap<String, String>();
        for (int i = 0; i < variables.length; i += 2) {
            environment.put(variables[i], variables[i + 1]);
        }
        return HubSettings.of(Map.copyOf(environment), home);
    }
}
