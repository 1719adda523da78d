import { stemWord } from "./stem.ts";

/**
 * Words that stand for one another in statements of fact. A word is in one group only, and a group holds nothing that a
 * reader would take for something else ("novelist" is an author, but an author is not always a novelist: see kinds.ts).
 */
const groups = `
january jan
february feb
march mar
april apr
june jun
july jul
august aug
september sep sept
october oct
november nov
december dec
monday mon
tuesday tue tues
wednesday wed
thursday thu thurs
friday fri
saturday sat
start begin commence launch establish found form create founding inception originate initiate
publish release issue
locate situate
own possess
buy purchase acquire
sell vend
film movie picture
song track tune
television tv
big large huge
small little tiny
biggest largest
smallest littlest
old aged
born birth
die death decease
quick fast rapid swift
kill murder slay
end finish conclude cease
show display exhibit
star feature
act perform play portray
direct helm
write pen compose
win triumph
defeat beat
lead head
doctor physician
lawyer attorney
car automobile
child kid
job occupation profession
population inhabitant resident
drug medicine medication
company firm business corporation enterprise
approximate rough circa
border neighbour neighbor adjoin
employee worker staff
salary wage pay
customer client consumer
agreement contract treaty pact accord
war conflict
helpful supportive
price cost
refund reimburse
ship deliver
shipping delivery
broken defective faulty
answer reply respond
decrease decline drop fall reduce
profit earning
revenue turnover sale
total overall
near close
kind type sort
colour color
theatre theater
organisation organization
programme program
favourite favorite
defence defense
centre center
labour labor
honour honor
town municipality
soccer football
mum mom mother
dad father
spouse partner
increase rise grow climb
name dub
help assist aid
former ex
author writer
mi mile
km kilometre kilometer
kg kilogram kilogramme
hr hour
min minute
sec second
yr year
flower bloom blossom
sheep ewe
photograph photo
build construct erect
repair mend
hire recruit employ
rent lease
allow permit
forbid prohibit ban
destroy demolish raze
annual yearly
rich wealthy affluent
famous renowned
ill sick unwell
illness disease sickness ailment
railway railroad
motorcycle motorbike
truck lorry
plane airplane aeroplane
holiday vacation
apartment flat
luggage baggage
shop store
student pupil
teacher instructor tutor
team squad
forest woodland
island isle
coast shore coastline
height altitude elevation
wide broad
width breadth
speed velocity
pope pontiff
baby infant newborn
teenager teen adolescent
grandfather grandpa granddad
grandmother grandma granny
sailor seaman mariner
pilot aviator
murderer killer
founder creator
statue sculpture
grave tomb
cemetery graveyard
bury inter
baptise baptize christen
holy sacred
god deity
noon midday
dawn sunrise
drink beverage
maize corn
poisonous toxic
native indigenous
injure injury wound
crash collide collision
fire blaze
revolt rebellion uprising
resign quit
replace substitute
live reside dwell
journey trip voyage
exam examination
laboratory lab
mathematics maths math
phone telephone
harbour harbor
contest competition tournament
competitor contestant participant
concert gig
nickname moniker sobriquet
pseudonym alias
childhood boyhood girlhood
reign rule
law statute legislation
prison jail gaol imprison
arrest detain
flee escape
hide conceal
announce declare proclaim
try attempt
achieve attain accomplish
supply provide
remove delete
connect link
divide split
surround encircle
extend stretch
cave cavern
petrol gasoline
nuclear atomic
pig hog swine
snake serpent
career vocation
story tale
abbreviation contraction acronym
`;

const leaders: ReadonlyMap<string, string> = new Map(
  groups
    .trim()
    .split("\n")
    .flatMap((line) => {
      const stems = line.split(" ").map(stemWord);
      return stems.map((stem): [string, string] => [stem, stems[0] ?? stem]);
    }),
);

/** The stem that stands for all synonyms of a stem. */
export function leadStem(stem: string): string {
  return leaders.get(stem) ?? stem;
}
