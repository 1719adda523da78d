import fc from "fast-check";
import { expect, test } from "vitest";
import { fromAnthropic } from "../../requests/outgoing/translate-anthropic.ts";
import { fromGemini } from "../../requests/outgoing/translate-gemini.ts";
import { toFacts } from "../../results/join-line.ts";
import { createCostSum } from "../../results/line-costs.ts";
import { createLineIndex } from "../../results/line-index.ts";
import { createRecordPrice } from "../../results/record-price.ts";
import { findPrices } from "./model-price.ts";
import table from "./testing/vendor-prices.json" with { type: "json" };

interface Usage {
  readonly prompt: number;
  /** Of the prompt. */
  readonly cached: number;
  readonly written: number;
  readonly writtenForAnHour: number;
  readonly answer: number;
  /** Of the answer. */
  readonly thought: number;
}

interface ModelRow {
  readonly model: string;
  readonly above?: number;
  readonly input: readonly string[];
  readonly cached: readonly string[];
  readonly write?: readonly string[];
  readonly write1h?: readonly string[];
  readonly output: readonly string[];
}

type Vendor = Omit<(typeof table.vendors)[number], "models"> & { readonly models: readonly ModelRow[] };

const rows = (table.vendors as readonly Vendor[]).flatMap((vendor) => vendor.models.map((row) => ({ vendor, row })));

/** A decimal as a whole number of millionths. */
function millionths(text: string): bigint {
  const [whole = "", part = ""] = text.split(".");
  return BigInt(whole + part.padEnd(6, "0"));
}

/** What the vendor's page says that it costs: dollars, worked out in whole numbers. */
function workOut({ vendor, row }: (typeof rows)[number], usage: Usage, isDirect: boolean): number {
  const rate = (prices: readonly string[] = ["0"]) =>
    millionths((row.above !== undefined && usage.prompt > row.above ? prices[1] : prices[0]) ?? "0");
  const fresh = usage.prompt - usage.cached - usage.written;
  const full =
    BigInt(fresh) * rate(row.input) +
    BigInt(usage.written - usage.writtenForAnHour) * rate(row.write) +
    BigInt(usage.writtenForAnHour) * rate(row.write1h) +
    BigInt(usage.answer) * rate(row.output);
  const fromCache = BigInt(usage.cached) * rate(row.cached);
  const share = isDirect ? "1" : vendor.batch;
  const cachedShare = isDirect ? "1" : vendor.batchCached;
  // Millionths of a dollar for a million tokens, times millionths of a share.
  const total = full * millionths(share) + fromCache * millionths(cachedShare);
  const [dollars, rest] = [total / 10n ** 18n, total % 10n ** 18n];
  return Number(dollars) + Number(rest) / 1e18;
}

/** An answer in the vendor's own words, as a line of an output file. */
function answerOf(adapter: string, model: string, usage: Usage) {
  const { prompt, cached, written, writtenForAnHour, answer, thought } = usage;
  const message = { role: "assistant", content: "Yes." };
  const completion = { id: "a", model, choices: [{ index: 0, message, finish_reason: "stop" }] };
  const body = () => {
    if (adapter === "anthropic-batch") {
      const counts = {
        input_tokens: prompt - cached - written,
        cache_read_input_tokens: cached,
        cache_creation_input_tokens: written,
        cache_creation: {
          ephemeral_5m_input_tokens: written - writtenForAnHour,
          ephemeral_1h_input_tokens: writtenForAnHour,
        },
        output_tokens: answer,
        service_tier: "batch",
      };
      const content = [{ type: "text", text: "Yes." }];
      return fromAnthropic({ id: "a", model, content, stop_reason: "end_turn", usage: counts }, 1);
    }
    if (adapter === "gemini-batch") {
      const usageMetadata = {
        promptTokenCount: prompt,
        cachedContentTokenCount: cached,
        candidatesTokenCount: answer - thought,
        thoughtsTokenCount: thought,
      };
      const candidates = [{ content: { parts: [{ text: "Yes." }] }, finishReason: "STOP" }];
      return fromGemini({ modelVersion: model, candidates, usageMetadata }, "a", 1);
    }
    return {
      ...completion,
      service_tier: "default",
      usage: {
        prompt_tokens: prompt,
        completion_tokens: answer,
        total_tokens: prompt + answer,
        prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: thought },
      },
    };
  };
  return { response: { status_code: 200, request_id: "r", body: body() }, error: null };
}

