import { longestVerifyText, type Verification, type VerifyInput } from "#contract";

/** The three texts as they stand in their fields. */
export interface Texts {
  readonly prompt: string;
  /** Blank where the prompt is all there is to go by. */
  readonly document: string;
  readonly response: string;
}

export const noTexts: Texts = { prompt: "", document: "", response: "" };

/** The order in which they stand. */
export const textNames = ["prompt", "document", "response"] as const satisfies readonly (keyof Texts)[];
export type TextName = (typeof textNames)[number];

/** What is verified. A blank document counts as none. */
export function toInput({ prompt, document, response }: Texts): VerifyInput {
  return { prompt, response, document: document.trim() === "" ? null : document };
}

/** The texts that were verified. */
export function toTexts({ result, document }: Verification): Texts {
  return { prompt: result.prompt, response: result.response, document: document ?? "" };
}

/** With the line breaks of the editor, so that places in a text are the same everywhere. */
export function withPlainBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

/** Whether verifying both would be the same. */
export function areSame(first: Texts, second: Texts): boolean {
  const [one, other] = [toInput(first), toInput(second)];
  return one.prompt === other.prompt && one.response === other.response && one.document === other.document;
}

export function areBlank(texts: Texts): boolean {
  return textNames.every((name) => texts[name].trim() === "");
}

/** Whether a text is longer than can be verified. */
export function isTooLong(text: string): boolean {
  return text.length > longestVerifyText;
}
