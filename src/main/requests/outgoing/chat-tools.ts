import type { ChatRequest, ChatTool } from "#contract";
import type { TranslationProblem } from "./part-line.ts";

type FunctionTool = Extract<ChatTool, { type: "function" }>;

/** The functions among the tools of a request: all of them, once `findForeignTools` has found nothing. */
export function listFunctions({ tools }: ChatRequest): FunctionTool["function"][] {
  return (tools ?? []).flatMap((tool) => (tool.type === "function" ? [tool.function] : []));
}

/** The function that a request's choice of tools names; null where it names none. */
export function namedFunction({ tool_choice: choice }: ChatRequest): string | null {
  return typeof choice === "object" && choice?.type === "function" ? choice.function.name : null;
}

/** Tools, and choices of them, that services without the compatible API have no counterpart for. */
export function findForeignTools({ tools, tool_choice: choice }: ChatRequest, service: string): TranslationProblem[] {
  const problems = (tools ?? []).flatMap(({ type }, at) =>
    type === "function" ? [] : [{ param: `body.tools.${at}`, message: `${service} has no tools of the type ${type}.` }],
  );
  if (typeof choice === "object" && choice !== null && choice.type !== "function") {
    problems.push({ param: "body.tool_choice", message: `${service} has no choice of the type ${choice.type}.` });
  }
  return problems;
}
