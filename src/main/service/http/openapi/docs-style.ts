/** The style sheet of `/docs`: the app's colours, light and dark as the system has it, no font from elsewhere. */
export const docsStyle = `
:root { color-scheme: light dark; --ground: #fbfaf7; --card: #fff; --ink: #1f1d1a; --soft: #6b665e; --line: #e5e0d6; --code: #f4f1ea;
  --accent: #8f570a; --get: #1f6f43; --post: #8f570a; --put: #5b4a9e; --delete: #a8322a; }
@media (prefers-color-scheme: dark) { :root { --ground: #16151a; --card: #1d1c22; --ink: #eceae4; --soft: #a5a19a; --line: #35333c;
  --code: #25242b; --accent: #e3b04b; --get: #7fc79b; --post: #e3b04b; --put: #b9aaf0; --delete: #f0938a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/1.55 Inter, system-ui, sans-serif; }
a { color: var(--accent); } a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1rem 2rem 1.5rem; border-right: 1px solid var(--line); }
nav h2 { margin: 1.25rem 0 .25rem; font-size: .75rem; color: var(--soft); font-weight: 600; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .2rem .5rem; margin-left: -.5rem; border-radius: 6px; color: inherit; text-decoration: none; }
nav li a:hover { background: var(--code); }
main { padding: 2rem 2rem 6rem 2.5rem; min-width: 0; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.2; }
main h2 { margin: 3rem 0 0; font-size: 1.25rem; scroll-margin-top: 1rem; } main h2 + p { margin: .25rem 0 0; color: var(--soft); }
h3 { margin: 0; font-size: 1rem; } h4 { margin: 1rem 0 .25rem; font-size: .8125rem; font-weight: 600; }
p { margin: .5rem 0; max-width: 46rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; margin: 1rem 0; scroll-margin-top: 1rem; }
.call { margin: .25rem 0 0; overflow-wrap: anywhere; } .method { display: inline-block; min-width: 3.5rem; font-weight: 700; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
code, pre { font: .8125rem/1.55 "JetBrains Mono", ui-monospace, monospace; }
pre { background: var(--code); margin: .25rem 0 0; padding: .75rem 1rem; overflow-x: auto; border-radius: 6px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: .75rem; font-weight: 600; color: var(--soft); padding: .25rem 1rem .25rem 0; }
td { border-top: 1px solid var(--line); padding: .3rem 1rem .3rem 0; vertical-align: top; } td:first-child, th:first-child { width: 12rem; } td:nth-child(2), th:nth-child(2) { width: 9rem; }
.type { margin: 0; font-size: .75rem; color: var(--soft); }
details { margin-top: 1rem; border-top: 1px solid var(--line); padding-top: .75rem; } summary { cursor: pointer; font-size: .8125rem; font-weight: 600; }
.status { font-variant-numeric: tabular-nums; } .status + span { font-weight: 400; color: var(--soft); }
section > h3 { margin-top: 1.5rem; scroll-margin-top: 1rem; }
@media (max-width: 64rem) { .page { grid-template-columns: 13rem minmax(0, 1fr); } nav { padding-left: 1rem; } main { padding: 2rem 1.25rem 6rem 1.5rem; } }
@media (max-width: 46rem) { .page { display: block; } nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding: 1.5rem; } nav h2 { margin-top: .75rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; } main { padding: 1.5rem 1.5rem 6rem; } }
@media print { nav { display: none; } .page { display: block; } details { display: none; } }
`;
