import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { setEnvironment } from "./environment.ts";
import { startSheaf } from "./index.ts";

test("clients that are made without an address or a key use the scope, and none of it stays", async () => {
  const sheaf = await startSheaf({ rules: { rules: [{ reply: { text: "Yes." } }] } });
  onTestFinished(() => sheaf.stop());
  const before = { ...process.env };
  process.env.ANTHROPIC_AUTH_TOKEN = "of the user";
  process.env.OPENAI_BASE_URL = "http://127.0.0.1:9";
  process.env.GOOGLE_GENAI_USE_VERTEXAI = "true";
  const restore = setEnvironment(sheaf.scope());
  const ask = { model: "any", messages: [{ role: "user" as const, content: "Is it there?" }] };
  expect((await new OpenAI().chat.completions.create(ask)).choices[0]?.message.content).toBe("Yes.");
  expect((await new Anthropic().messages.create({ ...ask, max_tokens: 9 })).content).toMatchObject([{ text: "Yes." }]);
  expect((await new GoogleGenAI({}).models.generateContent({ model: "any", contents: "?" })).text).toBe("Yes.");
  restore();
  expect(process.env.ANTHROPIC_AUTH_TOKEN).toBe("of the user");
  expect(process.env.OPENAI_BASE_URL).toBe("http://127.0.0.1:9");
  delete process.env.ANTHROPIC_AUTH_TOKEN;
  delete process.env.OPENAI_BASE_URL;
  delete process.env.GOOGLE_GENAI_USE_VERTEXAI;
  expect({ ...process.env }).toEqual(before);
});
