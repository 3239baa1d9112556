package dev.outrider.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/// Tests the page in Chromium, on machines with Chromium and its driver.
@Tag("nightly")
@Timeout(120)
class PageInBrowserTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    /// So many tokens that the text is not finished before a test has pressed a button.
    private static final Duration SLOW = Duration.ofMillis(20);

    private static final String ATTACK =
            "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>";

    @TempDir private static Path folder;
    private static TestServer server;
    private static ChromeDriver browser;

    @BeforeAll
    static void start() {
        var chromium = program("chromium", "chromium-browser", "google-chrome");
        var driver = program("chromedriver");
        assumeTrue(
                chromium.isPresent() && driver.isPresent(),
                "no chromium and chromedriver in the PATH");
        server = new TestServer(folder, "{}", Optional.empty());
        var options = new ChromeOptions();
        options.setBinary(chromium.get().toFile());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000");
        options.setExperimentalOption(
                "prefs", Map.of("download.default_directory", folder.toAbsolutePath().toString()));
        var logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        browser =
                new ChromeDriver(
                        new ChromeDriverService.Builder()
                                .usingDriverExecutable(driver.get().toFile())
                                .build(),
                        options);
    }

    private static Optional<Path> program(String... names) {
        return Arrays.stream(names)
                .flatMap(name ->
                        Stream.of(System.getenv("PATH").split(":", -1))
                                .map(each -> Path.of(each, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.quit();
            server.close();
        }
    }

    @BeforeEach
    void open() {
        server.slowTo(Duration.ZERO);
        browser.manage().logs().get(LogType.BROWSER); // those of the test before
        browser.get(server.url() + "/");
        until("return document.getElementById('variant').options.length === 2");
    }

    @Test
    void aRaceIsShownSavedAndReplayed() throws IOException {
        element("#prompt").clear();
        element("#prompt").sendKeys("Once upon a time " + ATTACK + " there was a");
        set("maxTokens", "40");
        element("#start").click();
        until("return document.getElementById('status').textContent.startsWith('Done')");

        var summary = element("#status").getText();
        assertThat(summary)
                .contains("small-model: 40 tokens in ", "Plain decoding: 40 tokens in 40 rounds");
        var lanes = elements(".lane");
        assertThat(lanes).hasSize(2);
        assertThat(written(0))
                .hasSizeGreaterThan(20)
                .isEqualTo(written(1)); // the same text, at temperature 0
        assertThat(elements(".lane:first-child .t")).hasSize(40);
        assertThat(elements(".lane:first-child .t.accepted")).isNotEmpty();
        assertThat(elements(".lane:last-child .t.plain")).hasSize(40);
        assertThat(elements(".lane:first-child svg g.root")).hasSize(1);
        assertThat(elements(".positions tbody tr")).hasSizeBetween(1, 3);

        element("#save").click();
        var file = folder.resolve("outrider-trace.json");
        until(() -> Files.exists(file));
        browser.navigate().refresh();
        upload(file);
        until(
                "return document.getElementById('status').textContent.startsWith('A trace was opened')");
        assertThat(element("#status").getText()).endsWith(summary.substring("Done. ".length()));
        assertThat(element("#prompt").getDomProperty("value")).contains(ATTACK);

        element("#play").sendKeys(Keys.HOME);
        assertThat(elements(".lane .text .t")).isEmpty();
        element("#play").sendKeys(Keys.ARROW_RIGHT);
        assertThat(element("#status").getText()).startsWith("Round 1: ");
        assertThat(elements(".lane:first-child .now .t")).isNotEmpty();
        element("#play").sendKeys(Keys.ARROW_RIGHT, Keys.ARROW_LEFT);
        assertThat(element("#position-text").getText()).startsWith("1 of ");
        set("speed", "3");
        element("#play").click();
        until(
                "return document.getElementById('status').textContent === 'The replay is at its end.'");
        assertThat(elements(".lane:first-child .t")).hasSize(40);
        assertNoErrors();
    }

    @Test
    void theRuleIsChosenFromThoseOfTheServer() {
        element("#rule").sendKeys("block");
        set("temperature", "1");
        set("maxTokens", "12");
        element("#start").click();
        until("return document.getElementById('status').textContent.startsWith('Done')");
        assertThat(element(".lane:first-child h2").getText()).isEqualTo("small-model, rule block");
        assertThat(elements(".lane:first-child .t")).hasSize(12);
        assertNoErrors();

        element("#rule").sendKeys("typical");
        element("#start").click();
        until("return document.getElementById('error').textContent !== ''");
        assertThat(element("#error").getText()).contains("LOSSY_NOT_ALLOWED");
    }

    @Test
    void aRunIsStopped() {
        server.slowTo(SLOW);
        set("maxTokens", "480");
        set("temperature", "1");
        set("seed", "5");
        element("#start").click();
        until("return document.querySelectorAll('.lane .t').length > 0");
        element("#stop").click();
        until("return document.getElementById('status').textContent.startsWith('Stopped')");
        assertThat(element("#start").isEnabled()).isTrue();
        assertThat(element("#save").isDisplayed()).isTrue();
        until(() -> server.served().engine().counters().running() == 0);
    }

    @Test
    void aServerThatWantsAKeyIsGivenItAndItsEndIsShown() throws IOException {
        var folderOfLocked = Files.createDirectory(folder.resolve("locked"));
        try (var locked = new TestServer(folderOfLocked, "{}", Optional.of("the key"))) {
            browser.get(locked.url() + "/");
            for (var key : List.of("another", "the key")) {
                until(() -> element("#key").isDisplayed());
                assertThat(element("#error").getText()).contains("API key");
                element("#key").clear();
                element("#key").sendKeys(key, Keys.TAB);
            }
            until("return document.getElementById('variant').options.length === 2");
            assertThat(element("#error").getText()).isEmpty();
            locked.slowTo(SLOW);
            set("maxTokens", "480");
            set("temperature", "1");
            set("seed", "5");
            element("#start").click();
            until("return document.querySelectorAll('.lane .t').length > 0");
        }
        until("return !document.getElementById('start').disabled");
        assertThat(elements(".lane"))
                .allMatch(lane ->
                        lane.getText().contains("the server ends")
                                || lane.getText().contains("Failed: "));
        element("#start").click();
        until("return document.getElementById('error').textContent !== ''");
        upload(write(trace(3, "a")));
        until("return document.querySelectorAll('.lane .text .t').length === 3");
    }

    @Test
    void whatTheServerRefusesIsText() {
        set("prompt", "b".repeat(3000));
        element("#start").click();
        until("return document.getElementById('error').textContent !== ''");
        assertThat(element("#error").getText()).contains("Failed: ");
        assertThat(element("#start").isEnabled()).isTrue();
    }

    @Test
    void aTraceOfAStrangerIsTextOnly() throws IOException {
        var trace = trace(1, ATTACK + "\u202e\u0007");
        upload(write(trace));
        until("return document.querySelectorAll('.lane .text .t').length === 1");
        assertThat(element(".lane .t").getText()).isEqualTo(ATTACK + "[U+202E]␇");
        assertThat(elements("#lanes img, #lanes script")).isEmpty();
        assertThat(browser.executeScript("return typeof window.hacked")).isEqualTo("undefined");
        assertNoErrors();
    }

    @ParameterizedTest
    @CsvSource({
        "/runs/0/events/1/tree/1,parent,7,parent",
        "/runs/0/events/1/tree/1,q,'\"2\"',.q",
        "/runs/0/events/1/tokens/0,origin,'\"x onclick=1\"',origin",
        "/runs/0/events/1,at,-1,.at",
        "/runs/0/events/1,tokens,'{\"length\": 1}',tokens",
        "/runs/0/events/0,type,'\"round\"',type",
        "'',version,2,format"
    })
    void aWrongTraceIsRefused(String where, String field, String value, String named)
            throws IOException {
        var trace = trace(1, "a");
        ((ObjectNode) trace.at(where)).set(field, TestServer.json(value));
        upload(write(trace));
        until("return document.getElementById('error').textContent !== ''");
        assertThat(element("#error").getText()).contains(named, "expected");
        assertThat(elements(".lane")).isEmpty();
    }

    @Test
    void tenThousandTokensDoNotStopThePage() throws IOException {
        upload(write(trace(10_000, " word")));
        until("return document.querySelectorAll('.lane .text .t').length === 10000");
        long begun = System.nanoTime();
        for (int step = 0; step < 10; step++) {
            element("#play").sendKeys(Keys.ARROW_LEFT);
        }
        element("#play").sendKeys(Keys.HOME, Keys.END);
        until("return document.querySelectorAll('.lane .text .t').length === 10000");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void aNarrowWindowNeedsNoScrollingToTheSide() throws IOException {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 400, "height", 800, "deviceScaleFactor", 1, "mobile", true));
        try {
            upload(write(trace(30, " averylongwordthatdoesnotbreak".repeat(4))));
            until("return document.querySelectorAll('.lane .text .t').length === 30");
            assertThat(browser.executeScript("return document.documentElement.scrollWidth"))
                    .isEqualTo(400L);
        } finally {
            browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    /// A trace of rounds with one token and a draft of two guesses.
    private static ObjectNode trace(int rounds, String text) {
        var json = JsonNodeFactory.instance;
        var trace =
                json.objectNode()
                        .put("format", "outrider-trace")
                        .put("version", 1)
                        .put("prompt", text);
        var events = trace.putArray("runs").addObject().putArray("events");
        events.addObject()
                .put("type", "start")
                .put("model", text)
                .put("variant", text)
                .put("temperature", 1)
                .put("seed", "1")
                .put("maxTokens", rounds)
                .put("promptTokens", 1);
        for (int round = 0; round < rounds; round++) {
            var event = events.addObject().put("type", "round").put("at", round).put("ms", 1);
            event.putArray("tokens")
                    .addObject()
                    .put("id", 1)
                    .put("text", text)
                    .put("origin", "correction");
            var tree = event.putArray("tree");
            for (int node = 0; node < 3; node++) {
                tree.addObject()
                        .put("parent", node - 1)
                        .put("id", 1)
                        .put("text", text)
                        .put("accepted", node == 0)
                        .put("q", 0.5);
            }
        }
        events.addObject()
                .put("type", "end")
                .put("at", rounds)
                .put("reason", text.substring(0, 1))
                .put("rest", "");
        return trace;
    }

    private static Path write(ObjectNode trace) {
        try {
            return Files.writeString(
                    Files.createTempFile(folder, "trace", ".json"), trace.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void upload(Path file) {
        element("#file").sendKeys(file.toAbsolutePath().toString());
    }

    private static String written(int lane) {
        return Objects.toString(
                browser.executeScript(
                        "return [...document.querySelectorAll('.lane')[arguments[0]].querySelectorAll('.text .t')].map(t => t.textContent).join('')",
                        lane));
    }

    private static void set(String id, String value) {
        browser.executeScript(
                "const e = document.getElementById(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('input'));",
                id,
                value);
    }

    private static WebElement element(String selector) {
        return browser.findElement(By.cssSelector(selector));
    }

    private static List<WebElement> elements(String selector) {
        return browser.findElements(By.cssSelector(selector));
    }

    private static void until(String script) {
        until(() -> Boolean.TRUE.equals(browser.executeScript(script)));
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited in vain").isLessThan(end);
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static void assertNoErrors() {
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                .filteredOn(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .isEmpty();
    }
}
