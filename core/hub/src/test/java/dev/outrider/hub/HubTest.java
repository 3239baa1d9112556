package dev.outrider.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.common.ProcessLock;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HubTest {
    private static final HubName NAME = HubName.parse("hf://org/model");
    private static final byte[] WEIGHTS = bytes(300_000, 1);
    private static final HubClient.Patience SHORT =
            new HubClient.Patience(Duration.ofMillis(300), 3, Duration.ofMillis(1));

    @TempDir private Path home;

    private LocalHub server;

    @BeforeEach
    void start() throws IOException {
        server =
                new LocalHub()
                        .small("config.json", "{\"model_type\": \"llama\"}")
                        .small("tokenizer.json", "{}")
                        .small("README.md", "# A model")
                        .small("pytorch_model.bin", "pickle")
                        .large("model.safetensors", WEIGHTS);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aCheckpointIsFetchedWithWhatItNeedsAndNothingElse() throws IOException {
        var snapshot = pull();

        assertThat(snapshot.commit()).isEqualTo(LocalHub.COMMIT);
        assertThat(files(snapshot.path()))
                .containsExactly("config.json", "model.safetensors", "tokenizer.json");
        assertThat(snapshot.path().resolve("model.safetensors")).hasBinaryContent(WEIGHTS);
        assertThat(server.content("pytorch_model.bin")).isEmpty();
    }

    @Test
    void theCacheIsLaidOutAsTheHubsOwnProgramsDo() throws IOException {
        var model = home.resolve("hub/models--org--model");
        var snapshot = pull();
        var hash = LocalHub.hash(WEIGHTS, true).hex();
        var config =
                LocalHub.hash("{\"model_type\": \"llama\"}".getBytes(StandardCharsets.UTF_8), false)
                        .hex();

        assertThat(snapshot.path()).isEqualTo(model.resolve("snapshots").resolve(LocalHub.COMMIT));
        assertThat(model.resolve("refs/main")).hasContent(LocalHub.COMMIT);
        assertThat(Files.readSymbolicLink(snapshot.path().resolve("model.safetensors")))
                .isEqualTo(Path.of("../../blobs").resolve(hash));
        assertThat(Files.readSymbolicLink(snapshot.path().resolve("config.json")))
                .isEqualTo(Path.of("../../blobs").resolve(config));
        assertThat(files(model.resolve("blobs"))).hasSize(3);
    }

    /// As git computes it: `printf '{}' | git hash-object --stdin`.
    @Test
    void smallFilesAreCheckedByGitsHash() {
        assertThat(LocalHub.hash("{}".getBytes(StandardCharsets.UTF_8), false).hex())
                .isEqualTo("9e26dfeeb6e641a33dae4961196235bdb965b21b");
    }

    @Test
    void whatIsThereIsNotFetchedAgain() {
        pull();
        server.asked.clear();

        assertThat(hub().require(NAME, PullListener.none(), () -> false)).isPresent();
        assertThat(server.asked).isEmpty();

        pull();
        assertThat(server.content("model.safetensors")).isEmpty();
    }

    @Test
    void aBranchThatMovedIsFetchedWhenAskedFor() {
        var before = pull();
        server.commit = LocalHub.LATER;

        assertThat(hub().cached(NAME)).contains(before);
        assertThat(pull().commit()).isEqualTo(LocalHub.LATER);
        assertThat(hub().cached(NAME)).map(Hub.Snapshot::commit).contains(LocalHub.LATER);
        assertThat(server.content("model.safetensors"))
                .as("the same content is fetched once")
                .hasSize(2);
    }

    @Test
    void aCommitNeedsNoRef() {
        var name = HubName.parse("hf://org/model@" + LocalHub.COMMIT);

        assertThat(hub().pull(name, PullListener.none(), () -> false)).isPresent();
        assertThat(home.resolve("hub/models--org--model/refs")).doesNotExist();
        assertThat(hub().cached(name)).isPresent();
    }

    @Test
    void aCommitIsThatOneOrNone() throws IOException {
        var name = HubName.parse("hf://org/model@" + LocalHub.COMMIT);
        list(LocalHub.LATER, "model.safetensors");

        assertThatThrownBy(() -> hub().pull(name, PullListener.none(), () -> false))
                .hasMessageStartingWith(
                        "HUB_ANSWER_INVALID: the hub gives the commit %s for '%s'"
                                .formatted(LocalHub.LATER, name));
        assertThat(home.resolve("hub/models--org--model")).doesNotExist();
    }

    /// As `huggingface_hub` leaves it: without marks of missing files, and with other files beside.
    @Test
    void aCacheThatAnotherProgramFilledIsUsedAsItIs() throws IOException {
        var model = home.resolve("hub/models--org--model");
        var folder = Files.createDirectories(model.resolve("snapshots").resolve(LocalHub.COMMIT));
        Files.createDirectories(model.resolve("refs"));
        Files.writeString(model.resolve("refs/main"), LocalHub.COMMIT);
        for (var file :
                List.of("config.json", "tokenizer.json", "model.safetensors", "vocab.txt")) {
            Files.writeString(folder.resolve(file), file);
        }

        assertThat(hub().require(NAME, PullListener.none(), () -> false))
                .map(Hub.Snapshot::path)
                .contains(folder);
        assertThat(server.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"config.json", "tokenizer.json", "model.safetensors"})
    void aCheckpointOfWhichAFileIsMissingIsNotWhole(String missing) throws IOException {
        Files.delete(pull().path().resolve(missing));

        assertThat(hub().cached(NAME)).isEmpty();
        assertThat(pull().path().resolve(missing)).exists();
    }

    @Test
    void headsNeedNoTokenizer() throws IOException {
        try (var heads =
                new LocalHub().small("config.json", "{}").large("model.safetensors", WEIGHTS)) {
            var hub = new Hub(heads.settings(home, Map.of()), SHORT);

            assertThat(hub.pull(NAME, PullListener.none(), () -> false)).isPresent();
            assertThat(hub.cached(NAME)).isPresent();
        }
    }

    @Test
    void weightsInSeveralFilesAreThoseOfTheirIndex() throws IOException {
        try (var several =
                new LocalHub()
                        .small("config.json", "{}")
                        .small("tokenizer.json", "{}")
                        .small("model.safetensors.index.json", index("a.safetensors"))
                        .large("a.safetensors", WEIGHTS)
                        .large("consolidated.safetensors", WEIGHTS)) {
            var hub = new Hub(several.settings(home, Map.of()), SHORT);
            var snapshot = hub.pull(NAME, PullListener.none(), () -> false).orElseThrow();

            assertThat(files(snapshot.path())).contains("a.safetensors").hasSize(4);
            assertThat(hub.cached(NAME)).contains(snapshot);

            Files.delete(snapshot.path().resolve("a.safetensors"));
            assertThat(hub.cached(NAME)).isEmpty();
        }
    }

    @Test
    void ofGgufFilesOnlyTheOneThatIsNamedIsFetched() throws IOException {
        server.large("q4/small.gguf", WEIGHTS).large("q8/large.gguf", WEIGHTS);
        var name = HubName.parse("hf://org/model/q4/small.gguf");

        var snapshot = hub().pull(name, PullListener.none(), () -> false).orElseThrow();

        assertThat(snapshot.path()).hasBinaryContent(WEIGHTS).hasFileName("small.gguf");
        assertThat(Files.readSymbolicLink(snapshot.path()).toString())
                .startsWith("../../../blobs/");
        assertThat(server.content("config.json")).isEmpty();
        assertThat(hub().cached(name)).contains(snapshot);
        assertThat(hub().cached(NAME)).isEmpty();
    }

    @Test
    void theTokenIsForTheHubAlone() {
        hub("HF_TOKEN", "hf_secret").pull(NAME, PullListener.none(), () -> false);

        assertThat(server.asked)
                .filteredOn(each -> each.server().equals("hub"))
                .isNotEmpty()
                .allMatch(each -> each.authorization().equals("Bearer hf_secret"));
        assertThat(server.asked)
                .filteredOn(each -> each.server().equals("store"))
                .isNotEmpty()
                .allMatch(each -> each.authorization().isEmpty());
    }

    @Test
    void aCutConnectionGoesOnWhereItStopped() {
        server.whims.add(_ -> false); // config.json
        server.whims.add(_ -> false); // tokenizer.json
        server.whims.add(server.cutAfter("model.safetensors", 100_000));
        server.whims.add(server.code(503));
        server.whims.add(server.cutAfter("model.safetensors", 50_000));

        assertThat(pull().path().resolve("model.safetensors")).hasBinaryContent(WEIGHTS);
        assertThat(server.content("model.safetensors"))
                .filteredOn(each -> each.server().equals("store"))
                .extracting(LocalHub.Asked::range)
                .hasSize(4)
                .startsWith("")
                .allMatch(range -> range.matches("|bytes=[0-9]+-"));
    }

    @Test
    void aConnectionThatIsCutAgainAndAgainIsGivenUpAndGoesOnLater() throws IOException {
        skipSmall();
        server.whims.add(server.cutAfter("model.safetensors", 100_000));
        for (int i = 0; i < 3; i++) {
            server.whims.add(server.cutAfter("model.safetensors", 0));
        }

        assertFails(ErrorCode.HUB_UNREACHABLE, "'model.safetensors' of 'hf://org/model'");
        assertThat(incomplete()).hasSize(1);
        // A client may lose the last bytes before a cut.
        long kept = Files.size(incomplete().getFirst());
        assertThat(kept).isBetween(1L, 100_000L);
        assertThat(hub().cached(NAME)).isEmpty();

        server.asked.clear();
        assertThat(pull().path().resolve("model.safetensors")).hasBinaryContent(WEIGHTS);
        assertThat(incomplete()).isEmpty();
        assertThat(server.content("model.safetensors"))
                .extracting(LocalHub.Asked::range)
                .containsOnly("bytes=%d-".formatted(kept));
    }

    @Test
    void aServerThatGivesNoPartsIsAskedForAll() {
        skipSmall();
        server.whims.add(server.cutAfter("model.safetensors", 100_000));
        server.whims.add(server.all(WEIGHTS));

        assertThat(pull().path().resolve("model.safetensors")).hasBinaryContent(WEIGHTS);
    }

    @Test
    void aServerThatSendsAnotherPartIsAskedAgain() {
        skipSmall();
        server.whims.add(server.cutAfter("model.safetensors", 100_000));
        server.whims.add(exchange -> {
            exchange.getResponseHeaders().set("Content-Range", "bytes 0-299999/300000");
            exchange.sendResponseHeaders(206, WEIGHTS.length);
            exchange.getResponseBody().write(WEIGHTS);
            return true;
        });

        assertThat(pull().path().resolve("model.safetensors")).hasBinaryContent(WEIGHTS);
    }

    @Test
    void aServerThatFallsSilentIsGivenUp() {
        skipSmall();
        for (int i = 0; i < 4; i++) {
            server.whims.add(server.silence());
        }

        assertFails(ErrorCode.HUB_UNREACHABLE, "nothing came for 300 ms");
    }

    @Test
    void wrongContentIsRemoved() throws IOException {
        skipSmall();
        server.whims.add(server.all(bytes(WEIGHTS.length, 2)));

        assertFails(ErrorCode.HUB_CONTENT_WRONG, LocalHub.hash(WEIGHTS, true).hex());
        assertThat(incomplete()).isEmpty();
        assertThat(pull().path().resolve("model.safetensors")).hasBinaryContent(WEIGHTS);
    }

    @Test
    void wrongSmallContentIsRemoved() throws IOException {
        server.whims.add(
                server.all("{\"model_type\": \"mamba\"}".getBytes(StandardCharsets.UTF_8)));

        assertFails(ErrorCode.HUB_CONTENT_WRONG, "'config.json'");
        assertThat(incomplete()).isEmpty();
    }

    @Test
    void moreThanWasAnnouncedIsWrong() throws IOException {
        skipSmall();
        server.whims.add(server.all(Arrays.copyOf(WEIGHTS, WEIGHTS.length + 1)));

        assertFails(ErrorCode.HUB_CONTENT_WRONG, "'model.safetensors'");
        assertThat(incomplete()).isEmpty();
    }

    @Test
    void contentWithoutAnEndIsGivenUp() throws IOException {
        skipSmall();
        var sent = new AtomicLong();
        server.whims.add(server.flood(1 << 28, sent));

        assertFails(ErrorCode.HUB_CONTENT_WRONG, "'model.safetensors'");
        assertThat(incomplete()).isEmpty();
        assertThat(sent).hasValueLessThan(1 << 27);
    }

    @Test
    void lessThanWasAnnouncedIsNeverTaken() {
        skipSmall();
        for (int i = 0; i < 20; i++) {
            server.whims.add(server.all(Arrays.copyOf(WEIGHTS, WEIGHTS.length - 1)));
        }

        assertFails(ErrorCode.HUB_UNREACHABLE, "'model.safetensors'");
    }

    @Test
    void aPartOfSomethingElseIsFoundOut() throws IOException {
        var blobs = Files.createDirectories(home.resolve("hub/models--org--model/blobs"));
        var hash = LocalHub.hash(WEIGHTS, true).hex();
        Files.write(blobs.resolve(hash + ".incomplete"), new byte[1000]);

        assertFails(ErrorCode.HUB_CONTENT_WRONG, "What came was removed");
        assertThat(pull().path().resolve("model.safetensors")).hasBinaryContent(WEIGHTS);
    }

    @Test
    void aSizeBeyondTheDiskIsRefusedBeforeAnythingComes() {
        server.header("X-Linked-Size", String.valueOf(Long.MAX_VALUE));

        assertFails(ErrorCode.IO_FAILED, "needs 9223372036854 MB more");
        assertThat(server.asked).noneMatch(each -> each.server().equals("store"));
    }

    @ParameterizedTest
    @CsvSource({
        "X-Linked-Size, -1, as the size of 'config.json'",
        "X-Linked-Size, 99999999999999999999, as the size of 'config.json'",
        "X-Linked-Size, many, as the size of 'config.json'",
        "ETag, ../../../x, no hash of 'config.json'",
        "ETag, abc, no hash of 'config.json'",
        "X-Repo-Commit, fedcba9876543210fedcba9876543210fedcba98, of the commit fedcba"
    })
    void descriptionsThatMakeNoSenseAreRefused(String header, String value, String message) {
        server.header(header, value);

        assertFails(ErrorCode.HUB_ANSWER_INVALID, message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../x",
                "a/../../x",
                "/etc/passwd",
                "a\\\\b",
                "C:x",
                "a\\u0000b",
                "a//b",
                "./a",
                "",
                "a/"
            })
    void filesOutsideTheirFolderAreRefused(String file) throws IOException {
        list(LocalHub.COMMIT, file);

        assertFails(ErrorCode.HUB_ANSWER_INVALID, "no path below a folder");
        assertThat(home.resolve("hub")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../x", "main", "0123", ""})
    void aCommitIsFortyDigits(String commit) {
        list(commit, "config.json");

        assertFails(ErrorCode.HUB_ANSWER_INVALID, "no commit of 40 hexadecimal digits");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "null", "{\"sha\": 1}", "<html>"})
    void aListThatIsNoneIsRefused(String text) {
        server.listing = Optional.of(text);

        assertFails(ErrorCode.HUB_ANSWER_INVALID, "the list of files of 'hf://org/model'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../../x.safetensors",
                "/x.safetensors",
                "x.bin",
                "a/x.safetensors",
                "gone.safetensors"
            })
    void anIndexNamesOnlyFilesOfItsFolder(String file) throws IOException {
        try (var several =
                new LocalHub()
                        .small("config.json", "{}")
                        .small("model.safetensors.index.json", index(file))) {
            var hub = new Hub(several.settings(home, Map.of()), SHORT);

            assertThatThrownBy(() -> hub.pull(NAME, PullListener.none(), () -> false))
                    .isInstanceOfSatisfying(
                            OutriderException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.HUB_ANSWER_INVALID));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "401, '', HUB_ACCESS_DENIED, Set HF_TOKEN",
        "403, '', HUB_ACCESS_DENIED, accept its conditions",
        "401, GatedRepo, HUB_ACCESS_DENIED, accept its conditions",
        "401, RepoNotFound, HUB_NOT_FOUND, has no model 'org/model'",
        "404, '', HUB_NOT_FOUND, has no model 'org/model'",
        "404, RevisionNotFound, HUB_NOT_FOUND, has no revision 'main'",
        "400, '', HUB_ANSWER_INVALID, answered 400",
        "503, '', HUB_UNREACHABLE, answered 503",
        "429, '', HUB_UNREACHABLE, answered 429"
    })
    void refusalsOfTheHubAreExplained(int status, String kind, String code, String message) {
        server.status = Optional.of(status);
        if (!kind.isEmpty()) {
            server.header("X-Error-Code", kind);
        }

        assertFails(code(code), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "gopher://elsewhere/", "http://[::1", " "})
    void redirectionsToWhatIsNoServerAreRefused(String location) {
        server.status = Optional.of(302);
        server.header("Location", location);

        assertFails(
                ErrorCode.HUB_ANSWER_INVALID,
                "HUB_ANSWER_INVALID: 127.0.0.1 redirects to an address that is none of HTTP\n");
    }

    @Test
    void aTokenThatIsRefusedIsNotShown() {
        server.status = Optional.of(401);

        assertThatThrownBy(() ->
                        hub("HF_TOKEN", "hf_secret").pull(NAME, PullListener.none(), () -> false))
                .hasMessageContaining("The token in HF_TOKEN is wrong")
                .hasMessageNotContaining("hf_secret");
    }

    @Test
    void aFileThatIsNotThereIsRefusedWithThoseThatAre() {
        server.large("b.gguf", WEIGHTS);
        var name = HubName.parse("hf://org/model/a.gguf");

        assertThatThrownBy(() -> hub().pull(name, PullListener.none(), () -> false))
                .hasMessageStartingWith("HUB_NOT_FOUND: 'org/model@main' has no file 'a.gguf'")
                .hasMessageContaining("It has b.gguf.");
    }

    @Test
    void picklesAreNotFetched() throws IOException {
        try (var pickle =
                new LocalHub().small("config.json", "{}").large("pytorch_model.bin", WEIGHTS)) {
            var hub = new Hub(pickle.settings(home, Map.of()), SHORT);

            assertThatThrownBy(() -> hub.pull(NAME, PullListener.none(), () -> false))
                    .hasMessageStartingWith("PICKLE_REFUSED");
            assertThat(pickle.content("pytorch_model.bin")).isEmpty();
        }
    }

    @Test
    void aRepositoryOfGgufFilesAsksForOne() throws IOException {
        try (var gguf = new LocalHub().large("x.Q4_K_M.gguf", WEIGHTS)) {
            var hub = new Hub(gguf.settings(home, Map.of()), SHORT);

            assertThatThrownBy(() -> hub.pull(NAME, PullListener.none(), () -> false))
                    .hasMessageStartingWith("CHECKPOINT_INCOMPLETE")
                    .hasMessageContaining("hf://org/model/x.Q4_K_M.gguf");
        }
    }

    @Test
    void offlineNobodyIsAsked() {
        var offline = hub("HF_HUB_OFFLINE", "1");

        assertThatThrownBy(() -> offline.pull(NAME, PullListener.none(), () -> false))
                .hasMessageStartingWith("HUB_OFFLINE: 'hf://org/model' is not in the cache")
                .hasMessageContaining("outrider pull hf://org/model");
        assertThat(server.asked).isEmpty();

        var snapshot = pull();
        assertThat(offline.pull(NAME, PullListener.none(), () -> false)).contains(snapshot);
    }

    @Test
    void aServerThatIsNotThereIsSaidSo() {
        var hub = hub();
        server.close();

        assertThatThrownBy(() -> hub.pull(NAME, PullListener.none(), () -> false))
                .hasMessageStartingWith("HUB_UNREACHABLE");
    }

    @Test
    void cancellingKeepsWhatCame() throws IOException {
        var seen = new ArrayList<Long>();
        var half =
                new PullListener() {
                    @Override
                    public void at(String file, long done, long total) {
                        seen.add(done);
                    }

                    @Override
                    public void waiting(String file) {}
                };

        assertThat(hub().pull(NAME, half, () -> !seen.isEmpty() && seen.getLast() > 1000))
                .isEmpty();
        assertThat(hub().cached(NAME)).isEmpty();
        assertThat(incomplete())
                .singleElement()
                .satisfies(file -> assertThat(file).isNotEmptyFile());
        assertThat(pull().path().resolve("model.safetensors")).hasBinaryContent(WEIGHTS);
    }

    @Test
    void progressCountsBytesOfAllFiles() {
        var last = new long[2];
        var listener =
                new PullListener() {
                    @Override
                    public void at(String file, long done, long total) {
                        assertThat(done).isGreaterThanOrEqualTo(last[0]);
                        last[0] = done;
                        last[1] = total;
                    }

                    @Override
                    public void waiting(String file) {}
                };

        hub().pull(NAME, listener, () -> false);

        assertThat(last[0]).isEqualTo(last[1]).isGreaterThan(WEIGHTS.length);
    }

    @Test
    void whoeverComesSecondWaitsForTheFirst() throws Exception {
        var lock =
                home.resolve("hub/.locks/models--org--model")
                        .resolve(LocalHub.hash(WEIGHTS, true).hex() + ".lock");
        var waiting = new CompletableFuture<Object>();
        var listener =
                new PullListener() {
                    @Override
                    public void at(String file, long done, long total) {}

                    @Override
                    public void waiting(String file) {
                        waiting.complete(file);
                    }
                };
        try (var held = ProcessLock.tryTake(lock).orElseThrow()) {
            var second =
                    CompletableFuture.<Object>supplyAsync(
                            () -> hub().pull(NAME, listener, () -> false));
            CompletableFuture.anyOf(waiting, second).join();
            assertThat(waiting).isCompletedWithValue("model.safetensors");
            assertThat(server.content("model.safetensors")).isEmpty();
            held.close();

            assertThat((Optional<?>) second.join()).isPresent();
        }
    }

    @Test
    void severalAtOnceFetchOnce() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Hub.Snapshot> pulling = this::pull;
            for (var each : threads.invokeAll(List.of(pulling, pulling, pulling))) {
                assertThat(each.get().path().resolve("model.safetensors"))
                        .hasBinaryContent(WEIGHTS);
            }
        }
        assertThat(server.content("model.safetensors"))
                .filteredOn(each -> each.server().equals("store"))
                .hasSize(1);
    }

    private static ErrorCode code(String name) {
        return ErrorCode.standard().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void list(String commit, String file) {
        server.listing =
                Optional.of(
                        "{\"sha\": \"%s\", \"siblings\": [{\"rfilename\": \"%s\"}]}"
                                .formatted(commit, file));
    }

    private static String index(String file) {
        return "{\"weight_map\": {\"tensor\": \"%s\"}}".formatted(file);
    }

    /// The following special answers are for the weights.
    private void skipSmall() {
        server.whims.add(_ -> false);
        server.whims.add(_ -> false);
    }

    private void assertFails(ErrorCode code, String message) {
        assertThatThrownBy(this::pull)
                .hasMessageContaining(message)
                .isInstanceOfSatisfying(
                        OutriderException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private Hub.Snapshot pull() {
        return hub().pull(NAME, PullListener.none(), () -> false).orElseThrow();
    }

    private Hub hub(String... variables) {
        return new Hub(
                server.settings(
                        home,
                        variables.length == 0 ? Map.of() : Map.of(variables[0], variables[1])),
                SHORT);
    }

    private List<Path> incomplete() throws IOException {
        try (var files = Files.list(home.resolve("hub/models--org--model/blobs"))) {
            return files.filter(file -> file.toString().endsWith(".incomplete")).toList();
        }
    }

    private static List<String> files(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static byte[] bytes(int count, long seed) {
        var bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
