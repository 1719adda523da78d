/** Words that carry grammar alone. */
const functionWords: ReadonlySet<string> = toSet(`
a an the this that these those it its itself he him his himself she her hers herself they them their theirs themselves we us our ours you your
yours i me my mine one ones who whom whose which what when where why how there here then than as at by for from in into of off on onto out over to
up upon with within without about above across after against along amid among around before behind below beneath beside besides between
beyond during except inside like near next outside past per since through throughout till toward towards under until unto versus via
and or but nor so yet if because while although though whereas unless whether both either neither each every all any some no not none
be is are was were been being am do does did done doing have has had having can could may might must shall should will would ought need
also too very just only even still again ever never once already yes s t d ll re ve m o etc e.g i.e vs
don doesn didn isn aren wasn weren hasn haven hadn wouldn couldn shouldn can't cannot ain let's it's he's she's that's there's what's who's
i'm i've i'd you're they're we're
`);

/** Words of answers that state nothing about their subject: hedges, talk about the text or the answer, light verbs. */
const neutralWords: ReadonlySet<string> = toSet(`
answer answers question questions response reply passage text context document documents article paragraph excerpt source sources information info
knowledge provided given according based mention mentioned mentions mentioning state stated states stating say says said saying indicate indicates
indicated suggest suggests suggested describe described describes note noted notes notes show shows shown imply implies implied refer refers referred
referring reference references explain explained explicitly specifically clearly directly confirm confirmed confirms conclude concluded conclusion
therefore thus hence accordingly consequently overall summary sum short brief briefly result results final finally correct right true indeed actually
really basically essentially simply namely especially particularly particular specific certain certainly sure definitely clearly obviously apparently
presumably probably possibly perhaps maybe likely seems seem seemed seemingly appears appear appeared believe believed think guess suppose assume
understand understanding know knows tell tells told find found see sees seen look looks looking consider considered considering regard regarded
regarding concern concerning respect relate related fact facts detail details reason reasons evidence statement claim claims point case thing things
something anything everything someone anyone way ways matter item items following follows follow above below aforementioned mentioned latter former
respectively instead rather however moreover furthermore additionally addition well okay ok hello hi please thanks thank hope helps help glad happy
great good course let lets asked asking ask asks identify identified identifies refer would'd judging going read reading back looking per quote quoted
quotes line lines tell confidence confident high low medium score value key option options choice choose chose chosen pick selected select
make makes made making get gets got getting go goes went gone come comes came coming take takes took taken give gives gave put puts use used uses using
become became becomes include includes included including contain contains contained comprise comprised consist consists consisted involve involved
belong belongs belonged hold holds held keep keeps kept bring brought remain remained call called calls name named names known
person people individual man woman men women figure thing place location area one ones part parts piece member kind kinds type types sort sorts group set
time times year years date dates day days month months period number numbers amount quantity figure total
same different other others another such own various several many much more most less least few lot lots number first second third two both
main major primary important significant notable notably famous well-known popular original originally actual current currently now today present
presently previously formerly earlier early late later recently recent eventually initially ultimately soon ago long
exactly precisely approximately about roughly around nearly almost close quite fully entirely completely together separately individually alike
hence as well such able due thereby whereby whereas among amongst therein thereof wherein
it'd he'd she'd they'd they'll it'll you'd compared comparing comparison compare
because since while being having
full complete whole entire single only
question's passage's text's document's
null true false json yaml note nb tldr summary
wrong mistaken incorrect far else correctly incorrectly accurately inaccurate accurate certain uncertain unsure unclear right
ok okay yeah yep nope cheers regards sorry apologies afraid sadly unfortunately fortunately luckily interestingly
additional further feel free glad need needs needed want wants wanted like likes help assistance assist request requested requests
summarize summarise summarized summarised basically overall essentially simply plain plainly words word
careful carefully closely check checked checking verify verified based basis base upon
best guess bet sense clue clues hint hints inference infer inferred deduce deduced evident evidently apparent seemingly
above-mentioned kindly pleasure welcome anytime sir madam dear user assistant ai model language
there's here's that's it's what's who's i'm i've i'd i'll we've we'd don't doesn't isn't aren't wasn't weren't
ll re ve im ive id youre theyre were
euro euros dollar dollars usd eur gbp percent percentage
come serve serves served serving act acts acted work works worked working play plays role character title position status
`);

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

export function isFunctionWord(norm: string): boolean {
  return functionWords.has(norm);
}

/** Whether a word states nothing that could be held against a text. */
export function isNeutralWord(norm: string): boolean {
  return functionWords.has(norm) || neutralWords.has(norm);
}
