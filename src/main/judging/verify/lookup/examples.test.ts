import { expect, test } from "vitest";
import { judgeByRules } from "../rules-judge.ts";

/** What may be said of the last sentence of a response; the first of several is what is said today. */
type Case = readonly [verdicts: string, document: string, response: string];

const C = "contradicted";
const N = "not_found";
const S = "supported";
const O = "not_checkable";

/** Sentences that users reported, or that a report describes. */
const cases: readonly Case[] = [
  // What the document says in another way.
  [S, "Revenue in 2024 was $14.6 million, up 8 %.", "In 2024 revenue came to $14.6m."],
  [S, "The city has 500,000 residents.", "The city has 5 lakh residents."],
  [S, "Revenue was $14.6 billion.", "Revenue was $14.6 bn."],
  [O, "Revenue was $14.6 billion.", "Revenue was $14.6."],
  [S, "The city has 50,000,000 residents.", "The city has 5 crore residents."],
  [S, "Der Umsatz lag bei 2,5 Millionen Euro.", "Der Umsatz lag bei 2,5 Mio. Euro."],
  [S, "Der Umsatz lag bei 3,5 Milliarden Euro.", "Der Umsatz lag bei 3,5 Mrd. Euro."],
  [S, "The rate of errors is 0.5% of lines.", "The rate of errors is 5‰ of lines."],
  [S, "The rate rose 0.25% in May.", "The rate rose 25 bps in May."],
  [S, "The rate rose 0.25% in May.", "The rate rose 25 basis points in May."],
  [S, "The probability of error is 0.00032 per line.", "The probability of error is 3.2·10⁻⁴ per line."],
  [S, "The temperature fell to -5 °C.", "The temperature fell to –5 °C."],
  [S, "The depth was −5 and the length 9.", "The depth was negative five."],
  [S, "The contract began on 3 April 2026.", "The contract began on 3-Apr-26."],
  [S, "The contract began on 3 April 2026.", "The contract began on 2026年4月3日."],
  [S, "The shop opens at nine.", "The shop opens at 9:00."],
  [S, "The shop opens at 9:00.", "The shop opens at nine."],
  [S, "0.5 of the members voted for it.", "1 / 2 of the members voted for it."],
  [S, "The market has 256,000 visitors.", "The market has 25万6千 visitors."],
  [S, "The market has 350,000,000 visitors.", "The market has 3.5亿 visitors."],
  [S, "The car drove at 60 km/h.", "The car drove at 60 km per hour."],
  // Another multiplier is no other way to write the same, and supports nothing.
  [O, "12 thousand people attended.", "12 people attended."],
  [O, "There were 12 people at the march.", "There were 12 thousand people at the march."],
  [S, "All figures in thousands.\nThere were 12 people at the march.", "There were 12 thousand people at the march."],
  [O, "The city has 5 lakh residents.", "The city has 5 residents."],
  [O, "Der Umsatz lag bei 2,5 Mio. Euro.", "Der Umsatz lag bei 2,5 Euro."],
  [O, "The market has 3.5亿 visitors.", "The market has 3.5 visitors."],
  [C, "The rate of errors is 5% of lines.", "The rate of errors is 5‰ of lines."],
  [C, "The rate rose 25% in May.", "The rate rose 25 bps in May."],
  [C, "The probability of error is 3.2 per line.", "The probability of error is 3.2·10⁻⁴ per line."],
  [C, "The temperature fell to 5 °C.", "The temperature fell to negative five °C."],
  [C, "The contract began on 4 April 2026.", "The contract began on 3-Apr-26."],
  [C, "The contract began on 4 April 2026.", "The contract began on 2026年4月3日."],
  [C, "The shop opens at 9:00.", "The shop opens at ten."],
  [O, "The grant was 5,000 euros.", "The grant was 5 mil euros."],
  [N, "The grant was 6 zillion euros.", "The grant was 5 euros."],
  [O, "人口は256,000人です。", "人口は25万7千人です。"],
  [O, "公司收入为360,000,000元。", "公司收入为3.5亿元。"],
  [O, "会议于2026年4月3日举行。", "会议于2026年4月4日举行。"],
  // A unit is compared whole.
  [C, "The monthly fee for members is $20 per year.", "The monthly fee for members is $20 per month."],
  [N, "The fee is 20 dollars per year.", "The fee is 20 dollars per month."],
  [N, "The fee is $20/year.", "The fee is $20/month."],
  [N, "The fee is $20 a year.", "The fee is $20 a month."],
  [N, "The pump gives 20 mg per day.", "The pump gives 20 mg per hour."],
  [O, "The pump gives 20 mg per day.", "The pump gives 20 mg."],
  [N, "The garden has 20 metres.", "The garden has 20 square metres."],
  [N, "The tank holds 20 square metres.", "The tank holds 20 cubic metres."],
  [N, "The tank holds 20 m2.", "The tank holds 20 m3."],
  [S, "The garden has 20 m².", "The garden has 20 square metres."],
  [C, "Der Preis beträgt 20 Euro pro Jahr.", "Der Preis beträgt 20 Euro pro Monat."],
  [C, "Le prix est de 20 euros par an.", "Le prix est de 20 euros par mois."],
  [N, "El precio es de 20 euros al año.", "El precio es de 20 euros al mes."],
  [N, "Il prezzo è di 20 euro all'anno.", "Il prezzo è di 20 euro al mese."],
  [C, "O preço é de 20 euros por ano.", "O preço é de 20 euros por mês."],
  [O, "The monthly fee for members is $20 per head.", "The monthly fee for members is $20 per person."],
  [S, "The fee is 1.25% per annum.", "The fee is 1.25% a year."],
  [O, "The fee for members is $240 per year.", "The fee for members is $20 per month."],
  // A clause belongs to its own subject.
  [N, "The bridge was designed in 1980 by Ida Moen.", "The bridge was designed by Ida Moen, who was born in 1950."],
  [N, "Ida Moen, who was born in 1950, designed the bridge.", "The bridge was designed by Ida Moen in 1980."],
  [C, "Ida Moen, who was born in 1950, designed the bridge.", "The bridge is by Ida Moen, who was born in 1980."],
  // Ranges.
  [O, "Each bag weighs 10 to 15 kg.", "Each bag weighs 12 kg."],
  [O, "Each bag weighs 10–15 kg.", "Each bag weighs 12 kg."],
  [N, "Each bag weighs 10 to 15 kg.", "Each bag weighs 20 kg."],
  [C, "The exhibition runs from 6 to 29 August.", "The exhibition runs from 6 to 19 August."],
  // Ordinals are no operands.
  [N, "She came 3rd. There were 2 more.", "She came 3rd, 2 places ahead, so that is 5."],
  // A missing name is a remark.
  [O, "Ana Ruiz approved the budget of $40,000.", "Maria Lopez approved the budget of $40,000."],
];

