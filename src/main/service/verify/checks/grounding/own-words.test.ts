import { describe, expect, test } from "vitest";
import { findWrong } from "./test-find-wrong.ts";

const bridge =
  "The Aldern Bridge crosses the Aldern River between Norwick and Pell. It was opened in 1937 by the mayor, Ann Lee, and designed by Joseph Marsh. The bridge was painted orange. Its sister, the Pell Viaduct, was finished in 1951 by Otto Brand.";

const agreement =
  "This agreement is made between Corvel Ltd (the Supplier) and Dana Fisk (the Client). The Recipient shall not disclose the Confidential Information to any third party. The Supplier may use subcontractors. The Client must pay within 30 days.";
const family =
  "Mara Stein (4 May 1904 – 2 June 1980) was a Polish and naturalised-French chemist. Her brother Karl Stein, who taught Ida Wolf (born 7 June 1931 in Lodz), was a pianist. The house they lived in was painted orange.";

const museum =
  "The museum has white walls and a red brick front. It is closed on Mondays. The museum is open daily in summer and closed in winter. Visitors may not take photographs with flash.";

const lease = "The initial term is 24 months, beginning on 1 March 2023. The monthly fee is EUR 4,500.";

describe("wrong answers of the passage's own names are found", () => {
  test.each([
    ["the question's own name again", "Who designed the Aldern Bridge?", "The Aldern Bridge", bridge],
    ["the question's own name again", "What is the sister of the Aldern Bridge called?", "The Aldern Bridge.", bridge],
    ["somebody else's deed", "Who opened the bridge?", "Joseph Marsh", bridge],
    ["somebody else's deed", "Who opened the bridge?", "The bridge was opened by Otto Brand.", bridge],
    ["another colour", "Describe the bridge.", "The bridge was painted red.", bridge],
    [
      "what is not allowed",
      "What may the Recipient do?",
      "The Recipient may disclose the Confidential Information to a third party.",
      agreement,
    ],
    ["what is not allowed", "May the Recipient disclose the Confidential Information?", "Yes", agreement],
    ["what is allowed", "May the Supplier use subcontractors?", "No", agreement],
    ["another's role", "Who is the supplier?", "Dana Fisk", agreement],
    ["another's role", "Summarise the agreement.", "The supplier is Dana Fisk.", agreement],
    ["another's role", "Who was the mayor?", "Otto Brand was the mayor.", bridge],
    ["another's birth", "Who was born on 7 June 1931?", "Mara Stein", family],
    ["another's birth", "Tell me about Mara.", "Ida Wolf was born on May 4, 1904.", family],
    ["what she was", "Was Mara Stein a chemist?", "No, she was not a chemist.", family],
  ])("%s: %s %s", (_, question, response, passage) => {
    for (const reasons of findWrong(passage, question, response)) expect(reasons).not.toEqual([]);
  });
});

describe("right answers beside them are not called wrong", () => {
  test.each([
    ["Who designed the Aldern Bridge?", "Joseph Marsh", bridge],
    ["What is the sister of the Aldern Bridge called?", "The Pell Viaduct", bridge],
    ["Which river does the Aldern Bridge cross?", "The Aldern River", bridge],
    ["Who finished the Pell Viaduct?", "It was Otto Brand.", bridge],
    ["Who opened the bridge?", "Ann Lee", bridge],
    ["Who opened the bridge?", "The mayor opened it.", bridge],
    ["Describe the bridge.", "The Aldern Bridge, painted orange, opened in 1937.", bridge],
    ["May the Recipient disclose the Confidential Information?", "No, it may not be disclosed.", agreement],
    ["May the Supplier use subcontractors?", "Yes, the Supplier may use subcontractors.", agreement],
    ["What information is mentioned?", "The agreement mentions confidential information.", agreement],
    ["Who is the supplier?", "Corvel", agreement],
    ["Who are the parties?", "Corvel Ltd is the supplier and Dana Fisk is the client.", agreement],
    ["Who was the mayor?", "The mayor was Ann Lee.", bridge],
    ["Who designed the bridge?", "The designer was Joseph Marsh.", bridge],
    ["Who was born on 7 June 1931?", "Ida Wolf, whom Karl Stein taught.", family],
    ["Tell me about Mara.", "Mara Stein was born on May 4, 1904.", family],
    ["Is the museum closed in summer?", "No, it is open daily.", museum],
    ["May visitors take photographs?", "Yes, but not with flash.", museum],
    ["Describe the walls.", "The walls are of stone.", museum],
    ["Was Mara Stein a chemist?", "Yes, she was a chemist.", family],
    ["How long is the initial term?", "The initial term is two years.", lease],
  ])("%s %s", (question, response, passage) => {
    expect(findWrong(passage, question, response)).toEqual([[], []]);
  });
});
