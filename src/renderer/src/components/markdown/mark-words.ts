import type { Element, ElementContent, Root, RootContent } from "hast";

/** A part of a text, by its places. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The tree with the words marked that stand in the given parts of its text, from the first part to the last. */
export function markWords(tree: Root, ranges: readonly TextRange[]): Root {
  const mark = (nodes: readonly RootContent[]): ElementContent[] =>
    nodes.flatMap((node): ElementContent[] => {
      if (node.type === "element") return [{ ...node, children: mark(node.children) }];
      const start = node.position?.start.offset;
      if (node.type !== "text" || start === undefined) return node.type === "text" ? [node] : [];
      const end = start + node.value.length;
      const pieces: ElementContent[] = [];
      let at = start;
      const put = (to: number, isMarked: boolean) => {
        if (to <= at) return;
        const text = { type: "text", value: node.value.slice(at - start, to - start) } as const;
        const ins: Element = { type: "element", tagName: "ins", properties: {}, children: [text] };
        pieces.push(isMarked ? ins : text);
        at = to;
      };
      for (const { from, to } of ranges) {
        if (to <= start || from >= end) continue;
        put(Math.max(from, start), false);
        put(Math.min(to, end), true);
      }
      put(end, false);
      return pieces;
    });
  return { ...tree, children: mark(tree.children) };
}
