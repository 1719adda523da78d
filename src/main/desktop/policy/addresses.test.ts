import { describe, expect, it } from "vitest";
import { appOrigin, decideDestination, grantsPermission, isAppUrl, isTrustedSender } from "./addresses.ts";

const elsewhere = [
  "https://app/",
  "http://app/index.html",
  "sheaf://other/index.html",
  "sheaf://app.evil.example/",
  "sheaf://user@app/",
  "sheaf://app:8080/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/html,hello",
  "blob:sheaf://app/0c7a",
  "about:blank",
  "",
  "not an address",
];

describe("isAppUrl", () => {
  it("knows the app's own places", () => {
    for (const own of ["sheaf://app", "sheaf://app/", "sheaf://app/batches/batch_1?tab=errors#line-3"]) {
      expect(isAppUrl(own), own).toBe(true);
    }
  });

  it("says no to every other address, however alike", () => {
    for (const other of elsewhere) expect(isAppUrl(other), other).toBe(false);
  });
});

describe("decideDestination", () => {
  const linked = new Set(["https://docs.example/batches", "http://plain.example/"]);

  it("keeps the app's places in the app", () => {
    expect(decideDestination("sheaf://app/build")).toEqual({ kind: "app" });
  });

  it("hands the pages that the app links to over to the browser", () => {
    expect(decideDestination("https://docs.example/batches", linked)).toEqual({
      kind: "external",
      url: "https://docs.example/batches",
    });
  });

  it("refuses everything else, also a linked page in another dress", () => {
    const dressedUp = [
      "http://docs.example/batches",
      "http://plain.example/",
      "https://docs.example/",
      "https://docs.example/batches?key=sk-1",
      "https://docs.example/batches#sk-1",
      "https://docs.example:8443/batches",
      "https://user:word@docs.example/batches",
      "https://docs.example.evil.example/batches",
      "https://evil.example/?https://docs.example/batches",
    ];
    for (const address of [...elsewhere, ...dressedUp]) {
      expect(decideDestination(address, linked), address).toEqual({ kind: "refused" });
    }
  });
});

describe("isTrustedSender", () => {
  const frame = { origin: appOrigin, isMain: true };

  it("trusts the main frame of the app's window on the app's page, and nobody else", () => {
    expect(isTrustedSender({ ownWindow: true, frame })).toBe(true);
    expect(isTrustedSender({ ownWindow: false, frame })).toBe(false);
    expect(isTrustedSender({ ownWindow: true, frame: null })).toBe(false);
    expect(isTrustedSender({ ownWindow: true, frame: { ...frame, isMain: false } })).toBe(false);
    for (const origin of ["null", "https://app", "sheaf://app.evil.example", "file://"]) {
      expect(isTrustedSender({ ownWindow: true, frame: { ...frame, origin } }), origin).toBe(false);
    }
  });
});

describe("grantsPermission", () => {
  it("lets the app's page copy text", () => {
    expect(grantsPermission("clipboard-sanitized-write", "sheaf://app/")).toBe(true);
    expect(grantsPermission("clipboard-sanitized-write", "https://evil.example/")).toBe(false);
  });

  it("grants nothing else to anybody", () => {
    for (const permission of ["media", "geolocation", "clipboard-read", "openExternal", "fileSystem"] as const) {
      expect(grantsPermission(permission, "sheaf://app/"), permission).toBe(false);
    }
  });
});
