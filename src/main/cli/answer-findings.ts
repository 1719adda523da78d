import { join } from "node:path";
import { z } from "zod";
import {
  agreementOf,
  claimCountsSchema,
  claimSchema,
  countClaims,
  formatCount,
  formOf,
  gradeSchema,
  summarizeGravest,
  verdictOf,
} from "#contract";
import { createRowStore, type JoinedColumns } from "#main/exports";
import { CliError, exitCodes } from "./cli-error.ts";
import { indexLines, type LinePlaces } from "./line-places.ts";

/** The verdicts and grades that earlier commands wrote of the answers of an export. */
export interface AnswerFindings {
  /** The columns that they add to a row. The answer is null where the request has none. */
  columnsOf(customId: string, answer: string | null): JoinedColumns;
  /** What could not be joined, one sentence each, when the columns of all answers have been asked for. */
  describeMissing(): string[];
  /** Findings of answers that the export doesn't have, one sentence for each file. */
  describeOthers(): string[];
  close(): void;
}

interface FindingPaths {
  /** Where temporary files go. */
  readonly folder: string;
  readonly verdicts?: string | undefined;
  readonly grades?: string | undefined;
}

const verdictLineSchema = z.object({ claims: z.array(claimSchema), counts: claimCountsSchema.optional() });
const gradeLineSchema = z.object({ grade: gradeSchema });

/** Between the texts of claims, which are parts of an answer. */
const separator = "\0";

/** The findings of one file. */
interface FindingFile {
  readonly path: string;
  /** "verdict" or "grade". */
  readonly noun: string;
  readonly places: LinePlaces;
  /** The custom_ids that were looked up: of those it has, and of those it lacks. */
  readonly joined: Set<string>;
  readonly lacking: Set<string>;
}

/**
 * Reads both files. What a verdict adds to a row is in a temporary file.
 * @throws CliError with what is wrong, as file:line: message
 */
export async function openFindings({ folder, verdicts, grades }: FindingPaths): Promise<AnswerFindings> {
  const store = createRowStore(join(folder, "verdicts"));
  const rowOf: number[] = [];
  const gradeOf: z.infer<typeof gradeSchema>[] = [];
  /** Verdicts on another answer than the one with their custom_id. */
  const outdated = new Set<string>();
  try {
    const verdictFile = await index(verdicts, "verdict", "sheaf verify --batch", (line, place) => {
      const { claims, counts = countClaims(claims) } = verdictLineSchema.parse(line);
      const { reason = null, claim = null, passage = null } = summarizeGravest({ claims, counts }) ?? {};
      const judged = claims.map(({ span }) => span.text).join(separator);
      const cells = [verdictOf(counts), formOf(counts), agreementOf(claims), judged, reason, claim, passage];
      rowOf[place] = store.append({ customId: "", cells, tableCells: null });
    });
    const gradeFile = await index(grades, "grade", "sheaf grade", (line, place) => {
      gradeOf[place] = gradeLineSchema.parse(line).grade;
    });
    const readVerdict = (file: FindingFile, customId: string, answer: string): JoinedColumns => {
      const found = rowOf[placeOf(file, customId)];
      const cells = found === undefined ? [] : (store.read([found])[0]?.cells.map(toText) ?? []);
      const [verdict = null, form = null, agreement = null, judged = null, ...claim] = cells;
      const [verifyReason = null, verifyClaim = null, verifyPassage = null] = claim;
      const isOutdated = judged?.split(separator).some((text) => !answer.includes(text)) === true;
      if (isOutdated) outdated.add(customId);
      return isOutdated ? {} : { verdict, form, agreement, verifyReason, verifyClaim, verifyPassage };
    };
    const files = [verdictFile, gradeFile].filter((file) => file !== null);

    return {
      columnsOf: (customId, answer) => ({
        ...(verdictFile && answer !== null && readVerdict(verdictFile, customId, answer)),
        ...(gradeFile && { grade: gradeOf[placeOf(gradeFile, customId)] ?? null }),
      }),
      describeMissing: () => [
        ...files
          .filter(({ lacking }) => lacking.size > 0)
          .map(({ path, noun, lacking }) => `${path} has no ${noun} for ${formatCount(lacking.size, "answer")}.`),
        ...(outdated.size > 0
          ? [
              `${formatCount(outdated.size, "verdict")} in ${verdicts} left out: the answers have changed. Verify them again.`,
            ]
          : []),
      ],
      describeOthers: () =>
        files
          .map(({ path, noun, places, joined }) => ({ path, noun, count: places.count() - joined.size }))
          .filter(({ count }) => count > 0)
          .map(
            ({ path, noun, count }) =>
              `${formatCount(count, noun)} in ${path} left out: their answers aren't exported.`,
          ),
      close: () => store.close(),
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

async function index(
  path: string | undefined,
  noun: string,
  command: string,
  read: (line: unknown, place: number) => void,
): Promise<FindingFile | null> {
  if (path === undefined) return null;
  const places = await indexLines(path, (line, number, place) => {
    try {
      read(line, place);
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      throw new CliError(`${path}:${number}: This is not a ${noun} that ${command} wrote.`, exitCodes.unusable);
    }
  });
  return { path, noun, places, joined: new Set(), lacking: new Set() };
}

/** The number of the line about an answer; -1 where the file has none. */
function placeOf(file: FindingFile | null, customId: string): number {
  if (file === null) return -1;
  const place = file.places.number(customId);
  (place === null ? file.lacking : file.joined).add(customId);
  return place ?? -1;
}

function toText(cell: unknown): string | null {
  return typeof cell === "string" ? cell : null;
}
