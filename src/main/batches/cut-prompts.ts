import { type ChatMessage, formatNumber, messageText } from "#contract";
import { readTokens } from "#main/answers";
import { asObject, type JsonObject, listObjects } from "#main/base";
import { countTokens } from "#main/requests";

/** A token has at most this many bytes. A prompt is counted only where the server reports fewer tokens than that allows. */
const mostBytesPerToken = 7;
/** A prompt is cut where its server counted less than this share of our count: tokenizers differ, but not so much. */
const cutShare = 0.5;
/** The same where it counted as many tokens for prompts of several lengths. */
const sameShare = 0.8;
/** A shorter prompt fits everywhere. */
const leastTokens = 500;
/** The first notice appears at this many cut prompts, the next ones at ten times as many each. */
const firstTold = 3;
/** After so many prompts that looked cut and were not, no more are counted. */
const mostInnocent = 100;
/** Figures that are remembered. */
const mostFigures = 1_000;

/** What the notice of a batch begins with whose server cut prompts. */
export const cutPromptNotice = "The server seems to cut prompts";

/** Finds prompts that their server cut: an answer to the rest of one looks like any other. */
export interface CutPrompts {
  /** Takes an answer in; a sentence or two for the user when there is something new to tell, else null. */
  add(request: JsonObject, answer: JsonObject): string | null;
}

/** Prompts for which a server reported the same number of tokens. */
interface Figure {
  count: number;
  leastBytes: number;
  mostBytes: number;
}

export function createCutPrompts(): CutPrompts {
  const figures = new Map<number, Figure>();
  let found = 0;
  let nextTold = firstTold;
  let innocent = 0;

  /** Whether the figure came for three prompts whose lengths differ. */
  function isRepeated(tokens: number, bytes: number): boolean {
    const known = figures.get(tokens);
    if (known === undefined) {
      if (figures.size < mostFigures) figures.set(tokens, { count: 1, leastBytes: bytes, mostBytes: bytes });
      return false;
    }
    known.count += 1;
    known.leastBytes = Math.min(known.leastBytes, bytes);
    known.mostBytes = Math.max(known.mostBytes, bytes);
    return known.count >= firstTold && known.mostBytes > known.leastBytes * 1.02;
  }

  return {
    add(request, answer) {
      const reported = readTokens(asObject(answer.usage)).prompt;
      if (reported === null || reported < 1 || !Array.isArray(request.messages)) return null;
      // The request has passed the check of its file.
      const texts = listObjects(request.messages).map((message) => messageText(message as unknown as ChatMessage));
      const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      const repeated = reported >= leastTokens && isRepeated(reported, bytes);
      if (innocent > mostInnocent || (!repeated && reported * mostBytesPerToken > bytes)) return null;
      // Counting tokens takes long: after the notice, prompts that look cut count as cut.
      if (found >= firstTold && found + 1 < nextTold) {
        found += 1;
        return null;
      }
      const sent = texts.reduce((sum, text) => sum + countTokens(text), 0);
      if (sent < leastTokens || reported > sent * (repeated ? sameShare : cutShare)) {
        innocent += 1;
        return null;
      }
      // Those that made the figure a repeated one were not counted when they came.
      found = Math.max(found + 1, repeated ? (figures.get(reported)?.count ?? 0) : 0);
      if (found < nextTold) return null;
      nextTold = found * 10;
      const counts = `it counted ${formatNumber(reported)} tokens where about ${formatNumber(sent)} were sent`;
      return `${cutPromptNotice}: ${counts} (at least ${formatNumber(found)} answers). Raise the context length of the server, such as num_ctx of Ollama, and ask these lines again.`;
    },
  };
}
