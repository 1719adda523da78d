/** Nouns and adjectives that people put around an answer without adding to it: "her birthplace is", "the event took place". */
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
`
    .trim()
    .split(/\s+/),
);

/** Whether a noun or adjective by itself adds nothing that could be wrong beside an answer that stands in the text. */
export function isGeneralWord(norm: string): boolean {
  return generalWords.has(norm) || (norm.endsWith("s") && generalWords.has(norm.slice(0, -1)));
}
