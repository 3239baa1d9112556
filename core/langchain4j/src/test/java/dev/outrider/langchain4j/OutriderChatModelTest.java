package dev.outrider.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.listener.ChatModelResponseContext;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import dev.outrider.embedding.Generator;
import dev.outrider.embedding.Outrider;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class OutriderChatModelTest {
    private static final Path MODELS =
            Path.of(System.getProperty("outrider.root", "../.."))
                    .toAbsolutePath()
                    .resolve("models");

    /// Of the demo target, which has none of its own.
    private static final String TEMPLATE =
            "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:";

    private static final String PROMPT =
            "system: Tell stories.\nuser: Once upon a time\nassistant:";
    private static final List<ChatMessage> MESSAGES =
            List.of(SystemMessage.from("Tell stories."), UserMessage.from("Once upon a time"));

    @TempDir private static Path folder;
    private static Generator generator;
    private static OutriderChatModel model;

    @BeforeAll
    static void open() throws IOException {
        var target = Files.createDirectory(folder.resolve("target"));
        try (var files = Files.list(MODELS.resolve("demo-target"))) {
            for (var file : files.toList()) {
                Files.copy(file, target.resolve(file.getFileName()));
            }
        }
        Files.writeString(target.resolve("chat_template.jinja"), TEMPLATE);
        generator =
                Outrider.target("vector", Map.of("path", target, "name", "demo"))
                        .drafter(
                                "small-model",
                                Map.of("path", MODELS.resolve("demo-draft"), "length", 4))
                        .open();
        model = OutriderChatModel.builder(generator).maxOutputTokens(40).build();
    }

    @AfterAll
    static void close() {
        generator.close();
    }

    private static ChatRequest request(UnaryOperator<ChatRequest.Builder> more) {
        return more.apply(ChatRequest.builder().messages(MESSAGES)).build();
    }

    @Test
    void answersAConversationAsTheGeneratorDoes() {
        int[] prompt = generator.tokenizer().encode(PROMPT, false);
        var expected =
                generator.generate(
                        prompt, 40, dev.outrider.spi.run.DecodeListener.none(), () -> false);

        var answer = model.chat(MESSAGES);

        assertThat(answer.aiMessage().text()).isEqualTo(expected.text()).isNotBlank();
        assertThat(answer.finishReason()).isEqualTo(FinishReason.STOP);
        assertThat(answer.modelName()).isEqualTo("demo");
        var usage = (OutriderTokenUsage) answer.tokenUsage();
        assertThat(usage.inputTokenCount()).isEqualTo(prompt.length);
        assertThat(usage.outputTokenCount()).isEqualTo(expected.tokens().length);
        assertThat(usage.acceptedTokenCount())
                .isBetween(
                        (long) expected.tokens().length - expected.rounds(),
                        (long) expected.tokens().length)
                .isPositive();
    }

    @Test
    void takesUpWhatWasAnswered() {
        var messages = new ArrayList<>(MESSAGES);
        messages.add(AiMessage.from("there was a dog."));
        messages.add(UserMessage.from(TextContent.from("And "), TextContent.from("then?")));

        var answer = model.chat(messages);

        assertThat(answer.tokenUsage().inputTokenCount())
                .isEqualTo(
                        generator
                                .tokenizer()
                                .encode(
                                        PROMPT + " there was a dog.\nuser: And then?\nassistant:",
                                        false)
                                .length);
    }

    @Test
    void aRequestLimitsItsAnswer() {
        var whole = model.chat(MESSAGES).aiMessage().text();
        var word = whole.strip().split(" ", -1)[4];

        var few = model.chat(request(asked -> asked.maxOutputTokens(3)));
        var stopped = model.chat(request(asked -> asked.stopSequences(List.of(word))));
        var most = model.chat(request(asked -> asked.maxOutputTokens(1_000_000)));

        assertThat(few.tokenUsage().outputTokenCount()).isEqualTo(3);
        assertThat(few.finishReason()).isEqualTo(FinishReason.LENGTH);
        assertThat(stopped.finishReason()).isEqualTo(FinishReason.STOP);
        assertThat(stopped.aiMessage().text()).isEqualTo(whole.substring(0, whole.indexOf(word)));
        assertThat(most.tokenUsage().totalTokenCount())
                .isLessThanOrEqualTo(generator.target().maxPositions());
    }

    private static final class Heard implements StreamingChatResponseHandler {
        private final List<String> pieces = new ArrayList<>();
        private final List<Throwable> errors = new ArrayList<>();
        private final CompletableFuture<ChatResponse> whole = new CompletableFuture<>();
        private int cancelAfter = Integer.MAX_VALUE;
        private boolean fails;

        @Override
        public void onPartialResponse(PartialResponse piece, PartialResponseContext context) {
            pieces.add(piece.text());
            if (pieces.size() == cancelAfter) {
                context.streamingHandle().cancel();
            }
            if (fails) {
                throw new IllegalStateException("the handler fails");
            }
        }

        @Override
        public void onCompleteResponse(ChatResponse response) {
            whole.complete(response);
        }

        @Override
        public void onError(Throwable failure) {
            errors.add(failure);
            if (failure instanceof OutriderException) {
                whole.completeExceptionally(failure);
            }
        }
    }

    @Test
    void streamsThePiecesOfTheWholeAnswer() {
        var heard = new Heard();

        model.chat(request(asked -> asked), heard);

        var whole = heard.whole.join();
        assertThat(whole).isEqualTo(model.chat(MESSAGES));
        assertThat(heard.pieces).hasSizeGreaterThan(3);
        assertThat(String.join("", heard.pieces)).isEqualTo(whole.aiMessage().text());
        assertThat(heard.errors).isEmpty();
    }

    @Test
    void whatAHandlerThrowsIsToldAndTheAnswerGoesOn() {
        var heard = new Heard();
        heard.fails = true;

        model.chat(request(asked -> asked), heard);

        assertThat(heard.whole.join().aiMessage().text()).isEqualTo(String.join("", heard.pieces));
        assertThat(heard.errors)
                .hasSameSizeAs(heard.pieces)
                .allMatch(IllegalStateException.class::isInstance);
    }

    @Test
    void aStreamThatIsCancelledEndsAndSaysNothingMore() {
        var heard = new Heard();
        heard.cancelAfter = 2;
        var here = OutriderChatModel.builder(generator).executor(Runnable::run).build();

        here.chat(request(asked -> asked.maxOutputTokens(400)), heard);

        assertThat(heard.pieces).hasSize(2);
        assertThat(heard.whole).isNotDone();
        assertThat(heard.errors).isEmpty();
    }

    @Test
    void errorsOfTheGeneratorAreToldAsTheyAre() {
        var heard = new Heard();
        var long_ = UserMessage.from("long ".repeat(3000));

        model.chat(List.of(long_), heard);

        assertThat(heard.whole)
                .failsWithin(java.time.Duration.ofSeconds(50))
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withMessageContaining("CONTEXT_EXCEEDED");
        assertThatExceptionOfType(OutriderException.class)
                .isThrownBy(() -> model.chat(List.of(long_)))
                .withMessageContaining("CONTEXT_EXCEEDED");
    }

    static Stream<Map.Entry<String, ChatRequest>> unsupported() {
        var tool = ToolSpecification.builder().name("search").build();
        var call = ToolExecutionRequest.builder().id("1").name("search").arguments("{}").build();
        return Stream.of(
                Map.entry("modelName", request(asked -> asked.modelName("other"))),
                Map.entry("temperature", request(asked -> asked.temperature(0.5))),
                Map.entry("topP", request(asked -> asked.topP(0.5))),
                Map.entry("topK", request(asked -> asked.topK(5))),
                Map.entry("frequencyPenalty", request(asked -> asked.frequencyPenalty(0.5))),
                Map.entry("presencePenalty", request(asked -> asked.presencePenalty(0.5))),
                Map.entry("toolSpecifications", request(asked -> asked.toolSpecifications(tool))),
                Map.entry("toolChoice", request(asked -> asked.toolChoice(ToolChoice.AUTO))),
                Map.entry(
                        "responseFormat",
                        request(asked -> asked.responseFormat(ResponseFormat.JSON))),
                Map.entry(
                        "messages",
                        ChatRequest.builder()
                                .messages(ToolExecutionResultMessage.from(call, "found"))
                                .build()),
                Map.entry(
                        "AiMessage.toolExecutionRequests",
                        ChatRequest.builder().messages(AiMessage.from(call)).build()),
                Map.entry(
                        "UserMessage.name",
                        ChatRequest.builder().messages(UserMessage.from("Ann", "Hello")).build()),
                Map.entry(
                        "UserMessage.contents",
                        ChatRequest.builder()
                                .messages(
                                        UserMessage.from(
                                                ImageContent.from("http://localhost/a.png")))
                                .build()));
    }

    @ParameterizedTest
    @MethodSource("unsupported")
    void whatItCannotDoIsRefusedByName(Map.Entry<String, ChatRequest> field) {
        assertThatExceptionOfType(UnsupportedFeatureException.class)
                .isThrownBy(() -> model.chat(field.getValue()))
                .withMessageMatching(
                        field.getKey()
                                + "[ :].* is not supported.*|"
                                + field.getKey()
                                + " is not supported.*");
        var heard = new Heard();
        assertThatExceptionOfType(UnsupportedFeatureException.class)
                .isThrownBy(() -> model.chat(field.getValue(), heard))
                .withMessageMatching(
                        field.getKey()
                                + "[ :].* is not supported.*|"
                                + field.getKey()
                                + " is not supported.*");
        assertThat(heard.pieces).isEmpty();
    }

    @Test
    void whatSaysTheSameAsNothingIsTaken() {
        var answer =
                model.chat(
                        request(asked ->
                                asked.modelName("demo")
                                        .responseFormat(ResponseFormat.TEXT)
                                        .maxOutputTokens(2)));

        assertThat(answer.tokenUsage().outputTokenCount()).isEqualTo(2);
    }

    interface Storyteller {
        String answer(String message);
    }

    interface StreamingStoryteller {
        TokenStream answer(String message);
    }

    @Test
    void servesAServiceOfLangChainWithAMemory() {
        var memory = MessageWindowChatMemory.withMaxMessages(10);
        var service =
                AiServices.builder(Storyteller.class)
                        .chatModel(model)
                        .chatMemory(memory)
                        .systemMessageProvider(_ -> "Tell stories.")
                        .build();

        var first = service.answer("Once upon a time");
        service.answer("And then?");

        assertThat(first).isEqualTo(model.chat(MESSAGES).aiMessage().text());
        assertThat(memory.messages()).hasSize(5);
    }

    @Test
    void servesAStreamingServiceOfLangChain() {
        var service =
                AiServices.builder(StreamingStoryteller.class)
                        .streamingChatModel(model)
                        .systemMessageProvider(_ -> "Tell stories.")
                        .build();
        var whole = new CompletableFuture<ChatResponse>();
        var text = new StringBuilder();

        service.answer("Once upon a time")
                .onPartialResponse(text::append)
                .onCompleteResponse(whole::complete)
                .onError(whole::completeExceptionally)
                .start();

        assertThat(whole.join().aiMessage()).isEqualTo(model.chat(MESSAGES).aiMessage());
        assertThat(text.toString()).isEqualTo(whole.join().aiMessage().text());
        assertThat(((OutriderTokenUsage) whole.join().tokenUsage()).acceptedTokenCount())
                .isPositive();
    }

    @Test
    void writesConversationsByAnotherTemplate() {
        var story =
                OutriderChatModel.builder(generator)
                        .template(turns -> turns.getLast().content())
                        .stopSequences(List.of("."))
                        .build();

        assertThat(story.chat("Once upon a time"))
                .isEqualTo(generator.generate("Once upon a time", 256).text().split("\\.", -1)[0])
                .isNotBlank();
    }

    @Test
    void addsUsageUp() {
        var usage = new OutriderTokenUsage(5, 7, 3);

        var both = (OutriderTokenUsage) TokenUsage.sum(usage, new OutriderTokenUsage(1, 2, 1));
        var other = (OutriderTokenUsage) TokenUsage.sum(new TokenUsage(1, 2), usage);

        assertThat(both.acceptedTokenCount()).isEqualTo(4);
        assertThat(both.totalTokenCount()).isEqualTo(15);
        assertThat(other.acceptedTokenCount()).isEqualTo(3);
        assertThat(other.outputTokenCount()).isEqualTo(9);
    }

    @Test
    void tellsListeners() {
        var told = new ArrayList<TokenUsage>();
        ChatModelListener listener =
                new ChatModelListener() {
                    @Override
                    public void onResponse(ChatModelResponseContext context) {
                        told.add(context.chatResponse().tokenUsage());
                    }
                };
        var heard = OutriderChatModel.builder(generator).listeners(List.of(listener)).build();

        var answer = heard.chat(MESSAGES);

        assertThat(told).containsExactly(answer.tokenUsage());
    }
}
