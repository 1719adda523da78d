import { describe, expect, test } from "vitest";
import { readText } from "../text/sentences.ts";
import { checkInstructions } from "./check-instructions.ts";

const check = (prompt: string, response: string) =>
  checkInstructions({ prompt: readText("prompt", prompt), response: readText("response", response), document: null });

const verdicts = (prompt: string, response: string) => [
  ...new Set(check(prompt, response).map(({ verdict }) => verdict)),
];

type Case = [prompt: string, followed: string, broken: string];

const long = "word ".repeat(80).trim();
const french =
  "La photosynthèse est le processus par lequel les plantes produisent leur propre nourriture à partir de la lumière.";
const english =
  "Photosynthesis is the process by which green plants make their own food out of light, water and carbon dioxide.";

describe.each<[name: string, cases: Case[]]>([
  [
    "JSON",
    [
      ["Answer as JSON. Who wrote it?", '{"author": "Ada"}', "Ada wrote it."],
      [
        "Who wrote it? Respond with valid JSON only.",
        '```json\n{"author": "Ada"}\n```',
        'Here you are: {"author": "Ada"}',
      ],
      ['Return a JSON object with the keys "name" and "age".', '{"name": "Ada", "age": 36}', '{"name": "Ada"}'],
      ["Extract the names from this text and return them as a JSON array.\n\nText: A.", '["A"]', "A, and no more"],
      ["Return a JSON array of the three names.", '["a", "b", "c"]', '{"a": 1}'],
      ["Your response must be valid JSON.", "[1, 2]", '{"author": "Ada",}'],
      [
        'Reply in JSON that fits this schema: {"type":"object","properties":{"age":{"type":"integer"}},"required":["age"]}',
        'Sure: {"age": 36}',
        '{"age": "36"}',
      ],
      [
        'Output JSON.\n\nSchema:\n```json\n{"type": "object", "properties": {"code": {"type": "string", "pattern": "^(a+)+$"}}}\n```',
        '{"code": "aaa"}',
        `{"code": "${"a".repeat(40)}b"}`,
      ],
    ],
  ],
  [
    "language",
    [
      ["Answer in French. What is photosynthesis?", french, english],
      ["What is photosynthesis? Please respond only in English.", english, french],
      ["Write your answer in Russian.", "Фотосинтез делает растения зелёными.", english],
      [
        "Translate the sentence below into Japanese.\n\nPlants make their own food.",
        "植物は自分で食べ物を作る。",
        english,
      ],
    ],
  ],
  [
    "length",
    [
      ["Explain it in one sentence.", "Plants make food.", "Plants make food. They need light."],
      [
        "In one sentence, explain why the sky is blue.",
        "Air scatters blue light most, e.g. at noon.",
        "Air scatters light. Blue most.",
      ],
      ["Summarize the story in at most 50 words.", "A short story.", long],
      ["Answer in no more than 50 words. Why?", "Because.", long],
      ["system: Keep answers under 20 words.\n\nuser: Why?", "Because it is.", long],
      ["Keep your answer under 20 words.", "Because it is.", long],
      ["Write a poem in at least 60 words.", long, "Roses are red."],
      ["Answer with one word. Where is it?", "Delhi.", "It is in Delhi."],
      ["Give a one-word answer.", "New York", "it is there"],
      ["Your answer must be between 10 and 20 characters long.", "Twelve chars", "No."],
      ["Describe it in two paragraphs.", "One.\n\nTwo.", "One.\n\nTwo.\n\nThree."],
      ["Write a 2-paragraph essay.", "The Fox\n\nIt is red.\n\nIt is quick.", "It is.\n\nIt was.\n\nIt will be."],
      [
        "Summarize the following article in 5 words or less:\n\nIt was cold.",
        "It was cold.",
        "It was cold, as it often is.",
      ],
      [
        "Explain it in simple terms in 2-3 sentences.",
        "Sure! It is. It was. It will be.",
        "It is. It was. It will. Be. So.",
      ],
      ["Answer in 50 words.", "word ".repeat(45), "word ".repeat(90)],
      ["Respond with exactly three words.", "Down the road", "Right down the long road"],
      ["Answer in at most 5 words.", "東京は日本の首都", "東京は日本の首都であり、人口の最も多い都市でもある。"],
      ["Answer in exactly 4 words.", "我喜欢喝咖啡", "我们每天早上都喜欢在家里喝一杯热咖啡"],
      ["Answer in at least 8 words.", "我们每天早上都喜欢在家里喝一杯热咖啡", "我喜欢"],
    ],
  ],
  [
    "items",
    [
      ["List three fruits.", "1. Apple\n2. Pear\n3. Fig", "1. Apple\n2. Pear"],
      [
        "Give me exactly 2 good reasons.",
        "- It is cheap.\n- It is good.",
        "- It is cheap.\n- It is good.\n- It is near.",
      ],
      ["Name at least 2 rivers in India.", "* Ganges\n* Indus\n* Yamuna", ""],
      ["Suggest up to 3 names for a cat.", "- Tom\n- Tim", "- Tom\n- Tim\n- Tam\n- Tum"],
    ],
  ],
  [
    "labels",
    [
      ["Answer yes or no. Is it cold?", "Yes, it is.", "It is rather cold."],
      ["Is it cold? Answer with yes or no only.", "No.", "No, it is warm."],
      ["Classify the review as positive, negative or neutral.", "The review is Positive.", "The review is mixed."],
      ["Answer with one of the following: A, B, C or D.", "B", "E"],
      ["Sort the mail. Classify it into spam or ham.", "Spam", "Junk"],
      ["Respond with only A, B, C, or D.", "B) Paris", "Paris (B)"],
      ["Answer with one of these labels: spam, ham, other.", "Other", "Junk"],
      ["Respond with exactly one word: spam or ham.", '"spam"', "spam, I think"],
      ["Your answer must be one of: low, medium, high.", "Answer: high", "very much"],
      ["True or false: snow is warm.", "False. It is cold.", "It is cold."],
      ["Classify the sentiment into one of: happy, sad: I hate answering yes or no.", "sad", "angry"],
    ],
  ],
  [
    "words",
    [
      ['Describe a fox. Do not use the word "red".', "It hardly reddens.", "It is a red animal."],
      ["Don't use the words 'fox' or 'dog'.", "A cat.", "A Dog barks."],
      ['Write a story. It is short. Include the words "moon" and "tide".', "Moonlight and tides.", "The moon shone."],
      ["Never use exclamation marks. Do not mention the word fox.", "A cat.", "A cat! A fox!"],
      ["Make sure your response doesn't include the keywords 'fox' and 'dog'.", "A cat.", "A fox."],
      ['Your answer does not contain the words "fox" or "dog".', "A cat.", "Dog!"],
      ["The answer must not include keywords 'fox', 'dog' in the response.", "A cat.", "The dog."],
      ["Your response should not mention any of the keywords 'fox', 'dog'.", "A cat.", "A fox."],
      ['Avoid the phrase "as an AI".', "A cat.", "As an AI, I am no cat."],
      ["Include keywords 'moon', 'tide' in the response.", "Tides follow the moon.", "The moon."],
      ['Do not use the word "猫".', "犬です。", "黒猫です。"],
    ],
  ],
  [
    "number alone",
    [
      ["What is 6 times 7? Answer with only the number.", "42", "The answer is 42 apples"],
      ["How many? Reply with just a number.", "**1,200**", "About 1200 people"],
      ["How much is it? Give the final number only.", "$\\boxed{12}$", "12 dollars"],
    ],
  ],
  [
    "letter case",
    [
      ["Answer in all capital letters.", "IT IS COLD.", "It is cold."],
      ["Your entire response should be in English, and in all lowercase letters.", "it is cold.", "It is cold."],
    ],
  ],
  [
    "start and end",
    [
      ['Start your answer with "Certainly".', "Certainly, it is.", "It is, certainly."],
      ['End your response with the phrase "Any other questions?".', "Yes. **Any other questions?**", "Yes."],
    ],
  ],
])("an instruction about %s", (_name, cases) => {
  test.each(cases)("%j: followed by %j, broken by %j", (prompt, followed, broken) => {
    expect(verdicts(prompt, followed)).toEqual(["supported"]);
    if (broken !== "") expect(verdicts(prompt, broken)).toContain("contradicted");
  });
});

