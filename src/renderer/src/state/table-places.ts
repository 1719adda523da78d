/** Where the reader of a table was: how far it is scrolled, in CSS pixels, and the line that was open last. */
export interface TablePlace {
  readonly top: number;
  readonly left: number;
  readonly line: number | null;
}

const mostPlaces = 100;
const places = new Map<string, TablePlace>();
const start: TablePlace = { top: 0, left: 0, line: null };

/** The place that was noted last of these rows; undefined for rows that were not on screen since the page was loaded. */
export function placeOf(rows: string): TablePlace | undefined {
  return places.get(rows);
}

/** Notes where the reader of these rows is, for when they come back to them. */
export function notePlace(rows: string, place: Partial<TablePlace>): void {
  const next = { ...start, ...places.get(rows), ...place };
  places.delete(rows);
  places.set(rows, next);
  const [oldest] = places.keys();
  if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest);
}
