import { safe } from "@orpc/client";
import { afterEach, describe, expect, it } from "vitest";
import { type AppFixture, connectPort, openApp } from "./testing/app-fixture.ts";

const opened: AppFixture[] = [];
afterEach(async () => {
  for (const fixture of opened.splice(0)) await fixture.close();
});

async function open(): Promise<AppFixture> {
  const fixture = await openApp();
  opened.push(fixture);
  return fixture;
}

const byRules = { judge: "rules", model: null, preset: "general" } as const;

describe("verifying one response", () => {
  it("answers with claims whose spans are parts of the texts, and remembers it", async () => {
    const { app } = await open();
    const { client } = connectPort(app);
    const response = "2 + 2 = 5. The weather is nice.";
    const input = { prompt: "What is 2 + 2?", response, document: null, ...byRules };
    const verification = await client.verifications.verifyResponse(input);
    expect(verification).toMatchObject({ choice: byRules, document: null, result: { prompt: input.prompt, response } });
    for (const { span } of verification.result.claims) expect(response.slice(span.start, span.end)).toBe(span.text);

    const second = await client.verifications.verifyResponse({ ...input, response: "" });
    expect((await client.verifications.history()).map(({ id }) => id)).toEqual([second.id, verification.id]);
    expect(await client.verifications.fromHistory({ id: verification.id })).toEqual(verification);
    expect(await client.verifications.clearHistory()).toEqual({ removed: 2 });
    const gone = await safe(client.verifications.fromHistory({ id: verification.id }));
    expect(gone.error).toMatchObject({ code: "NOT_FOUND" });
  });

  it("is given up when the page no longer wants it, and leaves nothing in the history", async () => {
    const { app } = await open();
    const { client } = connectPort(app);
    const controller = new AbortController();
    const input = { prompt: "?", response: "One. ".repeat(20_000), document: null, ...byRules };
    const checking = client.verifications.verifyResponse(input, { signal: controller.signal });
    controller.abort();
    await expect(checking).rejects.toThrow();
    expect(await client.verifications.history()).toEqual([]);
  });
});
