import { expect, test } from "vitest";
import { filterOptions } from "./filter-options.ts";

test("lists find names however their letters with marks were written, in groups too, up to the limit", () => {
  const item = (label: string) => ({ value: label, label, disabled: false });
  const options = [
    { group: "Table", items: ["Gro\u0308ße", "Größe 2", "city"].map(item) },
    item("GRÖSSE"),
    item("größer"),
  ];
  const found = (search: string, limit = 100) =>
    filterOptions({ options, search, limit }).map((one) =>
      "items" in one ? one.items.map(({ label }) => label) : one.label,
    );
  expect(found(" grö")).toEqual([["Gro\u0308ße", "Größe 2"], "GRÖSSE", "größer"]);
  expect(found("gro\u0308", 3)).toEqual([["Gro\u0308ße", "Größe 2"], "GRÖSSE"]);
  expect(found("none")).toEqual([[]]);
});
