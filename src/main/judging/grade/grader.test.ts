import { describe, expect, test } from "vitest";
import type { RulesGrader } from "#contract";
import { createGrader } from "./grader.ts";
import { findMisfits } from "./json.ts";

const grade = (grader: RulesGrader, answer: string | null, expected: string | null, schema: string | null = null) =>
  createGrader(grader).grade({ answer, expected, schema });

type Case = readonly [grader: RulesGrader, expected: string, passing: readonly string[], failing: readonly string[]];
const number = (tolerance: number): RulesGrader => ({ name: "number", tolerance });
const json = (path: string): RulesGrader => ({ name: "json", path });

const cases: readonly Case[] = [
  [{ name: "exact" }, "Paris", ["Paris"], ["paris", "Paris.", "Paris\n", ""]],
  [{ name: "text" }, "New York", ["new york", " NEW\nYORK! ", "“New-York”", "newyork"], ["York", "New York City"]],
  [{ name: "text" }, "-3.5", ["−3.5.", "(-3.5)"], ["3.5", "-35", "-3"]],
  [{ name: "text" }, "1,000", ["1000", "1,000."], ["1.000", "100"]],
  [{ name: "text" }, "C", ["c", "`C`", "**C**.", "c\u200b"], ["C#", "C++", "c#", "CC"]],
  [{ name: "text" }, "C#", ["`c#`", "C #".replace(" ", ""), "“C#”!"], ["C", "F#", "C++"]],
  [
    { name: "text" },
    "Straße",
    ["STRASSE", "strasse", "straße\ufeff", "Stra\u00adße", "stra\u200bße"],
    ["Strase", "Straßen"],
  ],
  [{ name: "text" }, "ΟΔΟΣ", ["οδος", "οδοσ", "Οδός".normalize("NFD").replaceAll(/\p{M}/gu, "")], ["οδο"]],
  [{ name: "text" }, "ılık", ["Ilık".replace("I", "ı")], ["ilik"]],
  [{ name: "text" }, "1/2", ["1/2.", "“1/2”"], ["12", "1.2", "2/1"]],
  [{ name: "text" }, "50 %", ["50%", "50 %."], ["50", "50 m", "5.0 %"]],
  [{ name: "text" }, ".5", [".5", "(.5)"], ["5", "-.5"]],
  [
    number(0),
    "18",
    ["18", "She makes $18.00 a day.", "3 + 15 = 18.", "**18**", "\\boxed{18}"],
    ["17", "18 or 19", "No."],
  ],
  [
    number(0),
    "9 * 2 = 18\n#### 18",
    ["Two of 9\n#### 18\n(see page 3)", "eighteen", "18, and no one else"],
    ["#### 9 18"],
  ],
  [number(0), "1,319", ["1319", "1,319 lines"], ["1.319", "1318"]],
  [
    number(0),
    "9007199254740993",
    ["It is 9,007,199,254,740,993.", "9007199254740993"],
    ["9007199254740992", "9007199254740994"],
  ],
  [number(1), "-9007199254740993", ["-9007199254740992"], ["-9007199254740991", "9007199254740993"]],
  [
    json("id"),
    "9007199254740993",
    ['{"id":9007199254740993}', '{"id":9007199254740993.0}'],
    ['{"id":9007199254740992}', '{"id":"9007199254740994"}'],
  ],
  [json("price"), "1.1", ['{"price":1.10}', '{"price":11e-1}'], ['{"price":1.11}', '{"price":{"rawJSON":"1.10"}}']],
  [json("price.rawJSON"), "1.10", [], ['{"price":1.10}']],
  [number(0), "1764", ["42²", "42^2", "$42^{2}$", "\\boxed{42^{2}}", "42<sup>2</sup>"], ["42", "422"]],
  [number(0), "42", ["42 m²", "42 m^2", "42 cm^{2}", "42 ²", "x^2 is 42", "42¹"], ["42²", "42^2", "42³"]],
  [number(0), "1000000", ["10⁶", "10^6", "1 × 10⁶", "$1 \\times 10^{6}$"], ["10", "6", "106"]],
  [number(0), "-0.001", ["-10⁻³", "-10^{-3}"], ["10⁻³", "-10"]],
  [{ name: "text" }, "422", ["4 22"], ["42²", "42₂", "42②"]],
  [{ name: "text" }, "9 m²", ["9 m2", "9m²"], ["9²m"]],
  [number(0), "-25", ["It is -25.", "−25 °C"], ["25"]],
  [number(0), "-10", ["**-10**", "It is _-10_.", "`-10`", "**−10** °C", "| -10 |"], ["**10**", "3-10", "mid-10"]],
  [
    number(0),
    "0.75",
    ["\\boxed{\\frac{3}{4}}", "$\\dfrac34$", "So it is $\\boxed{\\frac{3}{4}}$, since 4 · 3 = 12.", "3/4", "¾"],
    ["\\boxed{\\frac{3}{5}}", "\\boxed{3}", "\\frac{4}{3}"],
  ],
  [number(0), "-1.5", ["-\\frac{3}{2}", "$-1\\frac{1}{2}$", "\\frac{-3}{2}"], ["1\\frac{1}{2}", "\\frac{3}{2}"]],
  [
    number(0),
    "1234567",
    [
      ...["1'234'567", "1’234’567", "1,234,567", "1.234.567", "1 234 567", "1{,}234{,}567", "1\\,234\\,567"],
      ...[
        "1,\\!234,\\!567",
        "CHF 1'234'567.00",
        "１，２３４，５６７",
        "١٢٣٤٥٦٧",
        "१२३४५६७",
        "๑๒๓๔๕๖๗",
        "𝟏𝟐𝟑𝟒𝟓𝟔𝟕",
        "١٬٢٣٤٬٥٦٧",
      ],
    ],
    ["1'234'56", "234567", "१२३४५६"],
  ],
  [
    number(0),
    "1234.5",
    ["1 234,5", "1.234,5", "1'234.5", "1'234,5", "1\u202f234,50 €", "1,234.5", "١٢٣٤٫٥"],
    ["1 234", "12345"],
  ],
  [
    number(0),
    "42",
    [
      ...[
        "The answer is 42 (6 × 7 = 42).",
        "42 (check: 42 − 2 = 40)",
        "It is 42.\n\n(Check: 40 + 2 = 42, and 42 / 2 = 21.)",
      ],
      ...[
        "42 [see step 3]",
        "(42)",
        "Final answer: 42. Check: 42 / 2 = 21",
        "**Final answer:** 42\n\n2 of them are mine.",
      ],
      ...[
        "\\boxed{42}\nHere 40 are red, and 2 blue.",
        "\\(42\\)",
        "The answer is 42 [1].",
        "4.2\\cdot10^1",
        "\\boxed{\\text{42 cm}}",
        "40 + 2 = 42",
      ],
    ],
    [
      ...[
        "40–42",
        "40-42",
        "40 - 42",
        "40 -42",
        "40 to 42",
        "between 40 and 42",
        "from 40 km to 42 km",
        "$40 to $42",
        "41 or 42",
      ],
      ...[
        "40 % – 42 %",
        "40...42",
        "40~42",
        "42 ± 2",
        "#### 40-42",
        "#### 42-44",
        "\\boxed{40 \\text{ to } 42}",
        "zwischen 40 und 42",
      ],
      ...[
        "40 bis 42",
        "de 40 à 42",
        "42 (or 43)",
        "43 (or 42)",
        "[40, 42]",
        "40 thru 42",
        "du 40 au 42",
        "40至42",
        "Final answer: 42 to 44",
      ],
    ],
  ],
  [number(0.1), "1.2", ["1.3", "1.1", "1.2"], ["1.31", "1.09"]],
  [number(5), "100", ["about 95", "105 km"], ["94.9", "one hundred and six"]],
  [
    number(0),
    "9",
    ["<think>\\boxed{7}? No.</think>The answer is 9", "<thinking>7</thinking> 9", "Is it 7?</think>9"],
    ["<reasoning>9</reasoning>7"],
  ],
  [number(0), "100", ["100, not 90", "It is 100 rather than 90.", "not 90 but 100"], ["90, not 100"]],
  [
    number(0),
    "25",
    ["25 (or 26 if you count the first)", "25 (oder 26, wenn er kommt)"],
    ["25 (or 26)", "26 (or 25 if not)"],
  ],
  [number(0), "256000", ["25万6千"], ["25万", "25"]],
  [number(0), "350000000", ["3.5亿"], ["3.5"]],
  [number(0), "500000", ["5 lakh", "5 lakhs"], ["5"]],
  [number(0), "2500000", ["2,5 Mio.", "2,5 Millionen"], ["2,5"]],
  [number(0), "0.00032", ["3.2·10⁻⁴"], ["3.2"]],
  [number(0), "-5", ["negative five", "–5", "minus 5"], ["5"]],
  [number(0), "0.5", ["1 / 2", "5‰"], ["2", "1"]],
  [number(0), "0.25", ["25 bps", "25 basis points"], ["25"]],
  [number(0), "0.8", ["4/5"], ["4 out of 5"]],
  [{ name: "exact" }, "caf\u00e9", ["cafe\u0301", "<think>bar</think>\n\ncaf\u00e9"], ["caf\u00e9\u200b", "cafe"]],
  [{ name: "exact" }, "it's", [], ["it’s"]],
  [{ name: "text" }, "3½", ["3½."], ["31/2", "3.5"]],
  [{ name: "text" }, "102", [], ["10²"]],
  [{ name: "contains" }, "5 000 km", ["5\u202f000\u00a0km"], []],
  [{ name: "contains" }, "it's “here”", ['it’s "here"', "it's «here»"], []],
  [{ name: "contains", wholeWords: true }, "art", ["art", "An art.", "art-house"], ["party", "arts", "Art"]],
  [{ name: "contains", wholeWords: true }, "积极", ["很积极的"], []],
  [{ name: "regex" }, "^5 000$", ["5\u202f000"], []],
  [json("$.a"), "caf\u00e9 1", ['{"a":"cafe\u0301\u00a01"}', '<think>{"a":1}</think>{"a":"caf\\u00e9 1"}'], []],
  [{ name: "contains" }, "Ada", ["It was Ada Lovelace."], ["ada", "", "A da"]],
  [{ name: "regex" }, "^\\d{3}-\\d{2}$", ["123-45"], ["123-456", "x123-45"]],
  [{ name: "regex" }, "(?i)yes|ja", ["Oh YES.", "Ja"], ["no"]],
  [
    json("$.items[0].name"),
    "tea",
    ['{"items":[{"name":"tea"}]}', '```json\n{"items":[{"name":"tea"}]}\n```'],
    ['{"items":[]}', "tea"],
  ],
  [
    json("a.b"),
    "18",
    ['{"a":{"b":18}}', '{"a":{"b":"18"}}', '{"a":{"b":18.0}}'],
    ['{"a":{"b":19}}', '{"a":18}', '{"a":null}'],
  ],
  [json("$['two words']"), "true", ['{"two words":true}'], ['{"two words":false}']],
  [json("$"), '{"a":1,"b":[2]}', ['{"b":[2],"a":1}'], ['{"a":1}', "null"]],
  [
    json("a"),
    "18",
    [
      ...[
        '```json\r\n{"a":18}\r\n```',
        '~~~\n{"a":18}\n~~~',
        '````json\n{"a":18}\n````',
        '  ```json\n  {"a":18}\n  ```',
      ],
      ...['Here you are:\n\n```json\n{"a":18}\n```\nBye!', 'Here it is: {"a":18}', '{"a":18} is it.', '\ufeff{"a":18}'],
      ...['1. So:\n   ```JSON\n   {\n     "a": 18\n   }\n   ```', '<think>{"a":1}</think>{"a":18}', '```\n{"a":18}'],
    ],
    [
      ...[
        '```\n{"a":18}\n```\n```\n{"a":19}\n```',
        '{"a":17} or {"a":18}',
        '```json\n{"a":18\n```',
        '~~~\n{"a":17}\n~~~',
        "[18]",
      ],
    ],
  ],
  [json("id"), "9007199254740993", ['{"id":9007199254740993}'], ['{"id":9007199254740992}', '{"id":9007199254740994}']],
  [
    json("$"),
    '{"ids":[12345678901234567890]}',
    ['{"ids": [12345678901234567890]}'],
    ['{"ids": [12345678901234567891]}', '{"ids": ["12345678901234567890"]}'],
  ],
  // Lists are sets, and numbers are read as the number grader reads them.
  [
    json("$.labels"),
    "bug; billing",
    ['{"labels":["billing","bug"]}', '{"labels":["bug","billing","bug"]}'],
    ['{"labels":["bug"]}', '{"labels":["bug","billing","login"]}', '{"labels":[]}', '{"labels":"bug"}'],
  ],
  [json("$.labels"), '["bug","a, b"]', ['{"labels":["a, b","bug"]}'], ['{"labels":["a","b","bug"]}']],
  [json("$.labels"), "1,2", ['{"labels":[2,1]}', '{"labels":["1","2.0"]}'.replace("2.0", "2")], ['{"labels":[12]}']],
  [{ ...json("$.labels"), ordered: true } as RulesGrader, "a, b", ['{"labels":["a","b"]}'], ['{"labels":["b","a"]}']],
  [json("$.n"), "454,56", ['{"n":454.56}', '{"n":"454.56"}'], ['{"n":45456}', '{"n":454.57}']],
  [json("$.n"), "1,319.50 €", ['{"n":1319.5}'], ['{"n":1.3195}']],
  [json("$.n"), "1.10", ['{"n":1.1}', '{"n":"1.10"}'], ['{"n":"1.1"}']],
  [json("$.n"), "007", ['{"n":"007"}'], ['{"n":7}', '{"n":"7"}']],
  [json("$.n"), "TRUE", ['{"n":true}'], ['{"n":false}']],
  // Several accepted answers, and sets.
  [{ name: "exact", cell: { as: "any" } }, "Paris|Lutetia", ["Paris", "Lutetia"], ["Paris|Lutetia", "Rome"]],
  [{ name: "text", cell: { as: "any", separator: "/" } }, "colour/color", ["Color.", "colour"], ["colors"]],
  [number(0), "5", ["5 apples", "5 km", "5 k people"], ["5k", "5lakh", "5 万", "5 mln", "5-Apr-25", "2026年4月5日"]],
  [number(0), "50,000", ["5 万", "50k"], ["5 thousand"]],
  [{ name: "number", tolerance: 0, cell: { as: "any" } }, "1,319; 12", ["1319", "12"], ["319", "1"]],
  [{ name: "contains", cell: { as: "any" } }, '["a, b","c"]', ["x a, b", "c"], ["a b"]],
  [{ name: "contains", cell: { as: "set" } }, "Ada; Grace", ["Grace and Ada"], ["Ada", "Grace"]],
  [{ name: "text", cell: { as: "set" } }, "red, blue", ["Blue and red.", "red\nblue"], ["red", "red, blue, green"]],
  [
    { name: "text", cell: { as: "set" } },
    "Trinidad and Tobago|Cuba",
    ["Trinidad and Tobago, Cuba", "Cuba and Trinidad and Tobago."],
    ["Trinidad, Tobago", "Trinidad and Tobago", "Trinidad and Tobago, Cuba and Haiti"],
  ],
  [{ name: "text", cell: { as: "set" } }, "1,319|5", ["1,319; 5", "5 and 1319"], ["1; 319; 5", "1,319"]],
  [{ name: "text", cell: { as: "set" } }, "[]", ["[]", " "], ["red"]],
  [{ ...json("$.x"), cell: { as: "set" } } as RulesGrader, "[]", ['{"x":[]}'], ['{"x":["a"]}']],
  [json("$.x"), "Washington, D.C.", ['{"x":["Washington, D.C."]}', '{"x":["D.C.","Washington"]}'], ['{"x":["D.C."]}']],
  [json("$.x"), "[1,2]", ['{"x":[2,1.0]}'], ['{"x":[[1,2]]}', '{"x":[1]}']],
  [{ name: "regex", cell: { as: "any" } }, '["^(a|b)$","c{1,2}"]', ["b", "cc"], ["d"]],
  [{ name: "regex", cell: { as: "any", separator: " OR " } }, "^(a|b)$ OR c{1,2}", ["b", "cc"], ["d"]],
  [{ ...json("$.x"), cell: { as: "set", separator: "+" } } as RulesGrader, "a+b", ['{"x":["b","a"]}'], ['{"x":["a"]}']],
  [json("$.x"), "null", ['{"x":null}'], ["{}", '{"x":0}']],
];

