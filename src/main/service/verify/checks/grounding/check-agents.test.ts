import { describe, expect, test } from "vitest";
import { checkAgents } from "./check-agents.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const film =
  "The Salt Road is a 1962 film directed by Vera Quist, with a script by Otto Lamm, and written for the stage by Hedda Pohl. The harp score is by Nils Brandt. The costumes were made by the Danish tailor Bo Friis. The Salt Road was first shown in Turin.";
const bakery =
  "After thirty years Mads Orre leaves the bakery in Holm. He invented the Rye Moon in 1991. His successor is Tove Lind, who worked at the Crown Hotel. The bakery is owned by the Hald family, which bought it in 1987 from the Sund Trust.";

const contract =
  "AGREEMENT between Piet Orlo (Tenant) and Lumen Homes (the Landlord). The Tenant shall give two months' notice. The Landlord pays for the roof. The letting agent, Ms Adair, signs the inventory. Mr Boll will read the meter. The lease is signed by the Managing Director, Ida Brock, and countersigned by Hans Vey.";

describe("who did something else is not held against who did this", () => {
  test.each([
    ["another deed with a like name", film, "Who composed the score of the film?", "Nils Brandt"],
    [
      "another deed with a like name",
      film,
      "Who composed the score of the film?",
      "The music was written by Nils Brandt.",
    ],
    ["who is known by a deed", bakery, "Who comes after the man who invented the Rye Moon?", "Tove Lind"],
    [
      "who is known by a deed",
      bakery,
      "Where did the successor of the man who invented the Rye Moon work?",
      "At the Crown Hotel",
    ],
    ["who is from somewhere", "Jo Amsel of Norwick founded the spa in 1855.", "Who founded the spa?", "Jo Amsel"],
    ["who did it before", bakery, "Who owned the bakery before the Halds?", "The Sund Trust"],
    ["who is told by a role", contract, "Who shall give notice?", "Piet Orlo shall give two months' notice."],
    ["who is told by a role", contract, "Who pays for the roof?", "Lumen Homes"],
    ["who is told by a role", contract, "Who signs the inventory?", "Ms Adair signs it."],
    ["who is told by a role", contract, "Who signs the lease?", "It is signed by Ida Brock."],
    ["a people is no name", film, "Who made the costumes?", "They were made by Bo Friis, a tailor from Denmark."],
  ])("%s: %s %s", (_, passage, question, response) => {
    expect(findWrongBy(checkAgents, passage, question, response)).toEqual([[], []]);
  });
});

describe("somebody else than the text has for it is found", () => {
  test.each([
    ["beside the name in the text", film, "Who directed The Salt Road?", "The film was directed by Otto Lamm."],
    ["of another deed", film, "Describe the film.", "The costumes of the film were made by Vera Quist."],
    ["of a promise", contract, "Who will read the meter?", "Hans Vey will read the meter."],
    ["of a signature", contract, "Who signs the inventory?", "Mr Boll signs the inventory."],
    ["of a script", film, "Who wrote the script of The Salt Road?", "Hedda Pohl"],
    ["of the same trade", bakery, "Who owns the bakery in Holm?", "The bakery is owned by Mads Orre."],
  ])("%s: %s %s", (_, passage, question, response) => {
    for (const reasons of findWrongBy(checkAgents, passage, question, response)) expect(reasons).not.toEqual([]);
  });
});
