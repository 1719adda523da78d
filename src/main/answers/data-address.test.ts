import { expect, it } from "vitest";
import { readBase64, readDataAddress } from "./data-address.ts";

it.each([
  ["data:image/png;base64,AAAA", "image/png", "AAAA"],
  [" data:image/png ;base64, AA\nAA\n", "image/png", "AAAA"],
  ["DATA:Image/PNG;Base64,AAAA", "image/png", "AAAA"],
  ["data:text/plain;charset=utf-8;base64,AAAA", "text/plain", "AAAA"],
  ["data:image/svg+xml; base64 ,AAAA", "image/svg+xml", "AAAA"],
])("%j is Base64 with a type", (address, mimeType, data) => {
  expect(readBase64(address)).toEqual({ mimeType, data });
});

it("data without a type, without Base64 or without bytes, and addresses elsewhere, are none", () => {
  for (const address of [
    "data:;base64,AAAA",
    "data:image/svg+xml,<svg/>",
    "data:image/png;base64,",
    "https://a.test/,",
  ])
    expect(readBase64(address)).toBeNull();
  expect(readDataAddress("data:,x")).toEqual({ type: null, isBase64: false, start: 6 });
  expect(readDataAddress("/home/data:image/png;base64,AAAA")).toBeNull();
});
