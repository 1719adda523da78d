import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultSettingsSchema } from "#contract";
import { createFaults, drawFault, noFaults } from "./faults.ts";

const statuses = [500, 503];

function countFaults(rates: Partial<Record<string, number>>, requests = 4_000): Record<string, number> {
  const settings = faultSettingsSchema.parse({ statuses, ...rates });
  const counts: Record<string, number> = {};
  for (let request = 0; request < requests; request++) {
    const type = drawFault(settings, 7, `request ${request}`)?.type ?? "none";
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

describe("the fault of a request", () => {
  test("is each fault as often as its rate says, and never two at once", () => {
    const counts = countFaults({ failure_rate: 0.05, rate_limit_rate: 0.1, drop_rate: 0.2, malformed_rate: 0.3 });
    for (const [type, share] of [
      ["failure", 0.05],
      ["rate_limit", 0.1],
      ["drop", 0.2],
      ["malformed", 0.3],
      ["none", 0.35],
    ] as const) {
      expect(Math.abs((counts[type] ?? 0) / 4_000 - share), type).toBeLessThan(0.02);
    }
  });

  test.each(["failure_rate", "rate_limit_rate", "drop_rate", "malformed_rate"])("is certain at %s 1", (field) => {
    expect(Object.values(countFaults({ [field]: 1 }, 200))).toEqual([200]);
  });

  test("follows from the seed and the request alone", () => {
    fc.assert(
      fc.property(fc.nat(), fc.string(), (seed, about) => {
        const settings = faultSettingsSchema.parse({ failure_rate: 0.5, statuses });
        expect(drawFault(settings, seed, about)).toEqual(drawFault(settings, seed, about));
      }),
    );
  });

  test("is a failure with each of the chosen statuses about as often", () => {
    const settings = faultSettingsSchema.parse({ failure_rate: 1, statuses: [500, 502, 503] });
    const drawn = Array.from({ length: 3_000 }, (_, at) => drawFault(settings, 1, String(at)));
    for (const status of [500, 502, 503]) {
      const count = drawn.filter((fault) => fault?.type === "failure" && fault.status === status).length;
      expect(Math.abs(count - 1_000)).toBeLessThan(120);
    }
  });
});

describe("the faults of a service", () => {
  test("are all off at first, after they were cleared, and where a field is absent", () => {
    const faults = createFaults(1);
    expect(faults.settings).toEqual(noFaults);
    expect(faults.actOn("lines")).toBe(false);
    faults.set(faultSettingsSchema.parse({ failure_rate: 1, latency_ms: 5 }));
    expect(faults.settings).toMatchObject({ failure_rate: 1, latency_ms: 5, drop_rate: 0, expire_after: null });
    expect([faults.actOn("lines"), faults.actOn("chat"), faults.actOn("files")]).toEqual([true, true, false]);
    faults.clear();
    expect(faults.settings).toEqual(noFaults);
  });

  test("meet the same requests again when they are set again, and others with another seed", () => {
    const settings = faultSettingsSchema.parse({ failure_rate: 0.5 });
    const faults = createFaults(1, settings);
    const draw = () => Array.from({ length: 30 }, () => faults.faultOfNext("chat")?.type ?? null);
    const first = draw();
    faults.set(settings);
    expect(draw()).toEqual(first);
    faults.set({ ...settings, seed: 2 });
    expect(draw()).not.toEqual(first);
  });

  test("meet the same chat calls however many other requests come between", () => {
    const settings = faultSettingsSchema.parse({ failure_rate: 0.5, upload_failure_rate: 0.5 });
    const alone = createFaults(1, settings);
    const mixed = createFaults(1, settings);
    for (let call = 0; call < 30; call++) {
      mixed.refuseUpload();
      mixed.faultOfNext("files");
      expect(mixed.faultOfNext("chat")).toEqual(alone.faultOfNext("chat"));
    }
  });

  test("hold a status until it is let go, or whoever waits gives up", async () => {
    const faults = createFaults(1, faultSettingsSchema.parse({ stuck_in: ["validating"] }));
    await faults.released("cancelling", new AbortController().signal);
    const stop = new AbortController();
    const gaveUp = faults.released("validating", stop.signal);
    const held = faults.released("validating", new AbortController().signal);
    stop.abort(new Error("enough"));
    await expect(gaveUp).rejects.toThrow("enough");
    faults.set(faultSettingsSchema.parse({ stuck_in: ["cancelling"] }));
    await held;
  });
});

test.each([
  [{ failure_rate: 1.1 }, "failure_rate"],
  [{ failure_rate: "5%" }, "failure_rate"],
  [{ statuses: [200] }, "statuses.0"],
  [{ statuses: [] }, "statuses"],
  [{ stuck_in: ["finalizing"] }, "stuck_in.0"],
  [{ failure_rate: 0.6, drop_rate: 0.6 }, ""],
  [{ failure_rte: 0.6 }, ""],
])("%j is not taken for settings", (settings, path) => {
  const { error } = faultSettingsSchema.safeParse(settings);
  expect(error?.issues[0]?.path.join(".")).toBe(path);
});
