import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.outrider.embedding.Outrider;
import dev.outrider.langchain4j.OutriderChatModel;
import dev.outrider.langchain4j.OutriderTokenUsage;

void main() {
    try (var generator = Outrider.target("vector", Map.of("path", "models/demo-target"))
            .drafter("small-model", Map.of("path", "models/demo-draft", "length", 4))
            .open()) {
        var model = OutriderChatModel.builder(generator)
                .template(turns -> turns.getLast().content()) // the demo target has no chat template
                .maxOutputTokens(64)
                .executor(Runnable::run)
                .build();

        model.chat("Once upon a time", new StreamingChatResponseHandler() {
            @Override
            public void onPartialResponse(String text) {
                IO.print(text);
            }

            @Override
            public void onCompleteResponse(ChatResponse answer) {
                var usage = (OutriderTokenUsage) answer.tokenUsage();
                IO.println("\n%d tokens, %d of them guessed".formatted(usage.outputTokenCount(), usage.acceptedTokenCount()));
            }

            @Override
            public void onError(Throwable failure) {
                throw new IllegalStateException(failure);
            }
        });
    }
}