describe("an answer is held against the expected one", () => {
  test.each(cases)("%j %j", (grader, expected, passing, failing) => {
    for (const answer of passing)
      expect({ answer, ...grade(grader, answer, expected) }).toMatchObject({ grade: "pass" });
    for (const answer of failing)
      expect({ answer, ...grade(grader, answer, expected) }).toMatchObject({ grade: "fail" });
  });

  test("a request without an answer has no grade but that", () => {
    for (const grader of [number(0), { name: "schema" }, { name: "label" }] as const) {
      expect(grade(grader, null, "18")).toMatchObject({ grade: "no_answer", given: null, expected: "18" });
    }
    for (const grader of [number(0), json("a"), { name: "label" }, { name: "contains" }] as const) {
      expect(grade(grader, "18", null)).toMatchObject({ grade: "no_expected", why: "The table has no such row." });
      expect(grade(grader, "18", " ")).toMatchObject({ grade: "no_expected", why: "The row has no expected answer." });
    }
    expect(grade(number(0), "<think>It is 18", "18")).toMatchObject({
      grade: "no_answer",
      why: "The answer is reasoning only.",
    });
  });

  test.each(["lakhs-ish", "zillion", "mil", "Cr", "миллионов", "miljoen"])(
    "a multiplier that is not known is never dropped: 5 %s",
    (scale) => {
      const reason = `has a multiplier that is not known: '${scale}'.`;
      expect(grade(number(0), `It is 5 ${scale} euros.`, "5")).toMatchObject({ grade: "fail", given: `5 ${scale}` });
      expect(grade(number(0), `It is 5 ${scale} euros.`, "5").why).toContain(reason);
      expect(createGrader(number(0)).findMistake(`5 ${scale}`)).toContain(reason.slice(0, -1));
    },
  );

  test("the grade says what was expected and what the answer gave", () => {
    expect(grade(number(0.5), "So 3 × 6 = 18\n#### 18", "#### 18.4")).toEqual({
      expected: "18.4",
      given: "18",
      grade: "pass",
      why: "The answer's number is 18, as expected within 0.5.",
    });
    expect(grade({ name: "exact" }, "x".repeat(5_000), "y").given).toHaveLength(1_001);
  });

  test("an expected value that can't be used is said to be the mistake", () => {
    expect(createGrader(number(0)).findMistake("n/a")).toContain("has no number");
    expect(createGrader(number(0)).findMistake("17–18")).toContain("is a range");
    expect(createGrader({ name: "regex" }).findMistake("(")).toMatch(/^'\(' is no pattern: /);
    expect(createGrader({ name: "contains" }).findMistake("")).toBeNull();
    expect(() => createGrader({ name: "number", tolerance: 0, cell: { as: "set" } })).toThrow("can't compare sets");
    expect(createGrader({ name: "text" }).findMistake("")).toBeNull();
    expect(() => createGrader(json("$.a..b"))).toThrow("'$.a..b' is no path");
  });

  test("a pattern that backtracking engines hang on takes no time", () => {
    expect(grade({ name: "regex" }, `${"a".repeat(30_000)}!`, "^(a+)+$").grade).toBe("fail");
  });
});

