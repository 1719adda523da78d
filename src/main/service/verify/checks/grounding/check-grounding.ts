import { firstFrom } from "../../text/ranges.ts";
import type { Check, Finding, Reading } from "../../types.ts";
import { checkCandidates, isLikelyAnswer } from "./candidates/index.ts";
import { checkAgents } from "./check-agents.ts";
import { checkAges } from "./check-ages.ts";
import { checkAnswer, checkRepetition } from "./check-answer.ts";
import { checkAttachment } from "./check-attachment.ts";
import { checkAttributes } from "./check-attributes.ts";
import { checkBirths } from "./check-births.ts";
import { checkChoice } from "./check-choice.ts";
import { checkCopula } from "./check-copula.ts";
import { checkKin } from "./check-kin.ts";
import { checkMonths } from "./check-months.ts";
import { checkNames } from "./check-names.ts";
import { checkNovelty } from "./check-novelty.ts";
import { checkNumbers } from "./check-numbers.ts";
import { checkOpposites } from "./check-opposites.ts";
import { checkQuotations } from "./check-quotations.ts";
import { checkReasons } from "./check-reasons.ts";
import { checkRoles } from "./check-roles.ts";
import { checkSort } from "./check-sort.ts";
import { checkSupport } from "./check-support.ts";
import { checkTimes } from "./check-times.ts";
import { checkType } from "./check-type.ts";
import { checkVague } from "./check-vague.ts";
import { checkYesNo } from "./check-yes-no.ts";
import { type Context, type Part, readContext } from "./context.ts";
import { isClaimOfItsOwn } from "./novel-traits.ts";

/** The parts of the check, by name. */
export const groundingParts = {
  names: checkNames,
  numbers: checkNumbers,
  answer: checkAnswer,
  repetition: checkRepetition,
  sort: checkSort,
  vague: checkVague,
  attributes: checkAttributes,
  novelty: checkNovelty,
  kin: checkKin,
  reasons: checkReasons,
  type: checkType,
  choice: checkChoice,
  yesNo: checkYesNo,
  copula: checkCopula,
  agents: checkAgents,
  roles: checkRoles,
  ages: checkAges,
  births: checkBirths,
  opposites: checkOpposites,
  quotations: checkQuotations,
  times: checkTimes,
  months: checkMonths,
  attachment: checkAttachment,
  candidates: checkCandidates,
  support: checkSupport,
} satisfies Record<string, Part>;

export type GroundingPart = keyof typeof groundingParts;

/**
 * Parts that go by words which a right answer may well have: one finding of theirs is none where the answer is hardly behind
 * what speaks most for itself. How far, by the margins at which they were wrong and right on bench/questions/learning.jsonl.
 */
const doubtful: ReadonlyMap<string, number> = new Map<GroundingPart, number>([
  ["attributes", 0.7],
  ["attachment", 0.7],
  ["type", 2],
]);

function doubt(part: Part, margin: number): Part {
  return (context: Context) => {
    const findings = part(context);
    return findings.length === 1 && isLikelyAnswer(context, margin) && !isFirm(context, findings) ? [] : findings;
  };
}

/** Whether a finding is of what is no detail beside the answer, but another claim. */
function isFirm(context: Context, findings: readonly Finding[]): boolean {
  return findings.some(({ range }) => {
    const statement = context.answer.statements.find(({ word }) => word.start === range.start);
    return statement !== undefined && isClaimOfItsOwn(context, statement);
  });
}

/** The check without some of its parts: for measuring what each adds. */
export function createGroundingCheck(without: readonly GroundingPart[] = []): Check {
  const parts = Object.entries<Part>(groundingParts)
    .filter(([name]) => !without.some((part) => part === name))
    .map(([name, part]) => {
      const margin = doubtful.get(name);
      return margin === undefined ? part : doubt(part, margin);
    });
  return (reading: Reading): readonly Finding[] => {
    const context = readContext(reading);
    if (context === null || context.isFree || context.isWorkedOut) return [];
    return parts.flatMap((part) => part(context)).filter((finding) => !isAboutQuestion(context, finding));
  };
}

/** What the question takes for given, and the response only says again before it answers, is no claim of the response. */
function isAboutQuestion({ answer: { words, ignored } }: Context, { verdict, range }: Finding): boolean {
  if (verdict !== "contradicted" || ignored.size === 0) return false;
  const from = firstFrom(words, range.start);
  let at = from;
  while (ignored.has(at) && (words[at]?.end ?? 0) <= range.end) at += 1;
  return at > from && (words[at]?.start ?? range.end) >= range.end;
}

/** Holds a response against the document, or the passage that stands in the prompt. Finds nothing where there is neither. */
export const checkGrounding: Check = createGroundingCheck();
