import { describe, expect, test } from "vitest";
import { checkAgents } from "./check-agents.ts";
import { checkAttachment } from "./check-attachment.ts";
import { checkMonths } from "./check-months.ts";
import { checkNames } from "./check-names.ts";
import { checkNumbers } from "./check-numbers.ts";
import { checkOpposites } from "./check-opposites.ts";
import { checkQuotations } from "./check-quotations.ts";
import { checkTimes } from "./check-times.ts";
import type { Part } from "./context.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const parts: readonly Part[] = [
  checkAgents,
  checkAttachment,
  checkMonths,
  checkNames,
  checkNumbers,
  checkOpposites,
  checkQuotations,
  checkTimes,
];

const bridge =
  'The Orla Bridge, also known as the Iron Lady, is a cantilever bridge in Vasterby, Sweden. It was designed by Karl Johan Lindqvist and built between 1897 and 1902 by Nordbro AB. It was opened on 4 July 1902 by Crown Prince Gustaf. The bridge is 312 m long and carries about 14,500 cars a day. In 1987 it was repainted in green. Its toll was abolished in 1954. The 1998 film "Iron Tears", directed by Lena Moberg and starring Per Olsson as the bridge keeper, was shot there.';
const memo =
  "From: Priya Nair, Finance. To: all team leads. The travel budget for Q3 is cut by 15% to 34,000 EUR. Trips over 1,200 EUR must be approved by Henrik Falk, the CFO; smaller ones by the team lead. Receipts have to reach Accounts no later than 10 working days after the trip. Rail is preferred to air for journeys under five hours. Questions go to Samira (ext. 4417). The new policy takes effect on 1 Aug 2024 and replaces that of March 2021. Contractors are not covered.";
const mountain =
  'Mount Tolva (2,418 m) is the second-highest peak of the Seren range after Mount Anders (2,677 m). It was first climbed in 1888 by the British alpinist Edith Harcourt and her guide Jakob Meili. Harcourt (1851-1929) wrote two books about it, "Cold Stairs" (1891) and "Above Seren" (1903). Meili died in an avalanche in 1895. About a third of the climbers turn back. There are three huts; the highest, Falken, sleeps 24 and is closed from November to March.';

