/**
 * `npm run bench -- verify`: how often the rules are right, and how fast they are. docs/verify-accuracy.md has the figures;
 * figures are never an assertion. `--missed` names what was missed or wrong.
 */
import { wilsonInterval } from "#contract";
import { changeKinds } from "./change-number.ts";
import { judgeEveryday, type Truth } from "./everyday.ts";
import { judgeRightAnswers } from "./halueval.ts";
import { holdsByMathjs } from "./holds.ts";
import { findAccused, scoreChanges, wrongSolutions } from "./solutions.ts";
import { measureSpeed } from "./speed.ts";

const showsMissed = process.argv.includes("--missed");
/** What a sentence is where a verdict on it is right; "not checkable" claims nothing. */
const rightFor: Readonly<Record<string, readonly Truth[]>> = {
  contradicted: ["wrong"],
  not_found: ["wrong", "missing"],
  supported: ["right"],
};
const expected = { wrong: "contradicted", missing: "not_found", open: "not_checkable" } as const;

await reportEveryday();
await reportRightAnswers();
await reportSolutions();
await reportChanges();
await measureSpeed();

async function reportEveryday(): Promise<void> {
  const sentences = await judgeEveryday();
  const truths: readonly Truth[] = ["right", "wrong", "missing", "open"];
  console.log("\nSixty everyday cases, by sentence\n");
  console.table(
    Object.fromEntries(
      truths.map((truth) => {
        const own = sentences.filter(({ is }) => is === truth);
        const count = (verdict: string) => own.filter((one) => one.verdict === verdict).length;
        return [
          truth,
          {
            sentences: own.length,
            contradicted: count("contradicted"),
            "not in the document": count("not_found"),
            supported: count("supported"),
            "not checkable": count("not_checkable"),
          },
        ];
      }),
    ),
  );
  console.table(
    Object.fromEntries(
      Object.entries(rightFor).map(([verdict, right]) => {
        const own = sentences.filter((one) => one.verdict === verdict);
        return [verdict, share(own.filter(({ is }) => right.includes(is)).length, own.length)];
      }),
    ),
  );
  const judged = sentences.filter(({ verdict }) => rightFor[verdict] !== undefined);
  console.table(
    Object.fromEntries(
      Object.entries(Object.groupBy(judged, ({ verdict, rule }) => `${verdict}: ${rule}`)).map(([rule, own = []]) => {
        const right = own.filter(({ is, verdict }) => rightFor[verdict]?.includes(is)).length;
        return [rule, { right, wrong: own.length - right }];
      }),
    ),
  );
  if (!showsMissed) return;
  for (const { id, is, verdict, text, reason } of sentences) {
    const isFine = is === "right" ? verdict === "supported" || verdict === "not_checkable" : verdict === expected[is];
    if (!isFine) console.log(`${is}, ${verdict} (${id}): ${text}${reason === "" ? "" : `\n  ${reason}`}`);
  }
}

/** A share with its 95 % interval. */
function share(part: number, all: number) {
  const [low, high] = wilsonInterval(part, all) ?? [];
  return { right: part, n: all, precision: (part / all).toFixed(3), low: low?.toFixed(3), high: high?.toFixed(3) };
}

async function reportRightAnswers(): Promise<void> {
  const { items, accused } = await judgeRightAnswers();
  const contradicted = accused.filter(({ verdict }) => verdict === "contradicted").length;
  console.log(
    `\nRight answers of HaluEval: ${contradicted} of ${items} contradicted, ${accused.length - contradicted} not found`,
  );
  if (showsMissed)
    for (const { question, answer, reason } of accused) console.log(`${question} ${answer}\n  ${reason}`);
}

async function reportSolutions(): Promise<void> {
  for (const isStripped of [false, true]) {
    const { contradicted, not_found: missing } = await findAccused(isStripped);
    const right = contradicted.filter((id) => !wrongSolutions.has(id));
    console.log(
      `\nSolutions of GSM8K ${isStripped ? "without annotations" : "as they are"}: ${contradicted.length} contradicted, ` +
        `${right.length} of them right${right.map((id) => ` ${id}`).join("")}; ${missing.length} with a detail that is not found`,
    );
  }
}

async function reportChanges(): Promise<void> {
  console.log("\n| changed | annotations | solutions | found | with the right span |\n| --- | --- | --: | --: | --: |");
  for (const isStripped of [false, true]) {
    for (const kind of changeKinds.filter((one) => !isStripped || one.endsWith("text"))) {
      const { solutions, found, withSpan, missed } = await scoreChanges(kind, isStripped, holdsByMathjs);
      const shares = [found, withSpan].map((part) => (part / solutions).toFixed(4));
      console.log(`| ${[kind, isStripped ? "no" : "yes", solutions, ...shares].join(" | ")} |`);
      if (showsMissed && missed.length > 0) console.log(`missed: ${missed.join(", ")}`);
    }
  }
}
