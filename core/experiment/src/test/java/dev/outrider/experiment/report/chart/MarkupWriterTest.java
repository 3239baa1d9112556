package dev.outrider.experiment.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class MarkupWriterTest {
    @Test
    void escapesTextAndAttributes() {
        var element = Element.of("em").with("title", "a\"<b>&").text("1 < 2 & \u0000\uD800");
        assertThat(Markup.write(element))
                .isEqualTo("<em title=\"a&quot;&lt;b&gt;&amp;\">1 &lt; 2 &amp; \uFFFD\uFFFD</em>");
    }

    @Test
    void onlyElementsThatHtmlKnowsAsEmptyHaveNoEndTag() {
        assertThat(Markup.write(Element.of("div").add(Element.of("br"))))
                .isEqualTo("<div><br/></div>");
        assertThat(Markup.write(Element.of("div"))).isEqualTo("<div></div>");
    }

    @Test
    void codeAndNamesCannotBreakOut() {
        assertThatThrownBy(() -> new Markup.Code("a < b"))
                .hasMessage("code of a page must do without < and &");
        assertThatThrownBy(() -> Element.of("a b")).hasMessage("'a b' is no name of an element");
        assertThatThrownBy(() -> Element.of("a").with("x=1", "y"))
                .hasMessage("'x=1' is no name of an attribute");
    }

    @Test
    void coordinatesAreShortAndFinite() {
        assertThat(Element.number(1.5)).isEqualTo("1.5");
        assertThat(Element.number(200)).isEqualTo("200");
        assertThat(Element.number(-.0001)).isEqualTo("0");
        assertThatThrownBy(() -> Element.number(Double.NaN))
                .hasMessage("a drawing has no place for NaN");
    }
}
