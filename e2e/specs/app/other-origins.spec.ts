import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { startSheaf } from "../../../src/testing/index.ts";

const modules = join(import.meta.dirname, "../../../node_modules");

/** A site of its own: an empty page, and the official client as it is published. */
async function serveSite() {
  const site = createServer(async ({ url = "/" }, response) => {
    const isModule = /\.m?js$/.test(url);
    response.setHeader("content-type", isModule ? "text/javascript" : "text/html");
    response.end(isModule ? await readFile(join(modules, url)) : "<!doctype html>");
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  const address = site.address();
  return { site, origin: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}` };
}

test("the official client in a page of another origin uses the mock server, once --cors names it", async ({ page }) => {
  const { site, origin } = await serveSite();
  await using open = await startSheaf({ dialect: "openai", cors: origin });
  await using closed = await startSheaf();
  await page.goto(origin);

  const used = await page.evaluate(
    async ({ baseURL, apiKey, client }) => {
      const { default: OpenAI } = await import(client);
      const openai = new OpenAI({ baseURL, apiKey, maxRetries: 0, dangerouslyAllowBrowser: true });
      const request = {
        model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
        messages: [{ role: "user", content: "Hello" }],
      };
      const { data: answer, response } = await openai.chat.completions.create(request).withResponse();
      let streamed = "";
      for await (const chunk of await openai.chat.completions.create({ ...request, stream: true })) {
        streamed += chunk.choices[0]?.delta.content ?? "";
      }
      const file = await openai.files.create({ file: new File(["{}"], "in.jsonl"), purpose: "batch" });
      const { deleted } = await openai.files.delete(file.id);
      return { answer: answer.choices[0].message.content, streamed, deleted, id: response.headers.get("x-request-id") };
    },
    { baseURL: open.baseURL, apiKey: open.apiKey, client: `${origin}/openai/index.mjs` },
  );
  expect(used).toMatchObject({ streamed: used.answer, deleted: true, id: expect.stringMatching(/^req_/) });

  const refused = ({ url, apiKey }: { readonly url: string; readonly apiKey: string }) =>
    page.evaluate(
      ({ url, apiKey }) =>
        fetch(url, { headers: { authorization: `Bearer ${apiKey}` } }).then(({ status }) => status, String),
      { url, apiKey },
    );
  expect(await refused({ url: `${closed.baseURL}/models`, apiKey: closed.apiKey })).toContain("TypeError");
  expect(await refused({ url: `${open.url}/sheaf/faults`, apiKey: open.apiKey })).toContain("TypeError");
  expect(await refused({ url: `${open.baseURL}/models`, apiKey: open.apiKey })).toBe(200);
  site.close();
});
