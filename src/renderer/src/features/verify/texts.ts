import { type JudgeChoice, longestVerifyText, type Verification, type VerifyInput } from "#contract";
import { formatNumber } from "../../components/index.ts";

/** The three texts as they are in their fields. */
export interface Texts {
  readonly prompt: string;
  /** Blank where the prompt is all there is to go by. */
  readonly document: string;
  readonly response: string;
}

export const noTexts: Texts = { prompt: "", document: "", response: "" };

/** Their order. */
export const textNames = ["prompt", "document", "response"] as const satisfies readonly (keyof Texts)[];
export type TextName = (typeof textNames)[number];

/** What is verified. A blank document counts as none. */
export function toInput({ prompt, document, response }: Texts, strict: boolean, form = true): VerifyInput {
  return { prompt, response, document: document.trim() === "" ? null : document, strict, ...(!form && { form }) };
}

/** The texts that were verified. */
export function toTexts({ result, document }: Verification): Texts {
  return { prompt: result.prompt, response: result.response, document: document ?? "" };
}

/** Whether verifying both would be the same. */
export function areSame(first: Texts, second: Texts): boolean {
  const [one, other] = [toInput(first, false), toInput(second, false)];
  return one.prompt === other.prompt && one.response === other.response && one.document === other.document;
}

export function areBlank(texts: Texts): boolean {
  return textNames.every((name) => texts[name].trim() === "");
}

/** Whether a text is longer than can be verified. */
export function isTooLong(text: string): boolean {
  return text.length > longestVerifyText;
}

/** What a verification needs besides the texts. */
export interface Readiness {
  readonly choice: JudgeChoice;
  readonly isConnected: boolean;
  /** Whether a mock would answer for the model. */
  readonly isMock: boolean;
}

/** Why the texts can't be verified yet, in one sentence with the next step; null when they can be. */
export function explainNotReady(texts: Texts, { choice, isConnected, isMock }: Readiness): string | null {
  const long = textNames.find((name) => isTooLong(texts[name]));
  if (long !== undefined) {
    return `The ${long} is too long. Shorten it to ${formatNumber(longestVerifyText)} characters.`;
  }
  if (texts.response.trim() === "") return "Write or paste a response first.";
  const isHere = choice.connectionId === undefined;
  if (choice.judge !== "rules" && isMock && isHere) return "No model can judge here. Choose the rules.";
  if (choice.judge !== "rules" && !choice.model) return "Choose the model that judges.";
  if (!isConnected) return "Waiting for the connection.";
  return null;
}

/**
 * An item of HaluEval (QA) with its made-up answer: the passage, the question and the answer unchanged.
 * MIT licence, copyright (c) 2020 RUCAIBox; examples/halueval.LICENSE.
 */
export const exampleTexts: Texts = {
  prompt: "Are Pam Veasey and Jon Jost both American?",
  document:
    "Pamela Renea Veasey (born May 25, 1962) is an American television writer, producer and director.Jon Jost (born 16 May 1943 in Chicago) is an American independent filmmaker.",
  response: "No, Pam Veasey is Canadian.",
};
