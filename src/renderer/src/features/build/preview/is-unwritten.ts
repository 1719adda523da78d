import type { CheckProgress, Problem } from "#contract";

/** True when nothing is wrong but that the prompt has not been written yet: a next step, not a mistake. */
export function isUnwritten(problems: readonly Pick<Problem, "code" | "line">[]): boolean {
  return problems.length > 0 && problems.every(({ code, line }) => code === "no_prompt" && line === null);
}

/** The same of a check of the whole file. */
export function isCheckUnwritten({ groups }: Pick<CheckProgress, "groups">): boolean {
  return isUnwritten(groups.flatMap(({ first }) => first));
}
