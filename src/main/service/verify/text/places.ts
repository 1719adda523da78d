/** Countries with what their people and things are called. The first name of a line is the country's. */
const countries = `
united-states us usa america american americans
united-kingdom uk britain british briton britons
england english englishman englishwoman
scotland scottish scots scot
wales welsh
ireland irish irishman
france french frenchman
germany german germans
italy italian italians
spain spanish spaniard
portugal portuguese
netherlands dutch holland
belgium belgian
switzerland swiss
austria austrian
sweden swedish swede
norway norwegian
denmark danish dane
finland finnish finn
iceland icelandic
poland polish pole
hungary hungarian
greece greek
turkey turkish
russia russian
ukraine ukrainian
romania romanian
bulgaria bulgarian
serbia serbian
croatia croatian
slovenia slovenian slovene
slovakia slovak
czechia czech
albania albanian
estonia estonian
latvia latvian
lithuania lithuanian
israel israeli
iran iranian
iraq iraqi
egypt egyptian
syria syrian
lebanon lebanese
jordan jordanian
morocco moroccan
algeria algerian
tunisia tunisian
nigeria nigerian
ghana ghanaian
kenya kenyan
ethiopia ethiopian
india indian
pakistan pakistani
bangladesh bangladeshi
nepal nepalese nepali
china chinese
japan japanese
korea korean
taiwan taiwanese
vietnam vietnamese
thailand thai
philippines filipino philippine
indonesia indonesian
malaysia malaysian
singapore singaporean
australia australian
canada canadian
mexico mexican
brazil brazilian
argentina argentine argentinian
chile chilean
peru peruvian
colombia colombian
venezuela venezuelan
cuba cuban
jamaica jamaican
armenia armenian
georgia georgian
kazakhstan kazakh
azerbaijan azerbaijani
uzbekistan uzbek
mongolia mongolian
cambodia cambodian
laos laotian
myanmar burma burmese
yemen yemeni
qatar qatari
kuwait kuwaiti
libya libyan
sudan sudanese
somalia somali
uganda ugandan
tanzania tanzanian
rwanda rwandan
zambia zambian
zimbabwe zimbabwean
botswana
namibia namibian
angola angolan
mozambique mozambican
madagascar malagasy
cameroon cameroonian
senegal senegalese
liberia liberian
guinea guinean
djibouti djiboutian
eritrea eritrean
gabon gabonese
malawi malawian
bolivia bolivian
ecuador ecuadorian
paraguay paraguayan
uruguay uruguayan
guyana guyanese
suriname surinamese
nicaragua nicaraguan
honduras honduran
guatemala guatemalan
panama panamanian
haiti haitian
malta maltese
moldova moldovan
belarus belarusian
montenegro montenegrin
luxembourg luxembourgish
afghanistan afghan
europe european
africa african
asia asian
`;

const usStates =
  "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming";

const continents = new Set(["europe", "africa", "asia"]);

const concepts: ReadonlyMap<string, string> = new Map(
  countries
    .trim()
    .split("\n")
    .flatMap((line) => {
      const names = line.split(" ");
      return names.map((name): [string, string] => [name, `place:${names[0]}`]);
    }),
);

const states: ReadonlySet<string> = new Set(usStates.split(" "));

/** The key that a country shares with its people and adjectives; undefined for other words. */
export function placeKey(word: string): string | undefined {
  return concepts.get(word);
}

/** What kind of place a key of a word is known as; undefined where nothing is known. */
export function placeKind(norm: string, key: string): "country" | "state" | undefined {
  if (states.has(norm) || key.startsWith("state:")) return "state";
  return key.startsWith("place:") && !continents.has(key.slice(6)) ? "country" : undefined;
}

const otherNames = new Set("us usa america uk britain holland europe africa asia".split(" "));

/** Whether a word says where somebody or something is from: "American", not "America". */
export function isDemonym(norm: string): boolean {
  const key = concepts.get(norm);
  return key !== undefined && key !== `place:${norm}` && !otherNames.has(norm);
}