test("an answer may name all labels of a set, or one of several accepted ones", () => {
  const labels = ["bug", "billing", "login"];
  const gradeBy = (as: "any" | "set", answer: string) =>
    createGrader({ name: "label", cell: { as } }, labels).grade({ answer, expected: "bug; billing", schema: null });
  expect(gradeBy("set", "Billing and bug.")).toMatchObject({ grade: "pass", given: "billing, bug" });
  expect(gradeBy("set", "Billing, not bug.")).toMatchObject({ grade: "fail", given: "billing" });
  expect(gradeBy("any", "It is billing.")).toMatchObject({ grade: "pass" });
  expect(gradeBy("any", "It is login.")).toMatchObject({ grade: "fail" });
});

describe("labels", () => {
  const read = (labels: readonly string[], answer: string) =>
    createGrader({ name: "label" }, labels).grade({ answer, expected: labels[0] ?? "", schema: null }).given;
  const moods = ["positive", "negative", "very positive"];

  test.each<[readonly string[], string, string | null]>([
    [moods, "Positive.", "positive"],
    [moods, "I'd call it very positive, I think.", "very positive"],
    [moods, "It sounds **negative** to me", "negative"],
    [moods, "It is positive here and negative there.", null],
    [moods, "First it looks positive.\n\nLabel: negative", "negative"],
    [moods, "nonpositive", null],
    [moods, "", null],
    [["A", "B", "C"], "A good question: the answer is B", "B"],
    [["A", "B", "C"], "(c)", "C"],
    [[">50K", "<=50K"], "The income is <=50K.", "<=50K"],
    // Denied.
    [["A", "B", "C"], "It is not B.", null],
    [["A", "B", "C"], "not B", null],
    [["A", "B", "C"], "I do not think that it is B.", null],
    [["A", "B", "C"], "B isn't right, so it must be C.", "C"],
    [["A", "B", "C"], "A is wrong and B is not correct. C fits.", "C"],
    [["true", "false"], "It is not true.", null],
    [["true", "false"], "That is not, in my view, true.", null],
    [["yes", "no"], "There is no doubt.", null],
    [["yes", "no"], "There is no doubt: yes, it is.", "yes"],
    [["yes", "no"], "No, it isn't.", "no"],
    [["yes", "no"], "No it does not.", "no"],
    [moods, "I have no doubt that it is positive.", "positive"],
    [moods, "Das ist nicht positiv: not positive at all.", null],
    [["positiv", "negativ"], "Es ist nicht positiv, sondern negativ.", "negativ"],
    [["positif", "négatif"], "Ce n'est pas positif mais négatif.", "négatif"],
    [["positivo", "negativo"], "No es positivo, sino negativo.", "negativo"],
    [["positive", "non-positive"], "It is non-positive.", "non-positive"],
    [moods, "It is non-positive.", null],
    [["relevant", "not relevant"], "The passage is not relevant.", "not relevant"],
    [["relevant", "irrelevant"], "The passage is irrelevant.", "irrelevant"],
    // Corrected.
    [moods, "It is not positive but neutral, or rather negative", "negative"],
    [["positive", "negative", "neutral"], "not positive but neutral", "neutral"],
    [["A", "B", "C"], "B, not A", "B"],
    [["A", "B", "C"], "A? No, B.", "B"],
    [["A", "B", "C"], "B rather than A", "B"],
    [moods, "It's positive. Correction: negative.", "negative"],
    // The answer before what is said about it.
    [["A", "B", "C"], "Final answer: B\n\nHere is why A is wrong: the answer A would need C.", "B"],
    [["A", "B", "C"], "**Final Answer:** B) Paris. A and C are in other countries.", "B"],
    [["A", "B", "C"], "The answer is **B** because A and C are false.", "B"],
    [["A", "B", "C"], "B.\n\nA is too small, C is too large.", "B"],
    [["A", "B", "C"], "B\n\nA would be my second choice.\nC my third.", "B"],
    [["A", "B", "C"], "A is tempting, and so is C.\n\nB", "B"],
    [["A", "B", "C"], "A\nis tempting\nB", null],
    [["A", "B", "C"], "A dog is an animal, so it is B.", "B"],
    [["A", "B", "C"], "<think>A? Or B?</think>C", "C"],
    // Other names that begin with a label.
    [["C", "Java"], "It is written in C++.", null],
    [["A", "B", "C"], "The correct option is C: Paris. Option A is in Spain.", "C"],
    [["A", "B", "C"], "正确答案是B，不是A。", "B"],
    [["A", "B", "C"], "Antwort: B. A ist falsch.", "B"],
    [["A", "B", "C"], "\\boxed{\\text{B}}", "B"],
    [["积极", "消极"], "这条评论很积极。", "积极"],
    [["积极", "消极"], "这条评论不积极。", null],
    [["yes", "no"], "Yes and no.", null],
    [["yes", "no"], "I have no idea.", null],
    [moods, "It is far from positive.", null],
    [moods, "It would be wrong to call it positive.", null],
    [moods, "It's false that this is positive.", null],
    [moods, "Nothing positive here: negative.", "negative"],
    [["A", "B", "C"], "answer b", "B"],
    [["A", "B", "C"], "C is the best answer. A is wrong because it ignores B.", "C"],
    [["A", "B", "C"], "option B because A and C are too small", "B"],
    [["A", "B", "C", "D"], "B is correct; A, C, and D are incorrect.", "B"],
    [["A", "B", "C", "D"], "**A**, **C**, and **D** are wrong, B is right.", "B"],
    // In brackets.
    [["(A)", "(B)"], "(B) has the longer name, and a good one. So the answer is (A).", "(A)"],
    [
      ["(A)", "(B)"],
      '(A) "ruin man": it is funny.\n(B) "rains man": "rains" is no word.\nSo the answer is (A).',
      "(A)",
    ],
    [["(A)", "(B)"], "A", "(A)"],
    [["(A)", "(B)"], "Answer: B.", "(B)"],
    [["(A)", "(B)"], "(B)", "(B)"],
    [["A", "B"], "A dog? (B) it is.", "B"],
    [["A)", "B)"], "The answer is (A)", "A)"],
    [["valid", "invalid"], "So the answer is invalid.", "invalid"],
    // Undecided.
    [["A", "B", "C"], "The answer is A or B.", null],
    [["A", "B", "C"], "It is A, or B.", null],
    [["A", "B", "C"], "The answer is (A), (B) or D.", null],
    [["A", "B", "C"], "A or possibly D", null],
    [["A", "B", "C"], "The answer is A and C.", null],
    [["A", "B", "C"], "The answer is A, C.", null],
    [["A", "B", "C"], "Is it A or B? It is B.", "B"],
    [["1", "2", "3"], "1 or 2", null],
    // Numbers on a scale.
    [["1", "2", "3", "4", "5"], "4/5", "4"],
    [["1", "2", "3", "4", "5"], "I give it **2 out of 5** stars.", "2"],
    [["1", "2", "3", "4", "5"], "Rating: 3 / 5.", "3"],
    [["1", "2", "3", "4", "5"], "4/10", null],
    [["1", "2", "3", "4", "5"], "2.5/5", null],
    [["1", "2", "3", "4"], "4/5", "4"],
    [["2", "3"], "3/5, because it is short", "3"],
    [["1", "2", "3", "4"], "4 out of 5 stars", "4"],
    [["1", "2", "3", "4", "5"], "It meets 3 of 5 criteria.", null],
    [["1", "2", "3", "4", "5"], "It meets 3 of 5 criteria, so the answer is 4.", "4"],
    [["1", "2", "3", "4", "5"], "3/5 tests pass. Rating: 2", "2"],
    // Lists.
    [["a", "c", "a, c"], "a and c", "a, c"],
    [["a", "c", "a, c"], "The answer is (a), and (c).", "a, c"],
    [["a", "c", "a, c"], "a,c", "a, c"],
    [["a", "c", "a, c"], "c", "c"],
    // Composed, and in other spaces.
    [["caf\u00e9", "bar"], "A cafe\u0301.", "caf\u00e9"],
    [["caf\u0065\u0301", "bar"], "A caf\u00e9.", "caf\u0065\u0301"],
    [["very good", "bad"], "It is very\u202fgood.", "very good"],
    [["1", "2", "3"], "2.5", null],
    [["1", "2", "3"], "-1", null],
    [moods, "It is anything but positive.", null],
    [moods, "It is hardly positive, rather negative.", "negative"],
    [moods, "Overall: negative. The positive remarks are few.", "negative"],
    [["C", "C#"], "It is C#.", "C#"],
    [["Straße", "Weg"], "STRASSE", "Straße"],
    [moods, "`positive`", "positive"],
    [moods, "posi\u200btive", "positive"],
  ])("%j: %j names %j", (labels, answer, label) => {
    expect(read(labels, answer)).toBe(label);
  });
});

