import { type AnswerEnd, kindOfFinish } from "#contract";

/** The parts of an answer that show how it ended. */
export interface EndSigns {
  /** The service's own word; null where it has none. */
  readonly finishReason: string | null;
  /** Whether it has neither text nor a call, a picture or a sound. */
  readonly isEmpty: boolean;
  /** Whether it says in a field of its own that the model refused. */
  readonly isRefusal: boolean;
  readonly hasCalls: boolean;
}

/** How an answer of a chat ended. A limit and a filter count before what is left of the answer. */
export function findEnd({ finishReason, isEmpty, isRefusal, hasCalls }: EndSigns): AnswerEnd {
  const kind = kindOfFinish(finishReason);
  if (kind === "cut") return "cut";
  if (kind === "filtered" || isRefusal) return "refused";
  if (isEmpty) return "empty";
  if (hasCalls || kind === "calls") return "calls";
  return kind === "other" ? "other" : "complete";
}
