import type { Name } from "../../text/index.ts";
import type { Context } from "./context.ts";

/** The names of a response that the question doesn't have. */
export function freshNames({ answer, evidence }: Context): readonly Name[] {
  return answer.names.filter(
    ({ from, to }) => !answer.words.slice(from, to).every(({ key }) => evidence.asked.has(key)),
  );
}

/** The name that a short answer gives: the only one that the question doesn't have. */
export function freshName(context: Context): Name | null {
  const fresh = freshNames(context);
  return fresh.length === 1 ? (fresh[0] ?? null) : null;
}
