import { type JudgeChoice, longestVerifyText } from "#contract";
import { formatNumber } from "../../components/index.ts";
import { isTooLong, type TextName, type Texts, textNames } from "./texts.ts";

const textLabels: Record<TextName, string> = { prompt: "prompt", document: "document", response: "response" };

/** Why the texts can't be verified yet, in one sentence with the next step; null when they can be. */
export function explainNotReady(texts: Texts, { judge, model }: JudgeChoice, isConnected: boolean): string | null {
  const long = textNames.find((name) => isTooLong(texts[name]));
  if (long !== undefined) {
    return `The ${textLabels[long]} is too long. Shorten it to ${formatNumber(longestVerifyText)} characters.`;
  }
  if (texts.response.trim() === "") return "Write or paste a response first.";
  if (judge !== "rules" && model === null) return "Choose the model that judges.";
  if (!isConnected) return "Waiting for the connection.";
  return null;
}
