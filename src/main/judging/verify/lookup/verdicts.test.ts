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
    ["not_checkable", "La ville compte 12 500 habitants.", "La ville compte 12.500 habitants."],
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

test("sentences written to mislead", () => {
  expectVerdicts([
    ["contradicted", "The museum is open on weekdays from 9 to 5.", "The museum is closed on weekdays from 9 to 5."],
    [
      "not_checkable",
      "Neither Anna Berg nor Carl Holm signed the lease in 2019.",
      "Anna Berg and Carl Holm signed the lease in 2019.",
    ],
    ["not_checkable", "Anna Berg's lawyer signed the lease in 2019.", "Anna Berg signed the lease in 2019."],
    ["not_checkable", "Had the pump failed, the plant would have lost 40 tonnes.", "The plant lost 40 tonnes."],
    [
      "not_checkable",
      "The supplier refused to refund the $400 deposit.",
      "The supplier agreed to refund the $400 deposit.",
    ],
    [
      "not_checkable",
      "The report wrongly states that the dam holds 30 million litres.",
      "The dam holds 30 million litres.",
    ],
    ["not_checkable", "Up to 30 guests may stay in the lodge.", "At least 30 guests may stay in the lodge."],
    ["contradicted", "Prices rose by 5% in March.", "Prices fell by 5% in March."],
    ["not_checkable", "Prices rose by 5% in March.", "Prices rose to 5% in March."],
    ["not_checkable", "Anna Berg employs Carl Holm since 2012.", "Carl Holm employs Anna Berg since 2012."],
    ["not_checkable", "The seller pays the buyer $500.", "The buyer pays the seller $500."],
    ["not_checkable", "The first shift starts at 6:00 and the second at 14:00.", "The second shift starts at 6:00."],
    [
      "not_checkable",
      "The shop in Lyon opened in 2001; the shop in Nice opened in 2009.",
      "The shop in Lyon opened in 2009.",
    ],
    ["not_checkable", "The deadline is not 5 May but 7 May.", "The deadline is 5 May."],
    ["not_checkable", "The deadline is 7 May, not 5 May.", "The deadline is 7 May."],
    ["not_checkable", "Only members may borrow 5 books.", "Members may borrow only 5 books."],
    ["contradicted", "The choir was founded in 1950. In 1970 it moved to Bergen.", "The choir was founded in 1960."],
    ["contradicted", "Ida Moen was an engineer. She was born in 1901 in Oslo.", "Ida Moen was born in 1911 in Oslo."],
    ["not_found", "The mayor visited the bridge. It was opened in 1937.", "The mayor was elected in 1932."],
    [
      "contradicted",
      "The tower is 1.250 m above the sea and 3,5 km from town.",
      "The tower is 1.350 m above the sea and 3,5 km from town.",
    ],
    ["not_found", "Shipping costs $4.90.", "Shipping costs €4.90."],
    ["not_checkable", "The price went from $20 to $15.", "The price went from $15 to $20."],
    ["contradicted", "No pets over 10 kg are admitted.", "Pets over 10 kg are admitted."],
    [
      "not_checkable",
      "The treaty was signed by Norway and not by Sweden in 1905.",
      "The treaty was signed by Sweden and not by Norway in 1905.",
    ],
    ["not_checkable", "Le musée n'est jamais ouvert avant 10:00.", "Le musée est ouvert avant 10:00."],
    ["contradicted", "Il museo ha 120 sale e non ha giardino.", "Il museo ha 130 sale e non ha giardino."],
    ["contradicted", "A reunião não será no dia 14 de maio.", "A reunião será no dia 14 de maio."],
    ["contradicted", "La reunión será el 14 de mayo.", "La reunión no será el 14 de mayo."],
    ["supported", "La reunión será el 14 de mayo en la sala.", "La reunión será en la sala el 14 de mayo."],
    ["not_checkable", "Le contrat dure deux ans.", "Le contrat dure trois ans."],
    ["not_checkable", "Umowa nie jest ważna do 14 maja 2027.", "Umowa jest ważna do 14 maja 2027."],
    ["not_checkable", "Avtalet är inte giltigt i 30 dagar.", "Avtalet är giltigt i 30 dagar."],
    ["not_found", "Avtalet gäller i Sverige och kostar 300 €.", "Avtalet gäller i Sverige och kostar 400 €."],
    ["supported", "Anna Berg chairs the board since 2012.", "Anna Berg chairs the board since 2012."],
    ["not_checkable", "Frequently asked: does the warranty last 3 years?", "The warranty lasts 3 years."],
    ["not_checkable", "If the parcel is late, we refund $20.", "We refund $20."],
    ["not_checkable", "The plan was to sell 300 bikes in 2020.", "They sold 300 bikes in 2020."],
    ["not_checkable", "Some of the 300 bikes were sold in 2020.", "All of the 300 bikes were sold in 2020."],
    ["not_found", "Coffee costs $3. Tea costs $2.", "Coffee costs $4."],
    ["not_checkable", "Coffee costs $3. Tea costs $2.", "Coffee costs $2."],
    ["supported", "Coffee costs $3. Tea costs $2.", "Coffee costs $3."],
    ["not_checkable", "The lecture lasts 2 hours.", "The lecture lasts 90 minutes."],
    ["contradicted", "The lecture lasts 2 hours.", "The lecture lasts 3 hours."],
    ["not_checkable", "Version 2.4.1 came out in May.", "Version 2.4.3 came out in May."],
    ["contradicted", "The account has 12 345,67 €.", "The account has 12 345,99 €."],
    ["supported", "The account holds 12.345,67 € today.", "The account holds €12,345.67 today."],
    ["not_checkable", "Her lawyer denies that Anna Berg took $5,000.", "Anna Berg took $5,000."],
    ["contradicted", "The tenant shall not sublet more than 2 rooms.", "The tenant shall sublet more than 2 rooms."],
  ]);
});