const rightAnswers: readonly (readonly [string, string, readonly string[]])[] = [
  [
    bridge,
    "Who designed the Orla Bridge?",
    [
      "Karl Lindqvist",
      "K. J. Lindqvist",
      "Lindqvist, Karl Johan",
      "It was the work of the engineer Karl Johan Lindqvist; Nordbro AB built it.",
      "Its designer was a Mr Lindqvist.",
      "The Iron Lady was designed by Lindqvist and constructed by the firm Nordbro.",
    ],
  ],
  [
    bridge,
    "When was it opened?",
    [
      "On the fourth of July, 1902",
      "4/7/1902",
      "1902-07-04",
      "July 4th, 1902, by the Crown Prince",
      "In the summer of 1902",
      "It opened in 1902, five years after building work had begun.",
      "07/04/1902",
    ],
  ],
  [
    bridge,
    "How long did it take to build?",
    [
      "Five years",
      "5 years (1897–1902)",
      "About half a decade",
      "from 1897 to 1902, that is five years",
      "Roughly 5 yrs",
    ],
  ],
  [
    bridge,
    "How long is the bridge?",
    [
      "312 metres",
      "0.312 km",
      "Just over 300 metres",
      "312m",
      "three hundred and twelve metres",
      "It's 312 m in length, or some 1,024 feet.",
    ],
  ],
  [
    bridge,
    "How many cars use it a day?",
    [
      "14.5k",
      "around 14 500",
      "Some fourteen and a half thousand",
      "Nearly 15,000",
      "About 14,500 vehicles per day",
      "More than 14,000",
    ],
  ],
  [
    bridge,
    "Which colour is the bridge?",
    ["Green, since 1987", "It has been green since '87.", "In the late 1980s it was painted green."],
  ],
  [
    bridge,
    "Is there a toll?",
    [
      "No, not since 1954.",
      "No longer: it was done away with in the fifties.",
      "There hasn't been a toll for decades.",
      "No toll is charged any more; it was abolished in 1954.",
    ],
  ],
  [
    bridge,
    "Who plays the bridge keeper?",
    [
      "Per Olsson",
      "Olsson does, in Lena Moberg's Iron Tears.",
      "In Moberg's 1998 film the part went to Per Olsson.",
      "The keeper of the bridge was played by Per Olsson.",
    ],
  ],
  [
    bridge,
    "Who made the film about it?",
    [
      "Lena Moberg",
      '"Iron Tears" was made by the Swedish director Lena Moberg.',
      "It was made by Moberg in the late nineties.",
    ],
  ],
  [
    memo,
    "Who approves a trip of 2,000 EUR?",
    [
      "Henrik Falk",
      "The CFO, Mr Falk",
      "Falk",
      "As it costs more than 1,200 EUR, the CFO has to approve it.",
      "It must be approved by the CFO.",
      "It needs Henrik Falk's approval; team leads approve smaller ones only.",
    ],
  ],
  [
    memo,
    "What was the travel budget before the cut?",
    ["40,000 EUR", "€40,000", "It was 40k, since 34,000 is 15% less.", "forty thousand euros"],
  ],
  [
    memo,
    "What is the new budget?",
    [
      "€34,000",
      "34k euros",
      "EUR 34 000",
      "thirty-four thousand euros",
      "The Q3 budget is 34,000 EUR after a 15 percent cut.",
    ],
  ],
  [
    memo,
    "By when must receipts be in?",
    [
      "Within two weeks",
      "10 business days after the trip at the latest",
      "ten working days after the journey",
      "They mustn't come later than 10 working days after the trip.",
    ],
  ],
  [
    memo,
    "When does the policy start?",
    ["1 August 2024", "August 1st, 2024", "01.08.2024", "From the first of August 2024 on", "On the 1st of Aug. '24"],
  ],
  [
    memo,
    "Does it apply to contractors?",
    ["No", "No, contractors aren't covered.", "It doesn't.", "Contractors are exempt."],
  ],
  [
    memo,
    "Whom do I ask?",
    ["Samira, ext. 4417", "Samira (4417)", "Ask Samira on extension 4417.", "You should turn to Samira."],
  ],
  [
    memo,
    "Should I fly for a four-hour journey?",
    [
      "No, take the train: rail is preferred under 5 hours.",
      "No, rail is preferred to air for that.",
      "Preferably not; under five hours rail is to be preferred.",
    ],
  ],
  [
    mountain,
    "How high is Mount Tolva?",
    [
      "2418 m",
      "2,418 metres",
      "About 2.4 km",
      "nearly 2,420 metres",
      "2.418 m",
      "It reaches 2,418 m, 259 m less than Mount Anders.",
    ],
  ],
  [
    mountain,
    "Who first climbed it?",
    [
      "Edith Harcourt and Jakob Meili",
      "Harcourt & Meili",
      "An Englishwoman, Edith Harcourt, with her guide",
      "The Briton Edith Harcourt, guided by Jakob Meili, in 1888.",
      "E. Harcourt",
      "It was climbed by Harcourt together with Meili.",
    ],
  ],
  [
    mountain,
    "How old was Harcourt when she climbed it?",
    ["36 or 37", "About 37", "She was around 37 at the time.", "thirty-seven"],
  ],
  [
    mountain,
    "Which is the higher one, Tolva or Anders?",
    ["Anders", "Mount Anders is 259 metres higher.", "Mt Anders (2,677 m vs 2,418 m)", "Mt. Anders"],
  ],
  [
    mountain,
    "When can one sleep in Falken?",
    [
      "From April to October",
      "April–October",
      "In any month but November to March",
      "Not between November and March; otherwise yes.",
    ],
  ],
  [
    mountain,
    "What share of the climbers reach the top?",
    ["About two thirds", "Roughly 67%", "Some 2/3", "around two in three"],
  ],
  [
    mountain,
    "How many huts are there?",
    ["3", "Three huts", "Three, Falken being the highest", "There are three of them, and Falken has room for 24."],
  ],
  [
    mountain,
    "What was her first book?",
    [
      "Cold Stairs",
      '"Cold Stairs", 1891',
      "Cold Stairs, which came out 12 years before Above Seren",
      "Harcourt's first book was Cold Stairs.",
    ],
  ],
  [
    mountain,
    "Who died in 1895?",
    [
      "Jakob Meili",
      "The guide Meili, seven years after the first ascent",
      "It was Meili; Harcourt lived until 1929.",
      "Her guide, in an avalanche",
    ],
  ],
];

describe("right answers as people put them raise no alarm over names, numbers, dates, deeds and denials", () => {
  test.each(
    rightAnswers.flatMap(([passage, question, answers]) => answers.map((answer) => ({ passage, question, answer }))),
  )("$question $answer", ({ passage, question, answer }) => {
    for (const part of parts) expect(findWrongBy(part, passage, question, answer)).toEqual([[], []]);
  });
});
