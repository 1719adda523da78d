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

const minutes =
  "Minutes of the parents' council, 12 March 2024. Present: Olga Reuter (chair), T. Banks, Mrs Iqbal, Jonas Feld (minutes). 1. The summer fair is on Saturday 15 June from 14:00 to 18:30. Mrs Iqbal organises the tombola; last year it raised 1,340 pounds. 2. Mr Banks proposed new bicycle stands; the council voted 7 to 2 in favour. The school will pay 60% of the 4,800 pounds. 3. Ms Reuter steps down in September and Jonas Feld will succeed her. Next meeting: 9 April, 7.30 p.m., room B12.";
const composer =
  'Hjalmar Brekke (11 November 1884 - 3 May 1951) was a Norwegian composer and violinist. Born in Trondheim as the third of six children, he studied in Leipzig under Max Reger from 1905 to 1908. His opera "The Salmon King", to a libretto by Signe Dahl, had its premiere in Oslo on 1 February 1921 and was conducted by Johan Halvorsen. In 1923 he married the soprano Eva Lund, for whom he wrote the song cycle "Fjord Nights". He taught at the Oslo Conservatory until 1946 and never learned to drive. His brother Nils Brekke was a painter.';
const bicycle =
  "The Kestrel X2 is an e-bike made by Dovetail Cycles of Leeds. It weighs 17.5 kg, has a range of up to 90 km and a top assisted speed of 25 km/h. The battery charges in 3.5 hours. It costs GBP 2,150, or GBP 2,400 with the child seat. Unlike the Kestrel X1, it has no gears. The warranty covers the frame for five years but not tyres or brake pads. In tests the X2 came second, behind the Volta S and ahead of the Mistral 7. Riders must be at least 14.";

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
      "From April until the end of October",
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
  [
    minutes,
    "Who runs the tombola?",
    [
      "Mrs Iqbal",
      "Ms. Iqbal",
      "It's organised by Mrs Iqbal.",
      "The tombola is run by Iqbal, who took in £1,340 last year.",
    ],
  ],
  [
    minutes,
    "When is the summer fair?",
    [
      "15 June",
      "June 15th, 2-6.30pm",
      "On 15/06, from two in the afternoon to half past six",
      "Saturday, 15 June 2024",
      "2pm to 6:30pm on the fifteenth of June",
      "In mid-June",
    ],
  ],
  [
    minutes,
    "How long does the fair last?",
    ["Four and a half hours", "4.5 hours", "4 h 30 min", "270 minutes", "From 14:00 to 18:30, so 4½ hours"],
  ],
  [
    minutes,
    "What will the school pay for the stands?",
    ["2,880 pounds", "£2,880", "60% of the cost, i.e. £2,880", "Sixty per cent of 4,800 pounds", "Three fifths of it"],
  ],
  [minutes, "What do the parents have to pay?", ["1,920 pounds", "The remaining 40%", "£1,920 (40%)", "Two fifths"]],
  [
    minutes,
    "How many people voted?",
    ["Nine", "9 (7 for, 2 against)", "Seven voted for and two against, which makes nine."],
  ],
  [
    minutes,
    "Who will be the next chair?",
    [
      "Jonas Feld",
      "Jonas Feld will take over from Olga Reuter in September.",
      "J. Feld",
      "Feld, who took the minutes",
      "It'll be Mr Feld; Reuter steps down.",
    ],
  ],
  [
    minutes,
    "Who proposed the bicycle stands?",
    ["Mr Banks", "T. Banks", "The proposal was made by Banks.", "They were proposed by Mr T. Banks and approved 7-2."],
  ],
  [
    minutes,
    "When is the next meeting?",
    [
      "9 April at half past seven in the evening",
      "April 9, 19:30",
      "09.04.2024, 7:30 pm",
      "Four weeks later, on 9 April",
      "the ninth of April",
    ],
  ],
  [
    composer,
    "Where was Brekke born?",
    [
      "Trondheim",
      "Trondheim, Norway",
      "In the Norwegian city of Trondheim",
      "He was born in Trondheim and died in 1951.",
    ],
  ],
  [
    composer,
    "Who was his teacher in Leipzig?",
    [
      "Max Reger",
      "The German composer Reger",
      "Reger, under whom he studied for three years",
      "He was taught by Max Reger in Leipzig.",
    ],
  ],
  [
    composer,
    "Who wrote the words of the opera?",
    [
      "Signe Dahl",
      "The libretto is by Signe Dahl.",
      "Dahl wrote the libretto, Brekke the music.",
      "They were written by Signe Dahl.",
    ],
  ],
  [
    composer,
    "Who conducted the first performance?",
    [
      "Johan Halvorsen",
      "It was Halvorsen who conducted it in 1921.",
      "The premiere was led by Johan Halvorsen.",
      "J. Halvorsen",
    ],
  ],
  [composer, "How old did Brekke get?", ["66", "sixty-six", "He lived to the age of 66.", "66 years"]],
  [
    composer,
    "When was the opera first performed?",
    [
      "1 February 1921",
      "Feb. 1, 1921",
      "1921",
      "On the first of February 1921, in Oslo",
      "In early 1921",
      "02/01/1921",
      "'21",
    ],
  ],
  [
    composer,
    "How many siblings did he have?",
    ["Five", "5", "He had five brothers and sisters.", "He was one of six children, so five."],
  ],
  [
    composer,
    "Who was Eva Lund?",
    [
      "A soprano and Brekke's wife",
      "The singer whom Brekke married in 1923",
      "Brekke's wife; he composed Fjord Nights for her.",
    ],
  ],
  [
    composer,
    "Could Brekke drive?",
    ["No", "No, he never learnt it.", "He couldn't.", "No, he never learned how to drive.", "Brekke could not drive."],
  ],
  [
    composer,
    "What did his brother do?",
    ["He painted.", "Nils Brekke was a painter.", "Nils was a painter, not a musician.", "painter"],
  ],
  [composer, "In what century was Brekke born?", ["the 19th", "In the nineteenth century", "The 1800s"]],
  [composer, "How long did he study in Leipzig?", ["Three years", "3 years, from 1905 until 1908", "From 1905 to '08"]],
  [
    bicycle,
    "How much is the bike with the child seat?",
    ["£2,400", "2,400 pounds", "GBP 2400", "It's 250 pounds more with the seat: £2,400."],
  ],
  [bicycle, "What does the child seat cost?", ["£250", "250 GBP", "The difference is 250 pounds."]],
  [
    bicycle,
    "How long does charging take?",
    ["3.5 hours", "3½ h", "three and a half hours", "210 minutes", "3 hours 30 minutes"],
  ],
  [bicycle, "Does it have gears?", ["No", "No, unlike the X1 it has none.", "It doesn't have any gears.", "No gears."]],
  [
    bicycle,
    "Which bike won the test?",
    [
      "The Volta S",
      "Volta S",
      "The Volta S was first, ahead of the X2 and the Mistral 7.",
      "The test was won by the Volta S.",
    ],
  ],
  [bicycle, "What came third?", ["The Mistral 7", "Mistral 7 (third)", "Third was the Mistral 7."]],
  [
    bicycle,
    "May a 12-year-old ride it?",
    ["No", "No, one has to be 14.", "No, riders have to be 14 or older.", "Not until the age of 14."],
  ],
  [
    bicycle,
    "Are brake pads covered?",
    [
      "No",
      "No, tyres and brake pads aren't covered by the warranty.",
      "They are excluded.",
      "No, only the frame is, for 5 years.",
    ],
  ],
  [bicycle, "How heavy is it?", ["17.5 kg", "17,5 kg", "Seventeen and a half kilos", "About 38.6 lb", "17500 g"]],
  [
    bicycle,
    "Who makes it?",
    [
      "Dovetail Cycles",
      "Dovetail, a firm in Leeds",
      "Dovetail Cycles (Leeds)",
      "It's made by Leeds-based Dovetail Cycles.",
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
