const noAnswer =
  /\b(?:i (?:do not|don't|can't|cannot|can not|am unable|am not able|'m unable|'m not able|'m sorry|am sorry|apologi[sz]e)|(?:cannot|can't|could not|not possible to|impossible to|unable to) (?:be )?(?:determined?|answer(?:ed)?|say|tell|know)|does not (?:say|mention|state|specify|provide|contain)|doesn't (?:say|mention|state|specify|provide|contain)|not (?:mentioned|stated|specified|provided|given|enough information)|unknown|n\/a|no information)\b/i;

/** Whether a response says that there is no answer: then it can't have the form of one. */
export function isNoAnswer(response: string): boolean {
  return noAnswer.test(response.slice(0, 400).replaceAll("’", "'"));
}