const tokens = (most: number) =>
  fc.oneof(fc.integer({ min: 0, max: most }), fc.constantFrom(0, 1, most), fc.integer({ min: 0, max: 400 }));

const usages = fc.oneof(tokens(900_000), fc.constantFrom(199_999, 200_000, 200_001)).chain((prompt) =>
  fc.record({
    prompt: fc.constant(prompt),
    cacheShare: fc.double({ min: 0, max: 1, noNaN: true }),
    writeShare: fc.double({ min: 0, max: 1, noNaN: true }),
    hourShare: fc.double({ min: 0, max: 1, noNaN: true }),
    answer: tokens(60_000),
    thoughtShare: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

test("random usages of all vendors cost what their price pages say, worked out by hand in whole numbers", async () => {
  const asked = fc.record({
    which: fc.constantFrom(...rows),
    isDirect: fc.boolean(),
    lines: fc.array(usages, { minLength: 1, maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ which, isDirect, lines }) => {
      const { vendor, row } = which;
      const connection = {
        preset: vendor.preset,
        adapter: vendor.adapter as "openai-batch",
        prices: null,
        priceFactor: null,
        models: {},
      };
      const day = new Date(vendor.lookedUp);
      const price = createRecordPrice(await findPrices(connection, { models: [row.model], isDirect, day }));
      const index = createLineIndex(new Float64Array(lines.length + 1));
      let expected = 0;
      lines.forEach(({ prompt, cacheShare, writeShare, hourShare, answer, thoughtShare }, at) => {
        const cached = Math.floor(prompt * cacheShare);
        const written = row.write === undefined ? 0 : Math.floor((prompt - cached) * writeShare);
        const writtenForAnHour = Math.floor(written * hourShare);
        const thought = Math.floor(answer * thoughtShare);
        const usage = { prompt, cached, written, writtenForAnHour, answer, thought };
        const own = workOut(which, usage, isDirect);
        expected += own;
        const place = { file: "output", start: 0, length: 1, checksum: 0 } as const;
        const given = { ...place, skipped: false, milliseconds: null, reused: false, damaged: false };
        const facts = toFacts(answerOf(vendor.adapter, row.model, usage));
        index.record(at + 1, given, facts);
        const one = createLineIndex(new Float64Array(2));
        one.record(1, given, facts);
        const found = createCostSum(one, [row.model], price)();
        expect(Math.abs(found.usd - own), `${row.model} ${JSON.stringify(usage)}`).toBeLessThan(1e-9);
        expect(found).toMatchObject({ lines: 1, unknown: 0, isCeiling: vendor.isCeiling === true && !isDirect });
      });
      const { usd } = createCostSum(index, [row.model], price)();
      expect(Math.abs(usd - expected)).toBeLessThan(1e-9);
      // Half a cent is rounded either way.
      if (Math.abs(((expected * 100) % 1) - 0.5) > 1e-6) expect(usd.toFixed(2)).toBe(expected.toFixed(2));
    }),
    { numRuns: 400 },
  );
});

test("every model of the table has the prices of its page in the list", async () => {
  for (const { vendor, row } of rows) {
    const connection = { preset: vendor.preset, adapter: vendor.adapter as "openai-batch", models: {} };
    const asked = { models: [row.model], isDirect: false, day: new Date(vendor.lookedUp) };
    const { models } = await findPrices({ ...connection, prices: null, priceFactor: null }, asked);
    const [found] = models;
    const first = (rate: unknown) => (typeof rate === "number" ? rate : (rate as { base: number }).base);
    expect([first(found?.input), first(found?.cached), first(found?.output)], row.model).toEqual(
      [row.input, row.cached, row.output].map(([price]) => Number(price)),
    );
    expect(Number(vendor.batch)).toBe(found?.factor);
  }
});
