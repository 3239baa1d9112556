package dev.outrider.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.errors.UnauthorizedException;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.completions.CompletionCreateParams;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.model.output.FinishReason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests the server with third-party clients.
@Timeout(60)
class ClientsTest {
    private static final String KEY = "the-key";

    @TempDir private static Path folder;
    private static TestServer server;
    private static OpenAIClient openAi;

    @BeforeAll
    static void start() {
        server = new TestServer(folder, "{sequences: 4}", Optional.of(KEY));
        openAi = client(KEY);
    }

    @AfterAll
    static void stop() {
        openAi.close();
        server.close();
    }

    private static OpenAIClient client(String key) {
        return OpenAIOkHttpClient.builder()
                .baseUrl(server.url() + "/v1")
                .apiKey(key)
                .maxRetries(0)
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    @Test
    void openAisClientReadsModels() {
        assertThat(openAi.models().list().data())
                .extracting(model -> model.id())
                .containsExactly("tiny", "tiny:small-model", "tiny:lookup", "tiny:plain");
    }

    @Test
    void openAisClientCompletes() {
        var params =
                CompletionCreateParams.builder()
                        .model("tiny:small-model")
                        .prompt("Once upon a time")
                        .maxTokens(12)
                        .temperature(0)
                        .logprobs(2)
                        .echo(true)
                        .n(2)
                        .seed(3)
                        .build();
        var completion = openAi.completions().create(params);

        assertThat(completion.choices()).hasSize(2);
        assertThat(completion.choices().getFirst().text()).startsWith("Once upon a time");
        assertThat(
                        completion
                                .choices()
                                .getFirst()
                                .logprobs()
                                .orElseThrow()
                                .topLogprobs()
                                .orElseThrow())
                .hasSizeGreaterThan(12);
        assertThat(completion.usage().orElseThrow().completionTokens()).isEqualTo(24);
        try (var stream = openAi.completions().createStreaming(params)) {
            var text = new StringBuilder();
            stream.stream()
                    .flatMap(each -> each.choices().stream())
                    .filter(choice -> choice.index() == 0)
                    .forEach(choice -> text.append(choice.text()));
            assertThat(text.toString()).isEqualTo(completion.choices().getFirst().text());
        }
    }

    @Test
    void openAisClientChats() {
        var params =
                ChatCompletionCreateParams.builder()
                        .model("tiny")
                        .addSystemMessage("Be short.")
                        .addUserMessage("Tell me of a wood.")
                        .maxCompletionTokens(16)
                        .temperature(0)
                        .logprobs(true)
                        .topLogprobs(2)
                        .build();
        var answer = openAi.chat().completions().create(params);
        var choice = answer.choices().getFirst();

        assertThat(choice.message().content().orElseThrow()).isNotEmpty();
        assertThat(choice.logprobs().orElseThrow().content().orElseThrow())
                .hasSize(16)
                .allSatisfy(each ->
                        assertThat(each.topLogprobs().getFirst().logprob())
                                .isEqualTo(each.logprob()));
        assertThat(
                        answer.usage()
                                .orElseThrow()
                                .completionTokensDetails()
                                .orElseThrow()
                                .acceptedPredictionTokens())
                .isPresent();
        var text = new StringBuilder();
        try (var stream = openAi.chat().completions().createStreaming(params)) {
            stream.stream()
                    .flatMap(chunk -> chunk.choices().stream())
                    .forEach(each -> each.delta().content().ifPresent(text::append));
        }
        assertThat(text.toString()).isEqualTo(choice.message().content().orElseThrow());
        var twice =
                params.toBuilder()
                        .addAssistantMessage(text.toString())
                        .addUserMessage("And then?")
                        .build();
        assertThat(openAi.chat().completions().create(twice).usage().orElseThrow().promptTokens())
                .isGreaterThan(answer.usage().orElseThrow().promptTokens());
    }

    @Test
    void openAisClientUnderstandsErrors() {
        var params = CompletionCreateParams.builder().model("tiny").prompt("a");

        assertThatThrownBy(
                        () -> openAi.completions().create(params.temperature(1).n(10_000).build()))
                .isInstanceOfSatisfying(
                        BadRequestException.class, e -> assertThat(e.param()).contains("n"));
        assertThatThrownBy(() -> openAi.completions().create(params.model("other").build()))
                .isInstanceOf(NotFoundException.class);
        var stranger = client("wrong");
        assertThatThrownBy(() -> stranger.models().list())
                .isInstanceOf(UnauthorizedException.class);
        stranger.close();
    }

    @Test
    void langChainChats() {
        var model =
                OpenAiChatModel.builder()
                        .baseUrl(server.url() + "/v1")
                        .apiKey(KEY)
                        .modelName("tiny:lookup")
                        .temperature(0.0)
                        .seed(5)
                        .maxTokens(14)
                        .maxRetries(0)
                        .build();

        var response =
                model.chat(SystemMessage.from("Be short."), UserMessage.from("Tell me of a wood."));

        assertThat(response.aiMessage().text()).isNotEmpty();
        assertThat(response.finishReason()).isEqualTo(FinishReason.LENGTH);
        assertThat(response.tokenUsage().outputTokenCount()).isEqualTo(14);
    }

    @Test
    void langChainStreams() throws Exception {
        var model =
                OpenAiStreamingChatModel.builder()
                        .baseUrl(server.url() + "/v1")
                        .apiKey(KEY)
                        .modelName("tiny")
                        .temperature(0.0)
                        .maxTokens(14)
                        .build();
        var done = new CompletableFuture<ChatResponse>();
        var text = new StringBuffer();

        model.chat(
                List.of(UserMessage.from("Tell me of a wood.")),
                new StreamingChatResponseHandler() {
                    @Override
                    public void onPartialResponse(String piece) {
                        text.append(piece);
                    }

                    @Override
                    public void onCompleteResponse(ChatResponse response) {
                        done.complete(response);
                    }

                    @Override
                    public void onError(Throwable error) {
                        done.completeExceptionally(error);
                    }
                });

        var response = done.get(30, TimeUnit.SECONDS);
        assertThat(response.aiMessage().text()).isEqualTo(text.toString()).isNotEmpty();
        assertThat(response.tokenUsage().outputTokenCount()).isEqualTo(14);
    }
}
