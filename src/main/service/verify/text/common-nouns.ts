/**
 * Nouns and adjectives that are in everybody's mouth, and that people use for what a text calls by another word: "the
 * match", "the script", "the limit". Who somebody is (a wife, a rival), what they do (an astronaut), and what things are
 * made of or look like are not among them: those are claims.
 */
const commonNouns: ReadonlySet<string> = new Set(
  `
ability absence access accident account achievement act action activity address administration admission advance advantage advice affair afternoon age
agreement aid aim air allowance ambition analysis anniversary announcement answer appeal application applicant applications approach approval
argument arm arrangement arrival article aspect assessment assistance association assumption atmosphere attack attempt attention attitude audience authority
average awareness baby back background backing bag balance ball ban bar bargain base basis battle beach bear bearing beauty bed behalf behaviour belief
bench benefit bid bill bit block blow board boat body boundary box branch breach break breakfast breath brief budget build building bulk burden button buyer
call campaign campus capability card care carriage case cash cast catalogue cause caution celebration cell ceiling ceremony chain chair challenge chance
change channel chapter charge charges chart check checks choice circle circumstance claim class clause client climb clip clock close closing closure clothes
clue code collection colour column combination comfort command comment commission commitment committee communication community comparison competition
complaint complex component concept concern conclusion condition conduct conference confidence confirmation conflict connection consent consequence
consideration construction contact container content contents contest contract contribution control controversy convenience conversation copy core corner
cost costs count counter couple course court cover coverage craft crew criterion criticism crowd crowning cup currency current customer customers cut cycle
damage danger dark data date dawn day days deal dealing debate debt decision decline decrease deed default defeat defence degree delay delivery demand
department departure deposit description design desire desk destination detail development device difference difficulty dinner direction discount discovery
discussion display disposal dispute distinction distribution division document dollar door dose double doubt draft draw dream dress drink drive drop
duo duty earth ease edge edition editor education effect effort elder element embassy emergency emphasis employee employees employer end ending energy
engagement enquiry entrance entry environment equipment error essence estimate evening event events evidence exam examination example exception exchange
excuse execution exercise exhibition existence exit expense expenses experience expert explanation expression extension extent extra eye face facility fact
factor failure fall falls fallback fame family fan farm fashion fault favour favourite feature fee feeling fees field fight figure figures file final finale
finance finding fine finish fire firm fit fix flat floor flow focus folder follow-up food foot footage force form format fortune foundation fraction frame
framework freedom front fuel full fun function fund funding future gain gap gaps garden gate gear gift give glass goal gold good goods government grade
ground grounds group growth guarantee guard guess guest guests guidance guide guideline half hall hand hands handling handover happening harm head heading
headline health heart heat heating height help hero heroine hint history hit hold holder holiday home honour hope hospital host household housing idea ideas
identity illness image impact importance impression improvement inch incident income increase index individual industry influence initial initials input
inspection inspiration instance instruction instructions insurance intention interest interior interval interview introduction invention investment invitation
invoice involvement issue issues item job joint journey judgement jump key kid kind kit knowledge label labour lack land lane laureate law layer layout lead
leader leaders leadership league leaflet learning leave lecture legacy legend length lesson letter level levels licence lid lift light limit limits line
lines link links list load loan local location lock log look lookup lot love luck lunch machine mail mainland maker making manner map margin mark market
marketing mass master match matches mate material materials maximum meal meaning means measure media medium meeting meetings member members membership memory
mention menu message method metre middle mile mind minimum mission mistake mix mixture mode model moment money mood morning most motion motive mouth move
movement multiple music name names narrative nature need needs neighbour neighbourhood nerve net network news nickname night none nobody north notice notion
noun novelty nothing number object objection objective obligation occasion occupant offer office officer official officials opening operation operations
opinion opponent opportunity option options order orders organisation origin outcome outing outlet output outset outside overview owner pace pack package
page pages pair panel paper papers parcel parent part parties partner partners partnership party pass passage passenger passengers past path patient patients
pattern pause pay payment peak percent performance period permission person personnel perspective phase phone phrase picture pictures piece place places
plan plans plant plate play player players plea pleasure plot point points policy portion portrait pose position possession possibility post potential power
practice preceding precedence preference preparation presence present presentation president press pressure price prices pride principle print priority prize
problem procedure process product production products profit program programme progress project promise promotion proof property proportion proposal
prospect protection provider provision public publicity publisher purchase purpose pursuit quality quantity quarter question questions queue quick quiet race
raise range rank rate rates rating reach reaction reader readers reading reality reason recognition recommendation record recording records recovery
reduction reference refund regard region registration regulation relation relations relationship release relevance relief remainder remark reminder removal
repair reply report reports representation representative reputation request requirement requirements rescue research reservation reserve resident residents
resource resources respect response responsibility rest result results retail return returns reveal revenue review revision reward ride right rights rise
risk road role roles roof room rooms round route routine row rule rules run runner runner-up running safety salary sale sales sample saga satisfaction saving
scale scene schedule scheme school schooling science scope score screen script search season seat second secret section sector security seller selection
self sense sentence separation sequence series serving service services session set sets setting settlement setup shape share sheet sheets shift shipment
shop short shot show side sides sight sign signal signature silence similarity single site situation size skill sleep slice slot society solution sort sound
source south space spare speaker specialist specification speech speed spell spelling spending spirit split spokesman sport spot spread spring square staff
stage stake stamp stand standard standing star start state statement station status stay step steps stock stop storage store stories story straight
strategy street strength stress stretch string strip structure student students studies studio study stuff style substance substitute success succession
suggestion suit sum summary summer sun supplement supplier supply support surface surgery surname surprise surrounding survey switch symbol system table
tale talent talk talks target task taste tax teaching team technique technology telephone temperature term terms territory test text thanks theme theory
thing threat ticket tickets tie tier time times timetable timing tip title today tone tool top topic total touch tour tournament tower town track tracks
trade tradition traffic trail train training transfer transport travel treatment tree trial trip trouble trust truth try turn twist type unit units update
upper usage use user users vacancy validity value variant variation variety vehicle venture venue verdict version versions vicinity victory video view
viewer viewers views village vision visit visitor visitors vocals voice volume vote voyage wage wait walk wall want warning wash watch water way ways weather
website wedding week weekend weekday weeks weight welcome west whole will win wind window winner wish withdrawal witness wonder wood word words work worker
workers working workplace works world worth writer writing year years yield youth zone
able absolute active actual afraid ahead alone annual apparent applicable appropriate available aware bare basic beautiful best better big bound brief broad
busy capable careful central cheap clean clear closed common comparable complete considerable consistent constant contemporary continuous convenient cool
correct corresponding creative current daily dear decent deep definite deputy detailed different difficult direct distant distinct due earlier early easy
effective eligible empty enough entire equal equivalent essential evident exact excellent exclusive existing expected explicit express extended external
extra extreme fair familiar famous far fast favourite fellow few fictional final fine firm fit fixed flat flexible following formal former forthcoming fresh
friendly full further future general genuine given good grand great half hand happy hard heavy helpful hidden historic historical huge ideal identical
immediate important impressive inclusive indoor initial inner inside instant intended intense interested interesting internal involved joint keen key large
last late later latest leading least legal less level like likely limited little live local long lost lovely low lucky main major many massive maximum
mere minimum minor missing mixed modern multiple mutual near nearby neat necessary new next nice normal notable noted novel numerous obvious occasional odd
official okay older only open opening optional ordinary original other outer outside overall own particular past perfect permanent permitted personal
plain planned pleasant popular possible practical precise preferred preliminary present previous primary prime prior private probable prominent promising
proper proud public quick quiet rare raw ready real reasonable recent regular related relative relevant reliable remaining remarkable remote renowned
required respected responsible rest rough round safe same satisfied secondary selected sensible separate serious several sharp short significant similar
simple slight small smooth soft sole solid special specific spare stable standard standing starting steady straight strict striking strong subsequent
substantial successful sudden sufficient suitable sure surrounding temporary tight tiny top total tough traditional true typical ultimate unable unique
upcoming upper urgent useful usual valid valuable various vast visible vital warm weak weekly well-known wide widespread wild willing wonderful worth
wrong younger
old lie counting sen rep gov det capt gen col lt sgt rev hon ie eg sq centre trio clash dish researcher kilometre kilometer metre meter mile foot feet hectare acre kilogram kilo gram litre liter tonne ton inch
i.e e.g ca approx p.m a.m pm am co vs no nr hrs hr min mins sec am/pm
`
    .trim()
    .split(/\s+/),
);

/** Whether a noun or adjective is so common that it stands for another word more often than for a new claim. */
export function isCommonNoun(norm: string): boolean {
  return commonNouns.has(norm) || (norm.endsWith("s") && commonNouns.has(norm.slice(0, -1)));
}
