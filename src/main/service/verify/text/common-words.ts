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

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

export function isFunctionWord(norm: string): boolean {
  return functionWords.has(norm);
}
