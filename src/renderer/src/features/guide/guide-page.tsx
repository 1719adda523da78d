import { Title, UnstyledButton } from "@mantine/core";
import { Suspense, useEffect, useMemo, useRef } from "react";
import { MarkdownText, type MarkdownTextProps, SearchField, scrollable } from "../../components/index.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import classes from "./guide-page.module.css";
import { findPicture, guidePages } from "./guide-pages.ts";
import { createGuideSearch } from "./search-guide.ts";
import type { GuideSearch } from "./search-params.ts";
import { type GuidePlace, type GuidePage as Page, readLink, slugOf } from "./sections.ts";

export interface GuidePageProps {
  readonly search: GuideSearch;
  readonly onChange: (changed: GuideSearch) => void;
}

/** The documentation that users of the app read, to search and to read here. */
export function GuidePage({ search: { page: name, section, q }, onChange }: GuidePageProps) {
  const page = guidePages.find((one) => one.name === name) ?? guidePages[0];
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLElement>(null);
  const article = useRef<HTMLElement>(null);
  const pageName = page?.name;
  useShortcuts("Guide", [{ keys: "/", label: "Search the guide", run: () => field.current?.focus() }]);

  // The text is drawn a moment after its page was chosen.
  useEffect(() => {
    const { current } = article;
    if (current === null || pageName === undefined) return;
    const show = () => {
      const target = section === undefined ? current : document.getElementById(section);
      if (target === current) current.scrollTop = 0;
      else target?.scrollIntoView({ block: "start" });
      return target !== null;
    };
    if (show()) return;
    const observer = new MutationObserver(() => show() && observer.disconnect());
    observer.observe(current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [pageName, section]);

  const go = (place: GuidePlace) => {
    onChange({ ...place, q });
    article.current?.focus({ preventScroll: true });
  };
  if (page === undefined) return null;
  return (
    <div className={classes.root}>
      <div className={classes.side}>
        <Title className={classes.title}>Guide</Title>
        <SearchField
          ref={field}
          className={classes.search}
          label="Search the guide"
          placeholder="Search the guide"
          value={q}
          onChange={(text) => onChange({ page: page.name, section, q: text })}
          onLeave={() => list.current?.querySelector("button")?.focus()}
        />
        <nav ref={list} className={classes.nav} aria-label="Contents">
          {q === undefined ? <Contents page={page} section={section} onGo={go} /> : <Hits query={q} onGo={go} />}
        </nav>
      </div>
      <article ref={article} className={classes.article} aria-label={page.title} {...scrollable}>
        <div className={classes.text}>
          <Suspense fallback={<p className={classes.loading}>{page.title}</p>}>
            <PageText page={page} onGo={go} />
          </Suspense>
        </div>
      </article>
    </div>
  );
}

interface ContentsProps {
  readonly page: Page;
  readonly section: string | undefined;
  readonly onGo: (place: GuidePlace) => void;
}

/** All pages, and the headings of the one that is shown. */
function Contents({ page, section, onGo }: ContentsProps) {
  return (
    <ul>
      {guidePages.map(({ name, title, sections }) => (
        <li key={name}>
          <UnstyledButton
            className={classes.entry}
            aria-current={name === page.name && section === undefined ? "page" : undefined}
            data-open={name === page.name || undefined}
            onClick={() => onGo({ page: name })}
          >
            {title}
          </UnstyledButton>
          {name === page.name ? (
            <ul>
              {sections
                .filter(({ depth }) => depth === 2)
                .map(({ id, title: heading }) => (
                  <li key={id}>
                    <UnstyledButton
                      className={classes.heading}
                      aria-current={id === section ? "true" : undefined}
                      onClick={() => onGo({ page: name, section: id })}
                    >
                      {heading}
                    </UnstyledButton>
                  </li>
                ))}
            </ul>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

interface HitsProps {
  readonly query: string;
  readonly onGo: (place: GuidePlace) => void;
}

const searchPages = createGuideSearch(guidePages);

function Hits({ query, onGo }: HitsProps) {
  const hits = useMemo(() => searchPages(query), [query]);
  return (
    <>
      <p className={classes.count} role="status">
        {hits.length === 0 ? "No results." : `${hits.length} found`}
      </p>
      <ul>
        {hits.map(({ page, section, excerpt }) => (
          <li key={`${page.name} ${section.id}`}>
            <UnstyledButton
              className={classes.hit}
              onClick={() => onGo({ page: page.name, ...(section.depth > 1 && { section: section.id }) })}
            >
              <strong>{section.title}</strong>
              {section.depth > 1 ? <span className={classes.where}>{page.title}</span> : null}
              <span className={classes.excerpt}>{excerpt}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </>
  );
}

interface TextProps {
  readonly page: Page;
  readonly onGo: (place: GuidePlace) => void;
}

function PageText({ page, onGo }: TextProps) {
  const goTo = useRef(onGo);
  useEffect(() => {
    goTo.current = onGo;
  });
  const components = useMemo<NonNullable<MarkdownTextProps["components"]>>(
    () => ({
      img: ({ src, alt }) => {
        const url = findPicture(String(src));
        return url === undefined ? null : <img className={classes.picture} src={url} alt={alt} loading="lazy" />;
      },
      h1: ({ children }) => <h2 className={classes.h1}>{children}</h2>,
      h2: ({ children, node }) => (
        <h3 id={slugOf(textOf(node))} className={classes.h2}>
          {children}
        </h3>
      ),
      h3: ({ children, node }) => (
        <h4 id={slugOf(textOf(node))} className={classes.h3}>
          {children}
        </h4>
      ),
      h4: ({ children, node }) => <h5 id={slugOf(textOf(node))}>{children}</h5>,
      a: ({ href = "", children, node }) => {
        const place = readLink(href, page.name, guidePages);
        if (place === null) return <span>{children}</span>;
        if (place === "web") {
          return (
            <a href={href} target="_blank" rel="noreferrer noopener">
              {children}
            </a>
          );
        }
        // A link whose words are the name of a file leads to a page here.
        const target = textOf(node).endsWith(".md") ? guidePages.find(({ name }) => name === place.page) : undefined;
        return (
          <UnstyledButton className={classes.link} onClick={() => goTo.current(place)}>
            {target?.title ?? children}
          </UnstyledButton>
        );
      },
    }),
    [page],
  );
  return (
    <MarkdownText
      text={page.text}
      kind="page"
      components={components}
      plain={() => <p className={classes.loading}>{page.title}</p>}
    />
  );
}

interface TreeNode {
  readonly value?: unknown;
  readonly children?: readonly TreeNode[];
}

/** The words of an element of the parsed text. */
function textOf(node: TreeNode | undefined): string {
  if (typeof node?.value === "string") return node.value;
  return (node?.children ?? []).map(textOf).join("");
}