test.each([
  "A ",
  "not ",
  "answer is ",
  "final answer: ",
  "no answer is A? ",
  "```x\n",
  "(a",
  "[x=",
  "{",
  "\\frac{",
  "1 ",
])("an answer of nothing but %j is graded in time that grows with its length", (part) => {
  const graders = [number(0), json("a"), { name: "text" }] as const;
  const gradeAll = (answer: string) => {
    for (const grader of graders) grade(grader, answer, "42");
    createGrader({ name: "label" }, ["A", "B", "no"]).grade({ answer, expected: "A", schema: null });
  };
  // What grows with the square takes minutes for this, and runs into the time limit of the test.
  gradeAll(part.repeat(100_000));
});

describe("the request's own schema", () => {
  const schema = JSON.stringify({
    type: "object",
    properties: { email: { type: "string", format: "email" }, code: { type: "string", pattern: "^(a+)+$" } },
    required: ["email"],
  });
  const fits = (answer: string, by: string | null = schema) => grade({ name: "schema" }, answer, null, by);

  test("decides, and the reason says what does not fit", () => {
    expect(fits('{"email":"ada@example.org"}').grade).toBe("pass");
    expect(fits("{}").why).toBe("The answer must have required property 'email'.");
    expect(fits('{"email":"nobody"}').why).toContain("/email");
    expect(fits(`{"email":"a@b.org","code":"${"a".repeat(5_000)}!"}`).why).toContain("/code");
    expect(fits("email: ada").why).toBe("The answer is no JSON.");
    expect(fits("{}", null).why).toBe("The request asks for no JSON schema.");
  });

  test.each([
    ['{"email":"ada@example.org","more":[{"n":1}]}', []],
    ["email: ada", ["answer"]],
    ['["ada"]', ["answer"]],
    ['{"code":"b"}', ["answer.email", "answer.code"]],
    ['{"email":7,"other":1}', ["answer.email", "answer.other"]],
    ['{"email":"ada@example.org","more":[{"n":1},{"n":"x"},{}]}', ["answer.more.1.n", "answer.more.2.n"]],
    ['```json\n{"email":"ada@example.org"}\n```', []],
  ])("names each column of %s that breaks it", (answer, paths) => {
    const more = { type: "array", items: { properties: { n: { type: "number" } }, required: ["n"] } };
    const strict = { ...JSON.parse(schema), additionalProperties: false };
    const text = JSON.stringify({ ...strict, properties: { ...strict.properties, more } });
    const found = findMisfits(answer, text).map(({ path }) => path);
    expect(found.toSorted()).toEqual(paths.toSorted());
    expect(fits(answer, text).grade).toBe(paths.length === 0 ? "pass" : "fail");
  });

  test("that can't be used, or has no end, fails its line and says so", () => {
    for (const unusable of ['{"type":"thing"}', '{"allOf":[{"$ref":"#"}]}', "[]"]) {
      expect(fits("{}", unusable)).toMatchObject({ grade: "fail", why: expect.stringContaining("can't be used") });
    }
  });
});

test("patterns are not split by a guess, and what is not seen is no expected value", () => {
  const regex = createGrader({ name: "regex", cell: { as: "any" } });
  expect(regex.findMistake("^(a|b)$")).toContain("choose the separator");
  expect(regex.findMistake("^a$")).toBeNull();
  for (const name of ["text", "exact", "contains"] as const) {
    expect(grade({ name }, "Paris", "\u200b")).toMatchObject({ grade: "no_expected" });
  }
});

test("long lists are equal in any order", () => {
  const values = Array.from({ length: 5_000 }, (_, at) => `value ${at}`);
  const cell = values.toReversed().join("|");
  expect(grade(json("$"), JSON.stringify(values), cell)).toMatchObject({ grade: "pass" });
  expect(grade(json("$"), JSON.stringify(values.with(0, "other")), cell)).toMatchObject({ grade: "fail" });
});
