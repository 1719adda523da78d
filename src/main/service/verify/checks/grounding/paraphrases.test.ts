import { describe, expect, test } from "vitest";
import { findWrong } from "./test-find-wrong.ts";

const orchestra =
  "The Halden Orchestra was founded in 1921 by the Norwegian conductor Ida Moe. It moved to Bergen in 1948. Its first recording, made for the British Broadcasting Corporation, was released on March 1, 1999. The orchestra has twenty-one players and tours the United States every spring.";
const review =
  "I bought the Kestrel 300 kettle in May. It boils a litre in two minutes and costs €49. The lid is loose, but the handle stays cool. I would not recommend it to anyone with small children.";
const lease =
  "This lease between Marlow Estates (the landlord) and Petra Lind (the tenant) begins on 1 April 2023 and ends on 31 March 2026. The monthly rent is €1,250 and is due on the fifth day of each month. The tenant must not keep dogs. The landlord pays for repairs above €200. Either party may end the lease with three months' notice.";
const report =
  "In 2022 the Oslo plant made 12,400 bicycles and the Lima plant made 8,100. Revenue rose by 12% in Europe and fell by 5% in Asia. Chief executive Anna Brandt said that costs would stay flat. The company, which employs 3,400 people, was acquired by Tandem Group in 2019.";

const treaty =
  'The Treaty of Velm was signed on 12 June 1887 by King Oskar II of Sweden and Chancellor Emil Roth. It ended the three-year Border War, in which about 4,000 soldiers died. Under its terms, Sweden gave up the province of Halm, and Roth\'s country paid 2 million crowns. Historian Clara Voss called it "a peace made by tired men".';
const hotel =
  "I've stayed at the Harbor Inn twice. The rooms were spotless and the staff, especially Maria at the front desk, went out of their way to help. Breakfast is served from 7 to 10 a.m. and parking costs $15 per night. The pool was closed for renovation in October. My only complaint is the noise from the street.";

describe("what is right in other words is not called wrong", () => {
  test.each([
    [
      "a date in another form",
      orchestra,
      "When was its first recording released?",
      "It was released on the 1st of March 1999.",
    ],
    ["a date in digits", orchestra, "When was its first recording released?", "1999-03-01"],
    ["digits for a number in words", orchestra, "How many players does the orchestra have?", "It has 21 players."],
    ["an acronym", orchestra, "For whom was the first recording made?", "The BBC."],
    ["another name of a country", orchestra, "Which country does the orchestra tour every spring?", "The US"],
    ["who comes from where", orchestra, "Who founded the Halden Orchestra?", "Ida Moe, a conductor from Norway."],
    ["initials", orchestra, "Who founded the Halden Orchestra?", "It was founded by I. Moe."],
    [
      "synonyms and a clause of its own",
      orchestra,
      "Who founded the Halden Orchestra?",
      "Based on the passage, Ida Moe established it in 1921, as far as I can tell.",
    ],
    ["a pronoun", orchestra, "Where did the orchestra move in 1948?", "In 1948, it relocated to Bergen."],
    [
      "yes, with what speaks for it",
      orchestra,
      "Is the Halden Orchestra older than 50 years?",
      "Yes, it was founded in 1921.",
    ],
    [
      "a summary",
      orchestra,
      "Summarise the passage.",
      "Ida Moe founded the Halden Orchestra in 1921. It moved to Bergen in 1948 and has 21 players.",
    ],
    [
      "JSON",
      orchestra,
      "Who founded the orchestra, and when? Answer as JSON.",
      '{"founder": "Ida Moe", "year": 1921, "confidence": 0.9}',
    ],
    ["a list", orchestra, "List two places that the passage mentions.", "1. Bergen\n2. United States"],
    ["a review in other words", review, "How much does the kettle cost?", "The Kestrel 300 costs 49 euros."],
    [
      "the opposite of an opposite",
      review,
      "Does the reviewer recommend it to families?",
      "No, the reviewer would not recommend it to anyone with small children.",
    ],
    [
      "an opinion",
      review,
      "What is the sentiment of this review?",
      "Mixed: the reviewer likes the handle but dislikes the lid.",
    ],
    [
      "a quotation",
      review,
      "What does the review say about the lid?",
      'It says that "the lid is loose, but the handle stays cool".',
    ],
    ["a judgement on a lease", lease, "When does the lease end?", "The lease ends on March 31, 2026."],
    ["who pays", lease, "Who pays for repairs above €200?", "The landlord, Marlow Estates."],
    [
      "a duration that follows",
      lease,
      "How long does the lease last?",
      "It lasts three years, from 1 April 2023 to 31 March 2026.",
    ],
    ["what is forbidden", lease, "May the tenant keep dogs?", "No, the tenant must not keep dogs."],
    [
      "the one of two",
      report,
      "Which plant made more bicycles, Oslo or Lima?",
      "The Oslo plant, with 12,400 bicycles against 8,100.",
    ],
    [
      "a difference",
      report,
      "How many more bicycles did Oslo make than Lima?",
      "Oslo made 4,300 more bicycles than Lima.",
    ],
    ["a rounded number", report, "How many bicycles did Oslo make?", "Just over 12,000 bicycles."],
    ["the passive for the active", report, "Who acquired the company?", "Tandem Group bought it in 2019."],
    [
      "that nothing is said of it",
      report,
      "Who is the chief financial officer?",
      "The passage does not say who the chief financial officer is.",
    ],
  ])("%s", (_, passage, question, response) => {
    expect(findWrong(passage, question, response)).toEqual([[], []]);
  });
});

