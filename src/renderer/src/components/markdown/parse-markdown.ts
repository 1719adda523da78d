import type { Element, ElementContent, Root as HastRoot, RootContent } from "hast";
import type { ListItem, Nodes, Root, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmAutolinkLiteralFromMarkdown } from "mdast-util-gfm-autolink-literal";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { defaultHandlers, type Handlers, type State, toHast } from "mdast-util-to-hast";
import { gfmAutolinkLiteral } from "micromark-extension-gfm-autolink-literal";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { faithfulSyntax, faithfulToMdast } from "./faithful-syntax.ts";
import { type Formula, formulaSyntax, formulaToMdast } from "./formula-syntax.ts";

/** An answer is drawn so that it means what was written; a page of the guide as its writer knows Markdown. */
export type MarkdownKind = "answer" | "page";

/** Why a text is not drawn. */
export type PlainReason = "deep" | "large" | "long" | "slow" | "unreadable";

/** A tree to draw, or why there is none. */
export type ParsedMarkdown = { readonly tree: HastRoot } | { readonly plain: PlainReason };

/** What is drawn at most: a page with more of either does not answer. */
const mostLevels = 100;
const mostNodes = 20_000;
/** Longer texts are not even read: the parser takes minutes for a megabyte. */
const mostCharacters = 200_000;
/** A line that opens more blocks than may be within one another: parsing it takes seconds. */
const deepLine = /^(?:[ \t]*(?:[-+*][ \t]|>|\d{1,9}[.)][ \t])){101}/m;

/** Draws one formula, given without its marks; null where it is no formula after all. */
export type DrawFormula = (tex: string, isBlock: boolean) => ElementContent | null;

/** Reads a text as Markdown. `loadFormulas` is asked only when the text has formulas. Rejects nothing. */
export async function parseMarkdown(
  text: string,
  kind: MarkdownKind,
  loadFormulas: () => Promise<DrawFormula>,
): Promise<ParsedMarkdown> {
  if (text.length > mostCharacters) return { plain: "long" };
  if (deepLine.test(text)) return { plain: "deep" };
  try {
    const read = readMarkdown(text, kind);
    const plain = findExcess(read);
    if (plain !== null) return { plain };
    if (kind === "answer") keepBreaks(read);
    const drawFormula = hasFormula(read) ? await loadFormulas() : () => null;
    const tree = toHast(read, { handlers: kind === "answer" ? listHandlers(text, drawFormula) : {} }) as HastRoot;
    const excess = findExcess(tree);
    if (excess !== null) return { plain: excess };
    arrange(tree);
    return { tree };
  } catch (error) {
    // What is nested so deep that a function calls itself too often.
    return { plain: error instanceof RangeError ? "deep" : "unreadable" };
  }
}

function readMarkdown(text: string, kind: MarkdownKind): Root {
  const isAnswer = kind === "answer";
  return fromMarkdown(text, {
    extensions: [
      gfmAutolinkLiteral(),
      gfmStrikethrough({ singleTilde: false }),
      gfmTable(),
      gfmTaskListItem(),
      ...(isAnswer ? [faithfulSyntax, formulaSyntax] : []),
    ],
    mdastExtensions: [
      gfmAutolinkLiteralFromMarkdown(),
      gfmStrikethroughFromMarkdown(),
      gfmTableFromMarkdown(),
      gfmTaskListItemFromMarkdown(),
      ...(isAnswer ? [faithfulToMdast, formulaToMdast] : []),
    ],
  });
}

interface TreeNode {
  readonly type: string;
  readonly children?: readonly TreeNode[];
}

function findExcess(root: TreeNode): "deep" | "large" | null {
  let nodes = 0;
  const waiting = [{ node: root, level: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, level } = next;
    nodes += 1;
    if (level > mostLevels) return "deep";
    if (nodes > mostNodes) return "large";
    for (const child of node.children ?? []) waiting.push({ node: child, level: level + 1 });
  }
  return null;
}