test.each(cases)("%s: by “%s”, “%s”", (verdict, document, response) => {
  const { claims } = judgeByRules({ prompt: "", response, document, strict: false });
  expect(claims.at(-1)?.verdict).toBe(verdict);
});

test("a reason says that the document has it in other words only where it has", () => {
  const document = "Paragraph 140 of the rules was changed in May. The population was 70 million in 2020.";
  const { claims } = judgeByRules({ prompt: "", response: "140 people were asked.", document, strict: false });
  expect(claims[0]).toMatchObject({
    verdict: O,
    findings: [{ reason: expect.stringContaining("shares few of its words") }],
  });
  const wrong = judgeByRules({
    prompt: "",
    response: "The population was 140 million in 2020.",
    document,
    strict: false,
  });
  expect(wrong.claims[0]?.findings[0]?.reason).toBe("The document says 70 million, not 140 million.");
});

test.each([
  ["24 eggs in 1 tray x 2 trays = 48 eggs.", 0],
  ["3 * 0.8 = 2.4 billion.", 0],
  ["5+1=6 times $5.", 0],
  ["3 * 0.8 = 2.5 billion.", 1],
  ["24 eggs x 2 trays = 47 eggs.", 1],
])("of the sum %j, %i is wrong", (response, contradicted) => {
  expect(judgeByRules({ prompt: "", response, document: null, strict: false }).counts).toMatchObject({ contradicted });
});

test("the word after “and use” is not forbidden", () => {
  const prompt = "Write a slogan. Don't mention 'price' and use the word 'value'.";
  const formOf = (response: string) => judgeByRules({ prompt, response, document: null, strict: false }).counts.form;
  expect(formOf("The value counts.")).toEqual({ kept: 1, broken: 0 });
  expect(formOf("The price counts.")).toEqual({ kept: 0, broken: 1 });
});

test.each([
  ["Take one dose a day.", { kept: 1, broken: 0 }],
  ["Or you may die.", { kept: 0, broken: 1 }],
])("the word after “but” is not forbidden: %j", (response, form) => {
  const prompt = "Write a leaflet. Do not use the word die in the leaflet, but mention the word 'dose'.";
  expect(judgeByRules({ prompt, response, document: null, strict: false }).counts.form).toEqual(form);
});
