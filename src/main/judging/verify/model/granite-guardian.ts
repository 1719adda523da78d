import type { ChatMessage, Claim } from "#contract";
import { askModel } from "../../model/ask-model.ts";
import { type Judged, judgeEach, readYesNo, toSupported } from "./judge-each.ts";
import type { Preset } from "./preset.ts";

const risk = "groundedness";

/**
 * Granite Guardian 3: it looks for a risk, so that yes means that the claim is not grounded in the document. The system message
 * names the risk, then come the document, and the claim as the assistant's turn.
 */
export const judgeByGraniteGuardian: Preset = (parts, job) => {
  const document = job.input.document ?? job.input.prompt;

  async function judge(claim: Claim): Promise<Judged> {
    const messages: ChatMessage[] = [
      { role: "system", content: parts.system ?? risk },
      { role: "user", content: document },
      { role: "assistant", content: claim.span.text },
    ];
    const reply = await askModel(parts, { messages }, job.options.signal);
    if ("problem" in reply) return reply;
    const isRisk = readYesNo(reply.content);
    return { claim: isRisk === null ? null : toSupported(claim, !isRisk), calls: 1, usage: reply.usage };
  }

  return judgeEach(job, judge);
};
