import { expect, it } from "vitest";
import { takePage } from "./take-page.ts";

it("gives each entry once, whatever is deleted or added between pages, also of one time", () => {
  for (const times of [
    [3, 2, 1],
    [1, 1, 1, 1, 1],
    [4, 4, 4, 2, 2, 1],
  ]) {
    for (const size of [1, 2, 4]) {
      let list = times.map((time, id) => ({ time, id }));
      const seen: number[] = [];
      let token: string | null = "";
      while (token !== null) {
        const page: ReturnType<typeof takePage<(typeof list)[number]>> = takePage(
          list,
          { size, token, param: "page" },
          ({ time }) => time,
        );
        seen.push(...page.items.map(({ id }) => id));
        token = page.next;
        list = [{ time: 5, id: -1 }, ...list.filter((entry) => !page.items.includes(entry))];
      }
      expect(seen).toEqual(times.map((_, id) => id));
    }
  }
});
