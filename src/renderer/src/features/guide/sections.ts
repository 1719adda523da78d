/** A page of the documentation. Its name is that of its file, without `.md`. */
export interface GuidePage {
  readonly name: string;
  readonly title: string;
  /** Markdown, as it is in the file. */
  readonly text: string;
  /** What is under each heading; the first one is the title's. */
  readonly sections: readonly GuideSection[];
}

export interface GuideSection {
  /** As links name it: of its heading. */
  readonly id: string;
  readonly title: string;
  /** 1 for the page itself. */
  readonly depth: number;
  /** Without marks, as it is searched. */
  readonly words: string;
}

/** Parses a page. Lines in fenced code are no headings. */
export function splitPage(name: string, text: string): GuidePage {
  const sections: { id: string; title: string; depth: number; lines: string[] }[] = [];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const [, marks = "", heading = ""] = (!isCode && /^(#{1,4}) (.+)$/.exec(line)) || [];
    if (heading !== "") {
      const title = toWords(heading);
      sections.push({ id: slugOf(title), title, depth: marks.length, lines: [] });
    } else sections.at(-1)?.lines.push(line);
  }
  return {
    name,
    title: sections[0]?.title ?? name,
    text,
    sections: sections.map(({ lines, ...section }) => ({ ...section, words: toWords(lines.join("\n")) })),
  };
}

/** The id of a heading, as GitHub makes it for links. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/** Markdown without its marks: pictures are left out, links are their words. */
function toWords(markdown: string): string {
  return markdown
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^\s*\|[\s|:-]+\|\s*$/gm, "")
    .replaceAll(/^\s*(```|~~~).*$/gm, "")
    .replaceAll(/\*\*|`|(?<![\w/])_|_(?!\w)/g, "")
    .replaceAll(/[\s|]+/g, " ")
    .trim();
}

export interface GuidePlace {
  readonly page: string;
  readonly section?: string;
}

/** Where a link of a page leads: to a place in the guide, to the web, or to a file that the app does not have. */
export function readLink(href: string, from: string, pages: readonly GuidePage[]): GuidePlace | "web" | null {
  if (/^https?:/.test(href)) return "web";
  const [, file, section] = /^([\w-]*?)(?:\.md)?(?:#(.+))?$/.exec(href) ?? [];
  const page = file === "" ? from : file;
  if (page === undefined || !pages.some(({ name }) => name === page)) return null;
  return section === undefined ? { page } : { page, section };
}
