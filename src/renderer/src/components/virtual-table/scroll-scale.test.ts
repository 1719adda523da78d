import fc from "fast-check";
import { expect, test } from "vitest";
import { createScrollScale, followScroll, offsetToShow, rowsInView, tallestElement } from "./scroll-scale.ts";

const rowHeight = 34;
const viewport = 600;
const million = createScrollScale(1_000_000 * rowHeight, viewport);

test("a table that fits into one element scrolls as it is", () => {
  const scale = createScrollScale(1_319 * rowHeight, viewport);
  expect(scale.scaled).toBe(false);
  expect(scale.elementHeight).toBe(1_319 * rowHeight);
  expect(followScroll(scale, { scrollTop: 0, offset: 0 }, 4_711, viewport).offset).toBe(4_711);
});

test("a table of a million rows is drawn in an element that browsers can draw", () => {
  expect(million.scaled).toBe(true);
  expect(million.elementHeight).toBe(tallestElement);
});

test("both ends of the scroll bar are both ends of the content", () => {
  expect(million.toOffset(0)).toBe(0);
  expect(million.toOffset(tallestElement - viewport)).toBeCloseTo(1_000_000 * rowHeight - viewport);
});

test("the scroll bar and the content find each other again, for any size", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (rows, share) => {
      const scale = createScrollScale(rows * rowHeight, viewport);
      const offset = share * Math.max(0, rows * rowHeight - viewport);
      expect(scale.toOffset(scale.toScrollTop(offset))).toBeCloseTo(offset, 2);
    }),
  );
});

test("the wheel moves the content by as much as it turns", () => {
  const before = { scrollTop: 1_000_000, offset: million.toOffset(1_000_000) };
  expect(followScroll(million, before, 1_000_120, viewport).offset).toBe(before.offset + 120);
  expect(followScroll(million, before, 999_900, viewport).offset).toBe(before.offset - 100);
});

test("a drag of the thumb goes to that part of the whole", () => {
  const before = { scrollTop: 0, offset: 0 };
  const half = (tallestElement - viewport) / 2;
  expect(followScroll(million, before, half, viewport).offset).toBeCloseTo((1_000_000 * rowHeight - viewport) / 2);
});

test("no small move leads out of the content", () => {
  expect(followScroll(million, { scrollTop: 500, offset: 40 }, 300, viewport).offset).toBe(0);
});

test("a row is brought into view with the least movement", () => {
  expect(offsetToShow({ start: 0, end: 34 }, 100, 600)).toBe(0);
  expect(offsetToShow({ start: 690, end: 724 }, 100, 600)).toBe(124);
  expect(offsetToShow({ start: 340, end: 374 }, 100, 600)).toBe(100);
});

test("the rows in view and some to spare are drawn, and none that do not exist", () => {
  expect(rowsInView(3_400, 340, 34, 1_000, 5)).toEqual({ first: 95, last: 115 });
  expect(rowsInView(0, 340, 34, 4, 5)).toEqual({ first: 0, last: 3 });
  expect(rowsInView(0, 340, 34, 0, 5)).toEqual({ first: 0, last: -1 });
});