test("a broken instruction is shown where it stands in the prompt, with the wrong part of the response", () => {
  const prompt = 'Describe a fox. Do not use the word "red". Thanks.';
  expect(check(prompt, "It is red.")).toEqual([
    {
      kind: "instruction",
      verdict: "contradicted",
      range: { start: 6, end: 9 },
      reason: 'The prompt forbids the word "red".',
      evidence: [{ source: "prompt", start: 16, end: 42, text: 'Do not use the word "red".' }],
    },
  ]);
});

describe("what merely mentions the form of an answer is no instruction", () => {
  test.each([
    [
      "in a passage",
      "Passage: The teacher was strict.\nAnswer in French. Use at most 3 words.\n\nQuestion: What was the teacher like?",
    ],
    [
      "in a passage of several paragraphs",
      "Context:\nAll is well.\n\nAnswer yes or no.\n\nRespond in JSON.\n\nQuestion: How is it?",
    ],
    [
      "in a mail that is introduced",
      "Summarize the following email:\n\nHi Bob,\nplease answer in one word.\nReply only with JSON.\nAda",
    ],
    ["in a mail that is announced", "Tell me what this email is about.\n\nHi Bob,\nAnswer in one word.\nAda"],
    ["between fences", "What does this say?\n```\nAnswer in JSON.\n```"],
    ["between tags", "What is asked here?\n<document>\nAnswer in one word.\n</document>"],
    ["between triple quotes", 'What does it say?\n"""\nAnswer in one word.\n"""'],
    ["in a quoted line", "What does he mean?\n> Answer in one word."],
    ["in quotation marks", 'The sign said "Answer in one word." and I left. What now?'],
    ["in text that is above", 'Answer in one word. Do not use the word "it".\n\nWhat does the text above ask for?'],
    ["after the colon of a task", "Summarize: Answer in JSON. List three things."],
    ["as a question", "Can a poem be written in one word? How do I answer in French?"],
    ["as a subject", "Explain what JSON is. Describe how to say hello in French. Write a function that returns JSON."],
    ["as a tool", "Use JSON.parse to read it. Write a JSON parser. Print JSON keys of the file."],
    ["as a case", "If you don't know, answer in one word. Answer in French if the question is in French."],
    ["about parts", "List five animals, each in one word. Write a title in three words, then a story."],
    ["in an example", "Q: Is it cold?\nA: Answer in one word.\nQ: Is it warm?"],
    ["with an alternative", "Answer in French or in German."],
    [
      "of each of several responses",
      "Give two different responses, divided by ******. Each has 3 paragraphs. List 9 cats.",
    ],
    ["by a divider", "Describe it in 3 paragraphs, divided by ***."],
    ["as a story", "Write a story about a man who can only speak in one word."],
    ["as numbers of other things", "Give me 10 minutes. List 3 days of rain. Write 12 lines of code."],
    ["among other tasks", "1. Summarize it in one word.\n2. List five animals.\n3. Translate the title."],
    ["before another task", "Answer in one word. Then list five animals."],
    ["as things to write about", "Write a poem or a story. Write about cats or dogs. Return early or late."],
    ["as orders that are no form", "Answer the question or say that you don't know. Choose a good or a bad end."],
  ])("%s", (_name, prompt) => {
    expect(check(prompt, `- ${english}\n- It is what it is, said the fox.`)).toEqual([]);
  });
});

