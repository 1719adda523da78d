/** Rows in the order of a value; those without one come last, and rows with the same keep their order. */
export function sortFigures<Row>(
  rows: readonly Row[],
  readValue: (row: Row) => number | string | null,
  order: "asc" | "desc",
): Row[] {
  const direction = order === "asc" ? 1 : -1;
  return rows.toSorted((first, second) => {
    const [one, other] = [readValue(first), readValue(second)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    if (typeof one === "number" && typeof other === "number") return direction * (one - other);
    return direction * String(one).localeCompare(String(other));
  });
}
