import type { Element } from "hast";
import { ParseError, renderToString } from "katex";
import { SaxesParser } from "saxes";
import type { DrawFormula } from "./parse-markdown.ts";

/**
 * A formula as MathML, which each browser draws itself: neither fonts nor styles are loaded. Null for what KaTeX does not
 * know, such as a regular expression between `\(` and `\)`.
 */
export const drawFormula: DrawFormula = (tex, isBlock) => {
  try {
    return readElements(renderToString(tex, { output: "mathml", displayMode: isBlock, strict: "ignore" }));
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
};

/** KaTeX's own markup as a tree, without the source that it repeats. */
function readElements(markup: string): Element | null {
  const root: Element = { type: "element", tagName: "span", properties: {}, children: [] };
  const open = [root];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes: { xmlns: _, ...properties } }) => {
    const element: Element = { type: "element", tagName: name, properties, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed?.tagName === "annotation") open.at(-1)?.children.pop();
  });
  parser.on("text", (value) => open.at(-1)?.children.push({ type: "text", value }));
  parser.write(markup).close();
  return root;
}
