package dev.outrider.chat.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
    private static final int DAMAGES = Boolean.getBoolean("outrider.nightly") ? 5000 : 1000;
    private static final String VARIABLES =
            """
            {"m":[{"role":"user","content":" Hi "},{"role":"assistant","content":"<think>\\nx\\n</think>\\n\\nYo"}],
             "text":"a-b","n":7,"f":2.5,"yes":true,"no":false,"nothing":null,"d":{"k":"v","items2":[1,2,3]},"list":[3,1,2]}
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            textBlock =
                    """
                    {{ 1 + 2 * 3 }} {{ (1 + 2) * 3 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 / 2 }} {{ 2 ** 3 }} → 7 9 3 -4 2 3.5 8
                    {{ 1.0 }} {{ 1e20 }} {{ 1e-7 }} {{ 0.1 + 0.2 }} {{ 100000.0 }} → 1.0 1e+20 1e-07 0.30000000000000004 100000.0
                    {{ true }} {{ none }} {{ False }} {{ nothing }} {{ yes }} → True None False None True
                    {{ [1, 'a', none, "it's"] }} {{ {'a': [true]} }} → [1, 'a', None, "it's"] {'a': [True]}
                    [{{ missing }}] {{ missing is defined }} {{ d.nope is defined }} {{ d['k'] is defined }} → [] False False True
                    {{ 'a' ~ 1 ~ none }} {{ 'a' + 'b' }} {{ 'ab' * 2 }} {{ "x" 'y' }} → a1None ab abab xy
                    {{ 1 < 2 < 3 }} {{ 1 < 3 < 2 }} {{ 'a' < 'b' }} {{ 1 == 1.0 }} {{ 1 == true }} {{ '1' == 1 }} → True False True True True False
                    {{ not no and yes or no }} {{ '' or 'x' }} {{ 0 and 1 }} {{ not 1 == 2 }} → True x 0 True
                    {{ 'a' in 'abc' }} {{ 'z' not in list }} {{ 3 in list }} {{ 'k' in d }} → True True True True
                    {{ 'y' if yes else 'n' }} {{ 'y' if no else 'n' }}{{ 'gone' if no }} → y n
                    {{ m[0].role }} {{ m[-1]['role'] }} {{ m[1:] | length }} {{ m[::-1][0].role }} {{ 'hello'[1:3] }} {{ 'abc'[-1] }} → user assistant 1 assistant el c
                    {{ list[:2] }} {{ list[-2:] }} {{ list[::2] }} {{ list[5:] }} {{ list[10] is defined }} → [3, 1] [1, 2] [3, 2] [] False
                    {{ m[1].content.split('</think>')[-1].lstrip('\\n') }} {{ m[1].content.startswith('<think>') }} {{ ' a '.strip() }} → Yo True a
                    {{ 'a,b,c'.split(',', 1) }} {{ 'a,b,c'.rsplit(',', 1) }} {{ ' a  b '.split() }} {{ 'xxaxx'.strip('x') }} → ['a', 'b,c'] ['a,b', 'c'] ['a', 'b'] a
                    {{ 'abc'.replace('b', 'x') }} {{ 'aaa'.replace('a', 'b', 2) }} {{ 'Ab'.upper() }} {{ 'Ab'.lower() }} {{ 'ab cd'.title() }} → axc bba AB ab Ab Cd
                    {{ ','.join(['a', 'b']) }} {{ 'abcb'.find('b') }} {{ 'abcb'.count('b') }} {{ 'ab'.endswith(('x', 'b')) }} → a,b 1 2 True
                    {{ d.items() }} {{ d.get('k') }} {{ d.get('x', 'y') }} {{ d.keys() }} → [['k', 'v'], ['items2', [1, 2, 3]]] v y ['k', 'items2']
                    {{ ' a ' | trim }}|{{ 'a' | upper }} {{ list | length }} {{ list | first }} {{ list | last }} {{ list | join('-') }} → a|A 3 3 2 3-1-2
                    {{ list | sort }} {{ list | sort(reverse=true) }} {{ list | sum }} {{ list | max }} {{ list | reverse | list }} → [1, 2, 3] [3, 2, 1] 6 3 [2, 1, 3]
                    {{ missing | default('d') }} {{ '' | default('e', true) }} {{ '7' | int + 1 }} {{ 'x' | int }} {{ n | string + '!' }} → d e 8 0 7!
                    {{ m | selectattr('role', 'equalto', 'user') | list | length }} {{ m | map(attribute='role') | join(',') }} → 1 user,assistant
                    {{ m | rejectattr('role', '==', 'user') | map(attribute='role') | list }} {{ list | select('odd') | list }} {{ list | map('string') | list }} → ['assistant'] [3, 1] ['3', '1', '2']
                    {{ 2.5 | round }} {{ 2.567 | round(1) }} {{ -3 | abs }} {{ 'a<b' | e }} {{ 'x\\ny' | indent(2) | replace('\\n', '/') }} → 2.0 2.6 3 a&lt;b x/  y
                    {{ 'a' is string }} {{ d is mapping }} {{ list is iterable }} {{ n is number }} {{ yes is boolean }} {{ nothing is none }} {{ n is divisibleby 7 }} {{ n is not odd }} → True True True True True True True False
                    {{ {'a': [1, 2.5, true, none], 'b': 'é<"'} | tojson }} → {"a": [1, 2.5, true, null], "b": "é<\\""}
                    {{ range(3) | list }} {{ range(5, 1, -2) | list }} {{ dict(a=1) }} → [0, 1, 2] [5, 3] {'a': 1}
                    {{ 'caf\\u00e9 \\x41 \\\\n' }} → café A \\n
                    {{ "%}" }} {{ '}}' }} {{ {'a': {'b': 1}}['a'] }} → %} }} {'b': 1}
                    """)
    void computesAsPythonDoes(String template, String expected) {
        assertThat(render(template)).isEqualTo(expected);
    }

    @Test
    void loopsKnowWhereTheyAre() {
        assertThat(
                        render(
                                "{% for x in list %}{{ loop.index }}/{{ loop.length }}{{ x }}{{ ',' if not loop.last }}{% endfor %}"))
                .isEqualTo("1/33,2/31,3/32");
        assertThat(
                        render(
                                "{% for x in list %}{{ loop.previtem }}<{{ x }}<{{ loop.nextitem }} {{ loop.cycle('a', 'b') }};{% endfor %}"))
                .isEqualTo("<3<1 a;3<1<2 b;1<2< a;");
        assertThat(render("{% for k, v in d.items() %}{{ k }}={{ v }} {% endfor %}"))
                .isEqualTo("k=v items2=[1, 2, 3] ");
        assertThat(render("{% for x in list if x > 1 %}{{ loop.index }}:{{ x }} {% endfor %}"))
                .isEqualTo("1:3 2:2 ");
        assertThat(render("{% for x in [] %}a{% else %}none{% endfor %}")).isEqualTo("none");
        assertThat(
                        render(
                                "{% for x in list %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% if x == 2 %}{% break %}{% endif %}{% endfor %}"))
                .isEqualTo("32");
    }

    @Test
    void assignmentsStayInTheirLoopUnlessMadeInANamespace() {
        assertThat(
                        render(
                                "{% set a = 1 %}{% set ns = namespace(b=1) %}{% for x in list %}{% set a = a + x %}{% set ns.b = ns.b + x %}{% endfor %}{{ a }} {{ ns.b }}"))
                .isEqualTo("1 7");
        assertThat(render("{% if yes %}{% set a = 5 %}{% endif %}{{ a }}")).isEqualTo("5");
        assertThat(render("{% set a, b = [1, 2] %}{{ b }}{{ a }}")).isEqualTo("21");
        assertThat(render("{% set a %}x{{ n }}{% endset %}[{{ a }}]")).isEqualTo("[x7]");
    }

    @Test
    void branchesAreTriedInOrder() {
        var template = "{% if n < 5 %}a{% elif n < 8 %}b{% else %}c{% endif %}";
        assertThat(render(template)).isEqualTo("b");
    }

    @Test
    void macrosHaveDefaultsNamesAndCallers() {
        assertThat(
                        render(
                                "{% macro f(x, y='d') %}[{{ x }}{{ y }}{{ n }}]{% endmacro %}{{ f('q') }}{{ f(y='z', x=1) }}"))
                .isEqualTo("[qd7][1z7]");
        assertThat(
                        render(
                                "{% macro box() %}<{{ caller() }}>{% endmacro %}{% call box() %}in{% endcall %}"))
                .isEqualTo("<in>");
        assertThat(render("{% filter upper | replace('A', 'b') %}abc{% endfilter %}"))
                .isEqualTo("bBC");
    }

    @Test
    void whitespaceIsTrimmedAsJinjaDoesWithBlocksTrimmed() {
        // The newline after a block is dropped, and so are the blanks before a block at the
        // beginning of a line.
        assertThat(render("a\n  {% if yes %}\n  b\n  {% endif %}\nc\n")).isEqualTo("a\n  b\nc");
        // Blanks before a block stay inside a line.
        assertThat(render("a {% if yes %} b{% endif %} c")).isEqualTo("a  b c");
        // Outputs keep both.
        assertThat(render("  {{ n }}\nx")).isEqualTo("  7\nx");
        assertThat(render("a {# note #}\n  {# note #}\nb")).isEqualTo("a b");
        assertThat(render("a \n {%- if yes -%} \n b \n {%- endif %}\n c")).isEqualTo("ab c");
        assertThat(render("a \n {{- n -}} \n b")).isEqualTo("a7b");
        assertThat(render("a\n  {%+ if yes +%}\nb{% endif %}")).isEqualTo("a\n  \nb");
        assertThat(render("{%- for x in list -%}{%- if loop.last -%}L{%- endif -%}{%- endfor -%}"))
                .isEqualTo("L");
        assertThat(render("x\r\n{% if yes %}\r\ny{% endif %}")).isEqualTo("x\ny");
        assertThat(render("a\n\n")).isEqualTo("a\n");
    }

    @Test
    void rawTextAndGenerationMarksPassThrough() {
        assertThat(render("{% raw %}{{ x }}{% if %}{% endraw %}!")).isEqualTo("{{ x }}{% if %}!");
        assertThat(render("a{% generation %}b{{ n }}{% endgeneration %}c")).isEqualTo("ab7c");
    }

    @Test
    void jsonIsIndentedAsPythonDoes() {
        assertThat(render("{{ d | tojson(indent=2) }}"))
                .isEqualTo(
                        """
                        {
                          "k": "v",
                          "items2": [
                            1,
                            2,
                            3
                          ]
                        }\
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            textBlock =
                    """
                    {% if yes %}a → line 1: the end of the template where '{% elif or else or endif %}' is expected
                    {% nope %} → line 1: unknown statement 'nope'
                    {{ 1 + }} → line 1: '}}' where a value is expected
                    {{ a b }} → line 1: 'b' where '}}' is expected
                    {{ 'abc }} → line 1: a string is not closed
                    {{ n → line 1: a tag is not closed
                    {# a → line 1: a comment is not closed
                    {{ ? }} → line 1: unexpected character '?'
                    {% include 'x' %} → line 1: 'include' would read another file, which templates may not
                    {% endif %} → line 1: unknown statement 'endif'
                    {{ 99999999999999999999 }} → line 1: the integer 99999999999999999999 is too large
                    {{ '\\uZZZZ' }} → a string has an escape that is no character
                    """)
    void malformedTemplatesAreRefused(String template, String message) {
        assertThatThrownBy(() -> Template.parse(template))
                .isInstanceOf(TemplateException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            textBlock =
                    """
                    {{ missing.x }} → line 1: 'missing' is undefined, so it has no 'x'
                    {{ missing() }} → line 1: 'missing', which is undefined, where a function is expected
                    {{ n | nope }} → line 1: unknown filter 'nope'
                    {{ n is nope }} → line 1: unknown test 'nope'
                    {{ 1 / 0 }} → line 1: 1 / 0 has no result: division by zero or more than 64 bits
                    {{ 9223372036854775807 + 1 }} → line 1: 9223372036854775807 + 1 has no result: division by zero or more than 64 bits
                    {{ 'a' + 1 }} → line 1: '+' cannot be applied to a string and an integer
                    {{ 'a' < 1 }} → line 1: a string and an integer have no order
                    {{ none | length }} → line 1: None where something with a length is expected
                    {% for x in n %}{% endfor %} → line 1: an integer where something to loop over is expected
                    {% set d.k = 1 %} → line 1: 'd' is no namespace, so 'd.k' cannot be set
                    {{ ''.getClass() }} → line 1: 'getClass', which is undefined, where a function is expected
                    {{ n.class.name }} → line 1: 'class' is undefined, so it has no 'name'
                    """)
    void failingTemplatesSayWhere(String template, String message) {
        assertThatThrownBy(() -> render(template))
                .isInstanceOf(TemplateException.class)
                .hasMessage(message);
    }

    @Test
    void linesAreCounted() {
        assertThatThrownBy(() -> render("a\n{# b\n #}\n{{ n\n}}\n{{ n | nope }}"))
                .hasMessage("line 6: unknown filter 'nope'");
        assertThatThrownBy(() -> Template.parse("a\n\n{% raw %}\n{% endraw %}\n{% nope %}"))
                .hasMessage("line 5: unknown statement 'nope'");
    }

    @Test
    void templatesCanRefuseTheirInput() {
        assertThatThrownBy(() -> render("{{ raise_exception('roles must alternate') }}"))
                .isInstanceOfSatisfying(
                        TemplateException.class, e -> assertThat(e.raised()).isTrue())
                .hasMessage("roles must alternate");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}",
                "{% for a in range(999999999) %}{% endfor %}",
                "{{ 'a' * 999999999 }}",
                "{{ 'aaaaaaaaaaaaaaaaaaaa' * 900000 }}",
                "{% set ns = namespace(x='ab') %}{% for a in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
                "{% set ns = namespace(x=[1]) %}{% for a in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
                "{% set ns = namespace(x='a') %}{% for a in range(60) %}{% set ns.x = ns.x.replace('a', 'aaaaaaaaaa') %}{% endfor %}",
                "{% for a in range(90000) %}{{ 'aaaaaaaaaaaaaaaaaaaa' * 1000 }}{% endfor %}",
                "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
                "{{ 2 ** 999999999999 }}",
                "{% set t = 'a' * 9000000 %}{% for a in range(90000) %}{% if 'b' in t %}{% endif %}{% endfor %}",
                "{% set t = 'a' * 9000000 %}{% for a in range(90000) %}{% if t.find('b') %}{% endif %}{% endfor %}",
                "{{ range(90000) | list | unique }}",
                "{{ list | tojson(indent=999999999) }}",
                "{% set ns = namespace(x=[]) %}{% for a in range(30000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}"
            })
    void hostileTemplatesAreStopped(String template) {
        assertThatThrownBy(() -> render(template)).isInstanceOf(TemplateException.class);
    }

    /// Without the budget, each of these ran for more than twenty seconds or allocated gigabytes.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% set t = 'a,' * 500000 %}{% for a in range(50) %}{% set x = t.split(',') %}{% endfor %}",
                "{% set t = 'a,' * 500000 %}{% for a in range(50) %}{% set x = t.rsplit(',') %}{% endfor %}",
                "{% set t = '\\n' * 9000000 %}{{ t.splitlines() }}",
                "{% set t = ' a' * 4000000 %}{{ t.split() }}",
                "{% set t = 'a' * 9000000 %}{{ t | list }}",
                "{% set t = 'a' * 9000000 %}{% for c in t %}{% endfor %}",
                "{% set t = ['b' * 1000] * 1000 %}{% for a in range(1000) %}{% set x = t | sort %}{% endfor %}",
                "{% set t = ['b' * 1000] * 1000 %}{% for a in range(1000) %}{% set x = t | max %}{% endfor %}",
                "{% set t = ['b' * 1000] * 1000 %}{% for a in range(1000) %}{% set x = t.count('b' * 1000) %}{% endfor %}",
                "{% set t = 'a' * 9000000 %}{% for a in range(1000) %}{% set x = t.strip('b') %}{% endfor %}",
                "{% set t = 'a' * 9000000 %}{% for a in range(1000) %}{% set x = t is upper %}{% endfor %}",
                "{% set t = 'a' * 9000000 %}{% for a in range(1000) %}{% set x = t.replace('b', 'c') %}{% endfor %}",
                "{% set t = '\\x01' * 9000000 %}{{ [t] }}",
                "{% set t = '\\x01' * 9000000 %}{{ t | tojson }}",
                "{% set t = [1e300] * 1000000 %}{% for a in range(90000) %}{% set x = t | string %}{% endfor %}",
                "{% for a in range(90000) %}{% for b in range(90000) %}{% set x = 'x' | int %}{% endfor %}{% endfor %}",
                "{% for a in range(90000) %}{% set x = range(90000) %}{% endfor %}",
                "{% set ns = namespace(x=[]) %}{% for a in range(90000) %}{% for b in range(90000) %}{% set ns.x = [ns.x, loop] %}{% endfor %}{% endfor %}",
                "{% set ns = namespace(x=[]) %}{% for a in range(5000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x | tojson(indent=100) }}",
                "{% set t = ['a'] * 900000 %}{{ t in {} }}",
                "{% set t = [''] * 900000 %}{% for a in range(90000) %}{% set x = t | join(',') %}{% endfor %}",
                "{% set t = '\\n' * 5000000 %}{{ t | indent(100, true, true) }}",
                "{% macro f() %}{{ 'a' * 1000000 }}{% endmacro %}{% for a in range(90000) %}{% set x = f() %}{% endfor %}"
            })
    void noOperationEscapesTheBudget(String template) {
        long before = allocated();
        assertThatThrownBy(() -> render(template)).isInstanceOf(TemplateException.class);
        assertThat(allocated() - before).isLessThan(400_000_000L);
    }

    /// Each of these has a result, which took minutes with a quadratic search.
    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            textBlock =
                    """
                    {% set t = 'a' * 1000000 %}{{ t.find('a' * 500000 + 'b') }} → -1
                    {% set t = 'a' * 1000000 %}{{ t.rfind('b' + 'a' * 500000) }} → -1
                    {% set t = 'a' * 1000000 %}{{ ('a' * 500000 + 'b') in t }} → False
                    {% set t = 'a' * 1000000 %}{{ t.count('a' * 500000 + 'b') }} → 0
                    {% set t = 'a' * 1000000 %}{{ t.replace('a' * 500000 + 'b', 'x') | length }} → 1000000
                    {% set t = 'a' * 1000000 %}{{ t.split('a' * 500000 + 'b') | length }} → 1
                    {% set t = 'a' * 1000000 %}{{ t.strip('b' * 1000000 + 'a') }}! → !
                    {% set t = 'a,' * 200000 %}{{ t.split(',') | length }} {{ t.rsplit(',') | length }} → 200001 200001
                    """)
    void searchesTakeLinearTime(String template, String expected) {
        assertThat(render(template)).isEqualTo(expected);
    }

    /// Keys with equal hashes, which a map without an order would compare pairwise.
    @Test
    void keysOfOneHashAreTold() {
        var template = new StringBuilder("{{ {");
        for (int key = 0; key < 1 << 14; key++) {
            var bits = new StringBuilder("0000" + Integer.toBinaryString(key | 1 << 14));
            template.append('\'')
                    .append(bits.toString().replace("0", "Aa").replace("1", "BB"))
                    .append("':1,");
        }
        assertThat(render(template.append("} | length }}").toString())).isEqualTo("16384");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            textBlock =
                    """
                    {{ 'a😀b'[1] }} {{ 'a😀b'[-2] }} {{ 'a😀b'[1:] }} {{ 'a😀b'[::-1] }} {{ 'a😀b'.find('b') }} {{ 'a😀b' | last }} → 😀 😀 😀b b😀a 2 b
                    {{ 'aXbXXc'.split('XX') }} {{ 'aXXX'.rsplit('XX') }} {{ 'aXXX'.split('XX') }} {{ 'a.b.c'.rsplit('.', 1) }} {{ 'a'.split('a') }} → ['aXb', 'c'] ['aX', ''] ['a', 'X'] ['a.b', 'c'] ['', '']
                    {{ 'abab'.rfind('ab') }} {{ 'aaa'.rfind('aa') }} {{ 'aaa'.count('aa') }} {{ 'ab'.count('') }} {{ ''.find('') }} → 2 1 1 3 0
                    {{ 'ab'.replace('', '-') }} {{ 'ab'.replace('', '-', 2) }} {{ 'aaa'.replace('aa', 'b') }} {{ 'abc'.replace('b', 'x', 0) }} → -a-b- -a-b ba abc
                    {{ 'a\\r\\nb\\n\\nc\\n'.splitlines() }} {{ '' | indent }}|{{ 'a\\n\\nb' | indent(1, true) | tojson }} → ['a', 'b', '', 'c'] |" a\\n\\n b"
                    {{ [1, [2]] == [1, [2]] }} {{ {'a': [1]} == {'a': [1.0]} }} {{ {'a': 1} == {'b': 1} }} {{ list is sameas list }} {{ [] is sameas [] }} → True True False True False
                    {{ [1e-7, 1e16, 1.5e300, 2.0] }} {{ ['\\x01'] }} {{ '\\x01' | tojson }} → [1e-07, 1e+16, 1.5e+300, 2.0] ['\\x01'] "\\u0001"
                    {{ list[1:100] }} {{ list[::-2] }} {{ list[5:1] }}{{ 'abc'[2:1] }} {{ 'abc'[-2:] }} → [1, 2] [2, 3] [] bc
                    """)
    void operationsThatAccountForThemselvesStillDoAsPythonDoes(String template, String expected) {
        assertThat(render(template)).isEqualTo(expected);
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }

    @Test
    void deepTemplatesAreRefused() {
        assertThatThrownBy(() ->
                        Template.parse("{{ " + "(".repeat(100_000) + ")".repeat(100_000) + " }}"))
                .hasMessage("line 1: nested more than 100 deep");
        assertThatThrownBy(() -> Template.parse("{% if yes %}".repeat(50_000)))
                .hasMessage("line 1: nested more than 100 deep");
        assertThatThrownBy(() -> render("{{ 1" + " + 1".repeat(200_000) + " }}"))
                .isInstanceOf(TemplateException.class);
    }

    @Test
    void randomDamageMeetsNoOtherException() {
        var original =
                "{% for m in m %}{% if (loop.index0 % 2 == 0) != (m['role'] == 'user') %}{{ raise_exception('x') }}{% endif %}"
                        + "{{- '<' + m['role'] ~ '>' + m.content | trim + list[1:]|tojson }}{% endfor %}{% set a = {'b': [1, 2.5]} %}";
        var random = new Random(31);
        for (int round = 0; round < DAMAGES; round++) {
            var damaged = new StringBuilder(original);
            for (int flip = 0; flip <= round % 4; flip++) {
                int at = random.nextInt(damaged.length());
                switch (random.nextInt(3)) {
                    case 0 -> damaged.deleteCharAt(at);
                    case 1 ->
                            damaged.insert(at, original.charAt(random.nextInt(original.length())));
                    default -> damaged.setCharAt(at, (char) (32 + random.nextInt(95)));
                }
            }
            try {
                assertThat(render(damaged.toString())).isNotNull();
            } catch (TemplateException e) {
                assertThat(e)
                        .as("replay with round %d of seed 31", round)
                        .hasMessageMatching("(?s).+");
            }
        }
    }

    private static String render(String template) {
        try {
            var variables = new HashMap<String, Value>();
            new ObjectMapper()
                    .readTree(VARIABLES)
                    .properties()
                    .forEach(entry -> variables.put(entry.getKey(), Values.of(entry.getValue())));
            return Template.parse(template).render(Map.copyOf(variables));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
