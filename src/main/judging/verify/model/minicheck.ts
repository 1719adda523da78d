import type { ChatMessage, Claim, TokenLogprob } from "#contract";
import { addUsage, askModel, noUsage } from "../../model/ask-model.ts";
import { type Judged, judgeEach, readYesNo, toSupported } from "./judge-each.ts";
import type { Preset } from "./preset.ts";

/** Words of a document in one request, and how many of them the next one has again. */
const chunkWords = 500;
const overlap = 100;
const topLogprobs = 5;
/** From here on a document supports a claim. */
const threshold = 0.5;

/**
 * MiniCheck: "Document: …" and "Claim: …" in one message, and yes means that the document supports the claim. Of a long
 * document, the chunk counts that supports it best. Where the server tells how likely the answer was, that decides.
 */
export const judgeByMinicheck: Preset = (parts, job) => {
  const chunks = splitDocument(job.input.document ?? job.input.prompt);
  const { signal } = job.options;

  async function judge(claim: Claim): Promise<Judged> {
    let usage = noUsage;
    let best: Support | null = null;
    let calls = 0;
    for (const chunk of chunks) {
      const reply = await askModel(
        parts,
        { messages: createMessages(chunk, claim, parts.system), topLogprobs },
        signal,
      );
      usage = addUsage(usage, reply.usage);
      calls += 1;
      if ("problem" in reply) return { problem: reply.problem, usage };
      const support = readSupport(reply.content, reply.logprobs);
      if (support !== null && (best === null || support.share > best.share)) best = support;
      if (best !== null && best.share >= threshold) break;
    }
    return { claim: best && toJudged(claim, best), calls, usage };
  }

  return judgeEach(job, judge);
};

function createMessages(chunk: string, { span }: Claim, system: string | undefined): ChatMessage[] {
  const question: ChatMessage = { role: "user", content: `Document: ${chunk}\nClaim: ${span.text}` };
  return system === undefined ? [question] : [{ role: "system", content: system }, question];
}

/** Overlapping parts of a document, so that what belongs together is together in one of them. */
function splitDocument(document: string): readonly string[] {
  const words = document.split(/(?<=\s)(?=\S)/);
  if (words.length <= chunkWords) return [document];
  const chunks: string[] = [];
  for (let from = 0; from + overlap < words.length; from += chunkWords - overlap) {
    chunks.push(words.slice(from, from + chunkWords).join(""));
  }
  return chunks;
}

interface Support {
  /** How likely it is that the document supports the claim, from 0 to 1. */
  readonly share: number;
  /** Whether it is of log-probabilities, rather than of yes or no. */
  readonly isLikelihood: boolean;
}

function readSupport(answer: string, logprobs: readonly TokenLogprob[] | null): Support | null {
  const share = logprobs === null ? null : readShare(logprobs);
  if (share !== null) return { share, isLikelihood: true };
  const isYes = readYesNo(answer);
  return isYes === null ? null : { share: isYes ? 1 : 0, isLikelihood: false };
}

/** How much of the likelihood of yes and no, where the answer says one of them, is that of yes. */
function readShare(logprobs: readonly TokenLogprob[]): number | null {
  const token = logprobs.find((one) => readYesNo(one.token) !== null);
  if (token === undefined) return null;
  const all = token.top_logprobs.length === 0 ? [token] : token.top_logprobs;
  let [yes, no] = [0, 0];
  for (const { token: word, logprob } of all) {
    const isYes = readYesNo(word);
    if (isYes === true) yes += Math.exp(logprob);
    else if (isYes === false) no += Math.exp(logprob);
  }
  return yes + no === 0 ? null : yes / (yes + no);
}

function toJudged(claim: Claim, { share, isLikelihood }: Support): Claim {
  const remark = isLikelihood ? ` (likelihood of support: ${Math.round(100 * share)} %)` : "";
  return toSupported(claim, share >= threshold, remark);
}