describe("what is made of the passage's own words and wrong is found", () => {
  test.each([
    ["the other of two years", orchestra, "When was the Halden Orchestra founded?", "It was founded in 1948."],
    ["a year alone", orchestra, "When was the Halden Orchestra founded?", "1948"],
    [
      "a number that is not there",
      orchestra,
      "How many players does the orchestra have?",
      "It has twenty-four players.",
    ],
    ["a name that is not there", orchestra, "Who founded the Halden Orchestra?", "Lars Holt founded it."],
    ["a place that is not there", orchestra, "Where did the orchestra move in 1948?", "Trondheim"],
    ["a name put together from two", orchestra, "Who founded the Halden Orchestra?", "Ida Halden"],
    ["a negated statement", orchestra, "Describe the orchestra.", "The orchestra has not moved to Bergen."],
    [
      "a quotation that nobody wrote",
      review,
      "What does the review say about the lid?",
      'It says that "the lid fits well and never leaks".',
    ],
    [
      "a missing not",
      review,
      "Would the reviewer recommend it?",
      "The reviewer would recommend it to anyone with small children.",
    ],
    ["an antonym", review, "Describe the kettle's handle.", "The handle gets hot."],
    ["the opposite date", lease, "When does the lease end?", "The lease ends on 1 April 2023."],
    ["another amount", lease, "How much is the monthly rent?", "€1,350"],
    ["a denied duty", lease, "May the tenant keep dogs?", "The tenant must keep dogs."],
    ["who does not pay", lease, "Describe who pays for repairs.", "The landlord does not pay for repairs above €200."],
    ["the wrong one of two", report, "Which plant made more bicycles, Oslo or Lima?", "Lima"],
    ["a number of something else", report, "Describe the revenue.", "Revenue rose by 5% in Europe."],
    ["rise for fall", report, "Describe the revenue.", "Revenue rose in Asia."],
    ["subject and object swapped", report, "Describe the acquisition.", "Tandem Group was acquired by Anna Brandt."],
    ["another buyer", report, "Who acquired the company?", "Anna Brandt acquired the company."],
  ])("%s", (_, passage, question, response) => {
    for (const reasons of findWrong(passage, question, response)) expect(reasons).not.toEqual([]);
  });
});

