import { createRequire } from "node:module";

/** Text that merely looks like a control token (`<|endoftext|>`) is text. */
export const plainText = { disallowedSpecial: new Set<string>() };

type Encoder = typeof import("gpt-tokenizer/encoding/o200k_base");

let encoder: Encoder | undefined;

/** Loaded with its first use: it takes 100 ms, and most files need no count. */
export function getEncoder(): Encoder {
  encoder ??= createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base") as Encoder;
  return encoder;
}

/** Loads what counting needs as soon as there is nothing else to do, so that the first request does not wait for it. */
export function prepareToCount(): void {
  setImmediate(getEncoder);
}
