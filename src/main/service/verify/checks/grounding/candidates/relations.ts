import { leadStem, rootOf, stemWord } from "../../../text/index.ts";

/** Words that speak of one relation, whatever their part of speech: who asks for a birthplace is answered by "born in". */
const lines = `
write wrote written writer author novelist penned pen screenplay screenwriter script playwright poet
compose composer composed composition score music soundtrack songwriter
found founder foundation founded establish established formed form set start started begin origin
die died death dead killed murdered assassinated
born birth birthplace native birthday
win won winner victory champion championship title prize award awarded received receive medal gold
play played plays portrayed portray role star starring starred cast part act actor actress character appear appeared appearance
publish published publisher publication release released issued issue label
locate located location situated based headquarters headquartered seat site lies stands home place
sing sang sung singer vocalist vocals voice
marry married wife husband spouse wed wedding widow
design designed designer architect architecture
translate translated translation translator
own owned owner owns belong belonged bought buy acquired acquire purchased purchase sold
educate educated education study studied school attend attended graduate graduated train trained college university learned
manufacture manufacturer made make built build maker producer produce produced production construct constructed
long length km mile miles kilometres distance far
high height tall metres elevation
name named call called known know nickname nicknamed dubbed alias pseudonym title titled
end ended finish finished close closed conclude
score scored scorer goals goal points tries
join joined member members signed
work worked job occupation profession career employed employee
lead led leader head headed chief president chairman chair
cost price fee pay paid pays rent charge charged costs
deadline due expire expires until latest
discover discovered discovery discoverer spotted
succeed succeeded successor replace replaced replacement followed predecessor
debut first premiere premiered opened open opening
move moved emigrated relocated settled
invent invented inventor develop developed developer devised create created creator
record recorded recording album song track cover covered
coach manager managed manage trainer
command commanded commander captain
language speak spoken speaks
adapt adapted adaptation based basis inspired
population inhabitants people residents
age aged old years
nationality national citizen
direct directed director directing direction
teach taught teacher professor
present presented presenter host hosted hosts
sponsor sponsored funded funds finance
defeat defeated beat lost
approve approved approval sign permission
contact call phone email report
start starts begin begins commence
end ends
illness disease condition disorder ailment sickness ill sick
battle fight fighting clash encounter combat assault attack attacked war
reign reigned throne rule ruled ruler king queen emperor sultan monarch
capture captured prisoner caught arrested seized enemy
insure insured insurer insurance
research researcher scholar scientist study
money wealth wealthy rich fortune
elect elected election voter vote voted constituency
contract contracting contractor
dish food dessert meal cuisine eat eaten
chronology chronological order sequence
slave slavery enslaved escaped
judge judged jury juror referee
religion religious worship temple church faith
animal bird fish mammal creature beast
child childhood young youth
crime criminal convicted guilty prison jail
doctor surgeon surgery medical medicine patient hospital
law legal lawyer court
farm farmer agriculture crop
ship vessel boat sail sailed voyage
plane aircraft flight fly flew pilot
paint painted painter painting picture portrait art artist
photo photograph photographer photography
dance dancer ballet danced
science scientific scientist
swim swimmer swimming
run runner running race
cook cooked chef cooking kitchen
border bordered frontier neighbour neighbouring adjacent
island islands archipelago isle
mountain peak summit hill
river stream tributary flows
sea ocean coast coastal shore
rain wet weather storm snow
buy purchase price sold sale
journey trip travel travelled route
lose lost defeat defeated loser
help helped assistant assist support supported
`;

const relations: ReadonlyMap<string, ReadonlySet<number>> = gather();

function gather(): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  for (const [index, line] of lines.trim().split("\n").entries()) {
    for (const word of line.split(" ")) {
      const root = rootOf(leadStem(stemWord(word)));
      const known = found.get(root);
      if (known) known.add(index);
      else found.set(root, new Set([index]));
    }
  }
  return found;
}

const none: ReadonlySet<number> = new Set();

/** The relations that a word may speak of, by its root. Each has a number. */
export function relationsOf(root: string): ReadonlySet<number> {
  return relations.get(root) ?? none;
}
