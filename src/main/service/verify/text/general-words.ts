/**
 * Nouns and adjectives that people put around an answer without adding to it ("her birthplace is", "the event took place"), and
 * those in everybody's mouth for what a text calls by another word: "the match", "the script", "the limit". What is said of
 * few is not among them (a wife, a rival, an astronaut), nor what things are made of or look like: those are claims.
 */
const generalWords: ReadonlySet<string> = new Set(
  `
birthplace birthday birth birthdate death event occasion occurrence home life work job role part origin beginning start end founding creation establishment
release debut launch publication appearance performance subject object entity owner holder winner creator maker founder author writer
duration length distance height size weight width depth capacity sum count percentage share portion majority minority
country nation city town village state county province region district area territory continent island place location site venue spot
company firm business organisation organization institution agency group team club band university college school museum airport hotel stadium
film movie show series program programme episode song track album single record book novel poem story play magazine newspaper publication journal periodical
singer actor actress musician artist director producer player athlete politician scientist character surname forename nickname alias title term word phrase
language nationality profession occupation genre award prize position rank category species genus family breed
day month year decade century week hour minute second moment era
older younger earlier later larger smaller longer shorter newer bigger higher lower greater taller
particular key central relevant specified listed above-mentioned aforesaid cited respective sole said
today comparison contrast example instance addition order regard terms context background kind sake
hers theirs
gentleman lady guy fellow folk folks human being
life lives expression detail description mention bit piece sense manner matter
ability absence access accident account achievement act action activity address administration admission advance advantage advice affair afternoon age
agreement aid aim air allowance ambition analysis anniversary announcement answer appeal application applicant applications approach approval argument
arm arrangement arrival article aspect assessment assistance association assumption atmosphere attack attempt attention attitude audience authority
average awareness baby back backing bag balance ball ban bar bargain base basis battle beach bear bearing beauty bed behalf behaviour belief bench
benefit bid bill block blow board boat body boundary box branch breach break breakfast breath brief budget build building bulk burden button buyer
call campaign campus capability card care carriage case cash cast catalogue cause caution celebration cell ceiling ceremony chain chair challenge
chance change channel chapter charge charges chart check checks choice circle circumstance claim class clause client climb clip clock close closing
closure clothes clue code collection colour column combination comfort command comment commission commitment committee communication community
competition complaint complex component concept concern conclusion condition conduct conference confidence confirmation conflict connection consent
consequence consideration construction contact container content contents contest contract contribution control controversy convenience conversation
copy core corner cost costs counter couple course court cover coverage craft crew criterion criticism crowd crowning cup currency current customer
customers cut cycle damage danger dark data date dawn days deal dealing debate debt decision decline decrease deed default defeat defence degree delay
delivery demand department departure deposit design desire desk destination development device difference difficulty dinner direction discount
discovery discussion display disposal dispute distinction distribution division document dollar door dose double doubt draft draw dream dress drink
drive drop duo duty earth ease edge edition editor education effect effort elder element embassy emergency emphasis employee employees employer ending
energy engagement enquiry entrance entry environment equipment error essence estimate evening events evidence exam examination exception exchange
excuse execution exercise exhibition existence exit expense expenses experience expert explanation extension extent extra eye face facility fact
factor failure fall falls fallback fame fan farm fashion fault favour favourite feature fee feeling fees field fight figure figures file final finale
finance finding fine finish fire fit fix flat floor flow focus folder follow-up food foot footage force form format fortune foundation fraction frame
framework freedom front fuel full fun function fund funding future gain gap gaps garden gate gear gift give glass goal gold good goods government
grade ground grounds growth guarantee guard guess guest guests guidance guide guideline half hall hand hands handling handover happening harm head
heading headline health heart heat heating help hero heroine hint history hit hold holiday honour hope hospital host household housing idea ideas
identity illness image impact importance impression improvement inch incident income increase index individual industry influence initial initials
input inspection inspiration instruction instructions insurance intention interest interior interval interview introduction invention investment
invitation invoice involvement issue issues item joint journey judgement jump kid kit knowledge label labour lack land lane laureate law layer layout
lead leader leaders leadership league leaflet learning leave lecture legacy legend lesson letter level levels licence lid lift light limit limits line
lines link links list load loan local lock log look lookup lot love luck lunch machine mail mainland making map margin mark market marketing mass
master match matches mate material materials maximum meal meaning means measure media medium meeting meetings member members membership memory menu
message method metre middle mile mind minimum mission mistake mix mixture mode model money mood morning most motion motive mouth move movement
multiple music name names narrative nature need needs neighbour neighbourhood nerve net network news night none nobody north notice notion noun
novelty nothing number objection objective obligation occupant offer office officer official officials opening operation operations opinion opponent
opportunity option options orders outcome outing outlet output outset outside overview pace pack package page pages pair panel paper papers parcel
parent parties partner partners partnership party pass passage passenger passengers past path patient patients pattern pause pay payment peak percent
period permission person personnel perspective phase phone picture pictures places plan plans plant plate players plea pleasure plot point points
policy portrait pose possession possibility post potential power practice preceding precedence preference preparation presence present presentation
president press pressure price prices pride principle print priority problem procedure process product production products profit progress project
promise promotion proof property proportion proposal prospect protection provider provision public publicity publisher purchase purpose pursuit
quality quantity quarter question questions queue quick quiet race raise range rate rates rating reach reaction reader readers reading reality reason
recognition recommendation recording records recovery reduction reference refund registration regulation relation relations relationship relevance
relief remainder remark reminder removal repair reply report reports representation representative reputation request requirement requirements rescue
research reservation reserve resident residents resource resources respect response responsibility rest result results retail return returns reveal
revenue review revision reward ride right rights rise risk road roles roof room rooms round route routine row rule rules run runner runner-up running
safety salary sale sales sample saga satisfaction saving scale scene schedule scheme schooling science scope score screen script search season seat
secret section sector security seller selection self sentence separation sequence serving service services session set sets setting settlement setup
shape sheet sheets shift shipment shop short shot side sides sight sign signal signature silence similarity situation skill sleep slice slot society
solution sort sound source south space spare speaker specialist specification speech speed spell spelling spending spirit split spokesman sport spread
spring square staff stage stake stamp stand standard standing star statement station status stay step steps stock stop storage store stories straight
strategy street strength stress stretch string strip structure student students studies studio study stuff style substance substitute success
succession suggestion suit summary summer sun supplement supplier supply support surface surgery surprise surrounding survey switch symbol system
table tale talent talk talks target task taste tax teaching technique technology telephone temperature test text thanks theme theory thing threat
ticket tickets tie tier time times timetable timing tip tone tool top topic total touch tour tournament tower tracks trade tradition traffic trail
train training transfer transport travel treatment tree trial trip trouble trust truth try turn twist type unit units update upper usage use user
users vacancy validity value variant variation variety vehicle venture verdict version versions vicinity victory video view viewer viewers views
vision visit visitor visitors vocals voice volume vote voyage wage wait walk wall want warning wash watch water way ways weather website wedding
weekend weekday weeks welcome west whole will win wind window wish withdrawal witness wonder wood words worker workers working workplace works world
worth writing years yield youth zone able absolute active actual afraid ahead alone annual apparent applicable appropriate available aware bare basic
beautiful best better big bound broad busy capable careful cheap clean clear closed common comparable complete considerable consistent constant
contemporary continuous convenient cool correct corresponding creative daily dear decent deep definite deputy detailed different difficult direct
distant distinct due early easy effective eligible empty enough entire equal equivalent essential evident exact excellent exclusive existing expected
explicit express extended external extreme fair familiar famous far fast few fictional fixed flexible following formal former forthcoming fresh
friendly further general genuine given grand great happy hard heavy helpful hidden historic historical huge ideal identical immediate important
impressive inclusive indoor inner inside instant intended intense interested interesting internal involved keen large last late latest leading least
legal less like likely limited little live long lost lovely low lucky main major many massive mere minor missing mixed modern mutual near nearby neat
necessary new next nice normal notable noted numerous obvious occasional odd okay only open optional ordinary original other outer overall own perfect
permanent permitted personal plain planned pleasant popular possible practical precise preferred preliminary previous primary prime prior private
probable prominent promising proper proud rare raw ready real reasonable recent regular related relative reliable remaining remarkable remote renowned
required respected responsible rough safe same satisfied secondary selected sensible separate serious several sharp significant similar simple slight
small smooth soft solid special specific stable starting steady strict striking strong subsequent substantial successful sudden sufficient suitable
sure temporary tight tiny tough traditional true typical ultimate unable unique upcoming urgent useful usual valid valuable various vast visible vital
warm weak weekly well-known wide widespread wild willing wonderful wrong old lie counting sen rep gov det capt gen col lt sgt rev hon ie eg sq centre
trio clash dish researcher kilometre kilometer meter feet hectare acre kilogram kilo gram litre liter tonne ton i.e e.g ca approx p.m a.m pm am co vs
no nr hrs hr min mins sec am/pm
`
    .trim()
    .split(/\s+/),
);

/** Whether a noun or adjective by itself adds nothing that could be wrong beside an answer that stands in the text. */
export function isGeneralWord(norm: string): boolean {
  return generalWords.has(norm) || (norm.endsWith("s") && generalWords.has(norm.slice(0, -1)));
}