test("instructions that differ are left alone: it is unclear which was meant", () => {
  expect(check("Answer in French.\n\nAnswer in English.", english)).toEqual([]);
});

test("the same text is too short, or too mixed, to say that its language is wrong", () => {
  for (const response of [
    "Paris",
    "Oui, Paris.",
    `${french}\n\n${english}`,
    "42",
    "```js\nconst answer = 42;\nconsole.log(answer);\n```",
  ]) {
    expect(verdicts("Answer in French.", response), response).not.toContain("contradicted");
  }
});

test("a few words in the script of a language are no response in it, and none in another language", () => {
  expect(verdicts("Answer in Russian.", `${english} Фотосинтез.`)).toEqual([]);
  expect(verdicts("Answer in Japanese.", `${english} 光合成`)).toEqual([]);
});

test("a response that says that there is no answer has not broken the form of one", () => {
  expect(verdicts("Answer yes or no.", "I don't know.")).toEqual([]);
  expect(verdicts("How many? Answer with the number only.", "The passage doesn't say.")).toEqual([]);
});

test("an instruction after the passage counts", () => {
  const prompt = "Passage: It was cold.\n\nQuestion: Was it cold?\nAnswer yes or no.";
  expect(verdicts(prompt, "It was.")).toEqual(["contradicted"]);
  expect(verdicts("Based on the text.\n\nText:\n```\nIt was cold.\n```\nAnswer yes or no.", "Maybe")).toEqual([
    "contradicted",
  ]);
});
