import type { ChatMessage, Claim } from "#contract";
import { askModel } from "../../model/ask-model.ts";
import { type Judged, judgeEach, readYesNo, toSupported } from "./judge-each.ts";
import type { Preset } from "./preset.ts";

const criteria =
  "The claim in the last assistant's text is fully supported by the document. A claim that the document contradicts, or that says something which the document doesn't, is not supported.";

/** The words that the model was trained with, for an answer without its thoughts (its model card, July 2026). */
const judging =
  "As a judge agent, assess whether the provided text meets the given judging criteria using all available information, including conversations, documents, and tools. Provide your score immediately without explanation. Output empty <think>\n</think> tags followed by your score in <score></score> tags.";
const scoring =
  "### Scoring Schema: If the last assistant's text meets the criteria, return 'yes'; otherwise, return 'no'.";

/**
 * Granite Guardian 4: it judges by criteria of the asker, which the last user message names in a block of its own. Here they
 * are that the claim is supported, so that yes means supported.
 */
export const judgeByGraniteGuardian4: Preset = (parts, job) => {
  const document = job.input.document ?? job.input.prompt;

  async function judge(claim: Claim): Promise<Judged> {
    const messages: ChatMessage[] = [
      ...(parts.system === undefined ? [] : [{ role: "system" as const, content: parts.system }]),
      { role: "user", content: `Document: ${document}` },
      { role: "assistant", content: claim.span.text },
      { role: "user", content: `<guardian><no-think>${judging}\n\n### Criteria: ${criteria}\n\n${scoring}` },
    ];
    const reply = await askModel(parts, { messages }, job.options.signal);
    if ("problem" in reply) return reply;
    const isMet = readYesNo(reply.content);
    return { claim: isMet === null ? null : toSupported(claim, isMet), calls: 1, usage: reply.usage };
  }

  return judgeEach(job, judge);
};
