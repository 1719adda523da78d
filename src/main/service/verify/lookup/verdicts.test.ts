import { expect, test } from "vitest";
import type { Verdict } from "#contract";
import { judgeByRules } from "../rules-judge.ts";

type Case = readonly [verdict: Verdict, document: string, response: string];

/** The verdict of the last sentence. */
function expectVerdicts(cases: readonly Case[]): void {
  for (const [verdict, document, response] of cases) {
    const { claims } = judgeByRules({ prompt: "", response, document, strict: false });
    expect.soft([claims.at(-1)?.verdict, document, response]).toEqual([verdict, document, response]);
  }
}

test("groups of digits are one number, by language and habit", () => {
  expectVerdicts([
    ["supported", "The battery has a capacity of 5.000 mAh.", "The battery has a capacity of 5000 mAh."],
    ["supported", "Der Akku hat eine Kapazität von 5.000 mAh.", "Der Akku hat eine Kapazität von 5000 mAh."],
    ["supported", "The hall has 3, 000 seats.", "The hall has 3,000 seats."],
    ["supported", "The parcel weighs 1.250 g.", "The parcel weighs 1250 g."],
    ["contradicted", "Der Akku hat eine Kapazität von 5.000 mAh.", "Der Akku hat eine Kapazität von 6.000 mAh."],
    ["contradicted", "The battery has a capacity of 5,000 mAh.", "The battery has a capacity of 5 mAh."],
    ["contradicted", "The town has 1'250 residents.", "The town has 1,350 residents."],
  ]);
});

test("supported needs the same words, qualifiers, order and values, in a whole sentence", () => {
  expectVerdicts([
    [
      "not_checkable",
      "It is not true that the lock was built in 1937 by Ida Moen.",
      "The lock was built in 1937 by Ida Moen.",
    ],
    ["not_checkable", "The lock was built in 1937?\nNobody knows.", "The lock was built in 1937."],
    ["not_checkable", "# The lock was built in 1937\n\nSome facts follow here.", "The lock was built in 1937."],
    [
      "not_checkable",
      "Claims must be filed within at least 30 days of delivery.",
      "Claims must be filed within at most 30 days of delivery.",
    ],
    ["not_checkable", "The office is closed before 9 May 2024.", "The office is closed after 9 May 2024."],
    ["not_checkable", "Revenue rises by 5% in 2024.", "Revenue falls by 5% in 2024."],
    ["not_checkable", "The maximum load is 20 kg.", "The minimum load is 20 kg."],
    ["not_checkable", "In 1905 Harald Moen defeated Olaf Strand.", "In 1905 Olaf Strand defeated Harald Moen."],
    ["not_checkable", "In 1905 Harald Moen defeated Olaf Strand.", "In 1905 Harald Moen was defeated by Olaf Strand."],
    ["supported", "In 1905 Harald Moen defeated Olaf Strand.", "Harald Moen defeated Olaf Strand in 1905."],
    ["not_checkable", "Ida Moen sold the company in 1937.", "Ida Moen founded the company in 1937."],
    ["not_checkable", "Ida Moen was born in 1937.", "Moen, 1937."],
    ["not_checkable", "Team costs $29 and Basic costs $9.", "Team costs $9."],
    ["supported", "Team costs $29 and Basic costs $9.", "Basic costs $9."],
    ["not_checkable", "Revenue rose from $5m to $7m.", "Revenue rose from $7m to $5m."],
    ["not_checkable", "Critics claim that the lock was built in 1937.", "The lock was built in 1937."],
    ["not_checkable", "The lock will be built in 2037.", "The lock was built in 2037."],
    [
      "not_checkable",
      "The tenant must pay $500 each month unless the heating fails.",
      "The tenant must pay $500 each month.",
    ],
  ]);
});

test("a language is judged as far as its months and negations are known", () => {
  expectVerdicts([
    ["not_checkable", "La réunion aura lieu le 14 mars.", "La réunion aura lieu le 14 mai."],
    ["contradicted", "Die Sitzung findet am 14. März statt.", "Die Sitzung findet am 14. Mai statt."],
    ["contradicted", "Der Ausweis ist bis 2027 gültig.", "Der Ausweis ist bis 2027 nicht gültig."],
    ["contradicted", "El contrato es válido hasta 2027.", "El contrato no es válido hasta 2027."],
    ["not_checkable", "Het paspoort is geldig tot 14 mei 2027.", "Het paspoort is niet geldig tot 14 mei 2027."],
    ["not_checkable", "De vergadering is op 14 maart in Utrecht.", "De vergadering is op 14 mei in Utrecht."],
    [
      "not_checkable",
      "Die Lieferung dauert drei Wochen und kostet 20 Euro.",
      "Die Lieferung dauert zwei Wochen und kostet 20 Euro.",
    ],
    ["not_found", "Die Lieferung dauert zwei Wochen.", "Die Lieferung dauert 2 Wochen."],
    ["supported", "Die Lieferung kostet 20 Euro.", "Die Lieferung kostet 20 Euro."],
    ["not_found", "De prijs is 20 € per maand.", "De prijs is 35 € per maand."],
  ]);
});

test("a pronoun has the subject of the sentence before, and one word ties where nothing else comes near", () => {
  expectVerdicts([
    [
      "contradicted",
      "Work on the bridge began in 1925. It was opened in 1937 by the mayor.",
      "The bridge was opened in 1932.",
    ],
    [
      "contradicted",
      "Work on the bridge began in 1925. It was opened in 1937 by the mayor.",
      "The bridge is in town. It was opened in 1932.",
    ],
    ["not_found", "The museum was sold in 1990.", "The museum was founded in 1985."],
    ["not_found", "The red boat costs $5. The blue boat costs $7.", "The boat costs $9."],
    ["supported", "The lock is near Molde. It is 84 m long.", "The lock is 84 m long."],
    ["contradicted", "The fee is $5.", "The annual fee is $7."],
  ]);
});

test("one step of arithmetic excuses a value only where the units fit", () => {
  expectVerdicts([
    ["not_found", "Three boats and one barge left at noon.", "They needed four hours in total."],
    ["not_checkable", "The rent is €1,150 and heating €180.", "The rent with heating is €1,330 in total."],
    ["not_checkable", "Fill in 0.5 l of water.", "Fill in 500 ml of water."],
    ["not_checkable", "It takes 1 hour and 50 minutes.", "It takes 110 minutes."],
  ]);
});