/** Replaces hard breaks with plain line ends: the renderer drops the spaces after a hard break. */
function keepBreaks(node: Nodes): void {
  if (!("children" in node)) return;
  for (const [at, child] of node.children.entries()) {
    if (child.type === "break") node.children[at] = { type: "text", value: "\n", position: child.position };
    else keepBreaks(child);
  }
}

function hasFormula(root: TreeNode): boolean {
  return root.type === "formula" || (root.children ?? []).some(hasFormula);
}

/** How the parts of an answer are drawn that Markdown draws otherwise than they were written. */
function listHandlers(source: string, drawFormula: DrawFormula): Handlers {
  const sourceOf = ({ position }: Nodes) => source.slice(position?.start.offset, position?.end.offset);
  const paragraph = (value: string): Element => ({
    type: "element",
    tagName: "p",
    properties: {},
    children: [{ type: "text", value }],
  });
  return {
    // Spaces around the end of a line stay.
    text: (_: State, node: Extract<Nodes, { type: "text" }>) => ({
      type: "text",
      value: node.value,
      // Only what stands in the answer letter by letter has its place there.
      ...(sourceOf(node) === node.value ? { position: node.position } : { data: {} }),
    }),
    html: (_: State, node: Extract<Nodes, { type: "html" }>, parent: Nodes | undefined) =>
      /^(?:root|blockquote|listItem)$/.test(parent?.type ?? "root")
        ? paragraph(node.value)
        : { type: "text", value: node.value },
    image: (_: State, node: Nodes) => ({ type: "text", value: sourceOf(node) }),
    link(state: State, node: Extract<Nodes, { type: "link" }>) {
      if (!/^(?:https?|mailto):/i.test(node.url)) return { type: "text", value: sourceOf(node) };
      return {
        type: "element",
        tagName: "a",
        properties: { href: node.url, title: node.url },
        children: state.all(node),
      };
    },
    table(state: State, node: Table) {
      // A row that is longer than the first one loses its last cells otherwise.
      const width = Math.max(...node.children.map(({ children }) => children.length));
      const align = [...(node.align ?? []), ...Array<null>(width).fill(null)].slice(0, width);
      const table = defaultHandlers.table(state, { ...node, align });
      return { type: "element", tagName: "div", properties: { className: ["table"] }, children: [table] };
    },
    formula(_: State, node: Formula & Nodes) {
      const written = node.value;
      const tex = written.replace(/^(?:\\[([]|\$\$?)([\s\S]*?)(?:\\[)\]]|\$\$?)\s*$/, "$1").trim();
      const isBlock = /^(?:\\\[|\$\$)/.test(written);
      const drawn = tex === written ? null : drawFormula(tex, isBlock);
      if (drawn === null) return node.isBlock ? paragraph(written) : { type: "text", value: written };
      const formula: Element = {
        type: "element",
        tagName: "span",
        properties: { className: ["formula"], title: written, dataBlock: isBlock || undefined },
        children: [drawn],
      };
      return node.isBlock ? { ...paragraph(""), children: [formula] } : formula;
    },
    listItem(state: State, node: ListItem, parent: Nodes | undefined) {
      const item = defaultHandlers.listItem(state, node, parent as never);
      // Numbers and marks are those that were written.
      const [marker = ""] = /^(?:[-+*]|\d+[.)])/.exec(sourceOf(node)) ?? [];
      return { ...item, properties: { ...item.properties, dataMarker: marker === "*" ? "•" : marker } };
    },
  };
}

const blockTags = new Set(["ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tr", "div"]);
const directed = new Set(["p", "ul", "ol", "li", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "th", "td"]);

/** Takes out the line ends between blocks, and the places that nobody asks for; each block has its own direction. */
function arrange(root: HastRoot): void {
  const waiting: (HastRoot | Element)[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "element" && directed.has(node.tagName)) node.properties.dir ??= "auto";
    delete node.position;
    const isBlock = node.type === "root" || blockTags.has(node.tagName);
    const children: RootContent[] = node.children;
    node.children = children.filter(
      (child) => !(isBlock && child.type === "text" && child.value === "\n" && !child.position && !child.data),
    ) as ElementContent[];
    for (const child of node.children) if (child.type === "element") waiting.push(child);
  }
}
