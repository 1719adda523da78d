const wrapping = " \t\r\n\"'`*_.!,;:()[]“”‘’$";
const lead =
  /^(?:the |my )?(?:final )?(?:answer|label|sentiment|category|classification|result|output|class|response|verdict)(?: is)?\s*[:=-]\s*/i;

/** What an answer says, without quotation marks, emphasis, a full stop or "Answer:" around it. */
export function withoutWrapping(text: string): string {
  const bare = strip(text);
  return strip(bare.replace(lead, ""));
}

function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && wrapping.includes(text.charAt(start)) && !"[(".includes(text.charAt(start))) start += 1;
  while (end > start && wrapping.includes(text.charAt(end - 1)) && !"])".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
