import { type RefObject, useEffect, useRef, useState } from "react";
import { type Hit, listHits, scrollToRange } from "./find-hits.ts";

export interface Find {
  readonly count: number;
  /** Of the hit that is in view, from 1; 0 for none. */
  readonly place: number;
  /** Goes so many hits on, round at the end. */
  readonly step: (by: number) => void;
}

/**
 * Marks a text wherever `root` has it in its parts with `data-find`, and scrolls to its first place. `of` is what is shown: with
 * another, it starts over. What is drawn later (Markdown, lines that come into view) is marked, too.
 */
export function useFind(root: RefObject<HTMLElement | null>, find: string | undefined, of: string): Find {
  const key = `${find ?? ""}\n${of}`;
  const [found, setFound] = useState({ key, count: 0, at: 0 });
  const hits = useRef<readonly Hit[]>([]);
  const goTo = useRef<(at: number) => void>(() => {});

  useEffect(() => {
    const element = root.current;
    if (element === null || find === undefined) return;
    const body = element;
    let at = 0;
    // Until the user scrolls or steps, what is drawn late doesn't move the first hit out of view.
    let follows = true;
    let pending = 0;

    const draw = () => {
      pending = 0;
      hits.current = listHits(body, find);
      markAll(hits.current);
      choose(Math.min(at, Math.max(0, hits.current.length - 1)));
    };
    // The other marks stay: thousands of them take seconds to set.
    const choose = (wanted: number) => {
      at = wanted;
      markCurrent(hits.current[at]);
      setFound((before) => {
        const count = hits.current.length;
        return before.key === key && before.count === count && before.at === at ? before : { key, count, at };
      });
      if (follows) scroll();
    };
    const scroll = () => {
      const hit = hits.current[at];
      if (hit?.range) scrollToRange(hit.range, body);
      else hit?.show();
    };
    const schedule = () => {
      pending ||= requestAnimationFrame(draw);
    };
    const leave = () => {
      follows = false;
    };
    goTo.current = (wanted) => {
      follows = true;
      choose(wanted);
    };
    const observer = new MutationObserver(schedule);
    observer.observe(body, { childList: true, subtree: true, characterData: true });
    const ways = ["wheel", "touchmove", "pointerdown", "keydown"] as const;
    for (const way of ways) body.addEventListener(way, leave, { passive: true });
    draw();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(pending);
      for (const way of ways) body.removeEventListener(way, leave);
      goTo.current = () => {};
      markAll([]);
      markCurrent(undefined);
    };
  }, [root, find, key]);

  const { count, at } = found.key === key ? found : { count: 0, at: 0 };
  return {
    count,
    place: count === 0 ? 0 : at + 1,
    step(by) {
      const { length } = hits.current;
      if (length > 0) goTo.current((at + by + length) % length);
    },
  };
}

/** Marks without a change of the document: what React has drawn stays as it is. */
function markAll(hits: readonly Hit[]): void {
  CSS.highlights.set("find", new Highlight(...hits.flatMap(({ range }) => range ?? [])));
}

/** Over its mark as one of all. */
function markCurrent(hit: Hit | undefined): void {
  const current = new Highlight(...(hit?.range ? [hit.range] : []));
  current.priority = 1;
  CSS.highlights.set("find-current", current);
}