describe("a treaty and a hotel", () => {
  test.each([
    ["When was the Treaty of Velm signed?", "June 12, 1887", treaty],
    [
      "When was the Treaty of Velm signed?",
      "The treaty was signed in mid-1887, specifically on the 12th of June.",
      treaty,
    ],
    ["Who signed the Treaty of Velm?", "King Oskar II and Emil Roth signed the treaty.", treaty],
    ["Who signed the Treaty of Velm?", "It was signed by Oskar II (the Swedish king) and Chancellor Roth.", treaty],
    ["How long did the Border War last?", "The war lasted for three years.", treaty],
    ["How many soldiers died?", "Around four thousand soldiers lost their lives in the conflict.", treaty],
    ["What did Clara Voss call it?", 'She described it as "a peace made by tired men."', treaty],
    ["Which province did Sweden give up?", "Sweden ceded the province of Halm.", treaty],
    ["Which province did Sweden give up?", "The answer is: Halm Province", treaty],
    ["How much did Roth's country pay?", "2,000,000 crowns", treaty],
    ["How much did Roth's country pay?", "Two million crowns were paid.", treaty],
    [
      "Summarize the text in two sentences.",
      "The Treaty of Velm, signed on 12 June 1887, ended a three-year conflict that had killed roughly 4,000 soldiers. Sweden lost Halm while the other side paid 2 million crowns.",
      treaty,
    ],
    [
      "What happened under the treaty?",
      "- Sweden gave up Halm\n- Roth's country paid two million crowns\n- The Border War ended",
      treaty,
    ],
    ["Was the treaty signed before 1900?", "Yes. It was signed in 1887, which is before 1900.", treaty],
    [
      "Who was the Chancellor?",
      "Emil Roth was the Chancellor who signed the agreement alongside the King of Sweden.",
      treaty,
    ],
    [
      "In which year did the Border War begin?",
      "It began in 1884, since the three-year war ended with the treaty in 1887.",
      treaty,
    ],
    ["What did the guest complain about?", "The guest complained about street noise.", hotel],
    ["What time is breakfast served?", "Breakfast runs from 7:00 AM until 10:00 AM.", hotel],
    ["How much is parking?", "It's fifteen dollars a night.", hotel],
    ["Who was especially helpful?", "Maria, who works at the front desk, was especially helpful.", hotel],
    ["Why was the pool closed?", "Because it was being renovated.", hotel],
    [
      "Summarise the review.",
      "The reviewer praises the cleanliness of the rooms and the helpful staff, notes the $15 nightly parking fee, and mentions that the pool was closed in October. The main downside was street noise.",
      hotel,
    ],
    ["Is the pool open?", "No, the pool was closed for renovation in October.", hotel],
  ])("right: %s %s", (question, response, passage) => {
    expect(findWrong(passage, question, response)).toEqual([[], []]);
  });

  test.each([
    ["When was the Treaty of Velm signed?", "12 June 1878", treaty],
    ["When was the Treaty of Velm signed?", "12 July 1887", treaty],
    ["When was the Treaty of Velm signed?", "July 12, 1887", treaty],
    ["Who signed the Treaty of Velm?", "Clara Voss signed the treaty.", treaty],
    ["Which province did Sweden give up?", "Velm", treaty],
    ["How many soldiers died?", "About 40,000", treaty],
    ["What did Clara Voss call it?", '"a peace made by angry men"', treaty],
    ["How much did Roth's country pay?", "2 billion crowns", treaty],
    ["Which country gave up a province?", "Norway", treaty],
    ["Summarize.", "The treaty started the Border War.", treaty],
    ["How much is parking?", "$50 per night", hotel],
    ["When was the pool closed?", "In November", hotel],
    ["When was the pool closed?", "November", hotel],
    ["Who was especially helpful?", "Mario", hotel],
    ["Describe the rooms.", "The rooms were not spotless.", hotel],
    ["What time is breakfast served?", "From 6 to 10 a.m.", hotel],
    ["Was the pool open in October?", "Yes, the pool was open in October.", hotel],
  ])("wrong: %s %s", (question, response, passage) => {
    for (const reasons of findWrong(passage, question, response)) expect(reasons).not.toEqual([]);
  });
});
