import type { ElementContent, RootContent } from "hast";
import { expect, test } from "vitest";
import { drawFormula } from "./draw-formula.ts";
import { type MarkdownKind, parseMarkdown } from "./parse-markdown.ts";

const read = (text: string, kind: MarkdownKind = "answer") => parseMarkdown(text, kind, async () => drawFormula);

/** The tree as HTML without attributes, blocks after one another. */
async function draw(text: string): Promise<string> {
  const parsed = await read(text);
  if ("plain" in parsed) return parsed.plain;
  const write = (node: RootContent | ElementContent): string => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return "";
    if (node.properties.className?.toString() === "formula") return `[formula ${node.properties.title}]`;
    const inside = node.children.map(write).join("");
    return /^(?:span|div)$/.test(node.tagName) ? inside : `<${node.tagName}>${inside}</${node.tagName}>`;
  };
  return parsed.tree.children.map(write).join("");
}

const kept: readonly string[] = [
  "20~25 °C, then 30~35 °C",
  "3*4*5 = 60",
  "a*b*c and 2**3**4, f(x)*g(y)*h(z) and (a)*(b)*(c)",
  "\\d+\\.\\d{2}\\* or \\*\\*",
  "1 Main Street\nSpringfield\n  Poem with  two spaces",
  "[//]: # (x)",
  "[1]: http:/",
  "def __init__(self, *args, **kwargs): snake_case_name",
  "&lt;b&gt; &copy=1 &amp;amp;",
  "<b>bold</b> <!-- hidden -->",
  "![a chart](data:image/png;base64,AAAA)",
  "[here](javascript:alert(1)) and [there](relative/path)",
  "It costs $5 and $10, US$5-$7, $HOME/$USER or 10$.",
  "the price is $5 (or A$7) + $3",
  "Total\n-----x",
  "\\(never closed, \\[nor this",
  "line \\\nnext",
  "text [^1]\n[^1]: a footnote",
  "\\(\\d+\\) is a pattern",
];

test.each(kept)("%j is drawn as it was written", async (text) => {
  expect(await draw(text)).toBe(`<p>${text}</p>`);
});

test.each([
  ["**bold** and *it*, 这是**重要**的", "<p><strong>bold</strong> and <em>it</em>, 这是<strong>重要</strong>的</p>"],
  ["~~gone~~", "<p><del>gone</del></p>"],
  ["\\*not it\\*", "<p>\\*not it\\*</p>"],
  ["\\(x_1 * y_2 * z\\) is", "<p>[formula \\(x_1 * y_2 * z\\)] is</p>"],
  ["$E = mc^2$ and $x$", "<p>[formula $E = mc^2$] and [formula $x$]</p>"],
  ["\\[\na\n- b\n= c\n\\]\nand", "<p>[formula \\[\na\n- b\n= c\n\\]]</p><p>and</p>"],
  ["$$\n\\frac{1}{2}\n$$", "<p>[formula $$\n\\frac{1}{2}\n$$]</p>"],
  ["`\\(x\\)` $a", "<p><code>\\(x\\)</code> $a</p>"],
  ["`a`\n```\n$x^2$ *b*\n```", "<p><code>a</code></p><pre><code>$x^2$ *b*\n</code></pre>"],
  ["\\[\nx\n\n# cut", "<p>\\[\nx\n\n# cut</p>"],
  ["a  \n  b", "<p>a\n  b</p>"],
  ["> a\n> b", "<blockquote><p>a\nb</p></blockquote>"],
  ["- a\n  b\n\n  c", "<ul><li><p>a\nb</p><p>c</p></li></ul>"],
  [
    "a|b\n-|-\n1|2|3|4",
    "<table><thead><tr><th>a</th><th>b</th><th></th><th></th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td><td>4</td></tr></tbody></table>",
  ],
])("%j is drawn", async (text, html) => {
  expect(await draw(text)).toBe(html);
});

test("numbers and marks of lists are those that were written", async () => {
  const parsed = await read("3. three\n7. seven\n\n+ plus\n\n- 5 °C");
  const markers = JSON.stringify(parsed).match(/(?<="dataMarker":")[^"]+/g);
  expect(markers).toEqual(["3.", "7.", "+", "-"]);
});

test("an answer that is nested too deep or has too many parts is not drawn", async () => {
  expect(await draw(`${"- ".repeat(150)}word`)).toBe("deep");
  expect(await draw(`${"> ".repeat(150)}word`)).toBe("deep");
  expect(await draw("a\n\n".repeat(10_001))).toBe("large");
  expect(await draw(`\\(${"{".repeat(1_500)}x${"}".repeat(1_500)}\\)`)).toMatch(/deep|<p>/);
  expect(await draw("a".repeat(200_001))).toBe("long");
  expect(await draw(`${"- ".repeat(40)}word`)).toMatch(/^<ul>/);
  expect(await draw("[a](".repeat(100))).toBe(`<p>${"[a](".repeat(100)}</p>`);
});

test("a page of the guide is read as its writer knows Markdown", async () => {
  const parsed = await read("a &amp; \\* [b][1]\n\n[1]: https://sheaf.example", "page");
  expect(JSON.stringify(parsed)).toContain("a & * ");
  expect(JSON.stringify(parsed)).toContain('"href":"https://sheaf.example"');
});
