/** What a browser is shown that has not been let in: why, and how to get in. */
export const noEntryPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Sheaf needs a fresh address</title>
    <style nonce="%CSP_NONCE%">
      :root { background: light-dark(#fbfaf7, #16151a); color: light-dark(#1f1d1a, #eceae6); }
      body { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem; font: 1rem/1.6 system-ui, sans-serif; }
      h1 { font-size: 1.25rem; }
      a { color: light-dark(#8a5510, #e3b04b); }
    </style>
  </head>
  <body>
    <h1>Sheaf needs a fresh address</h1>
    <p>Each address lets in one browser, once. This one was used already, is not complete, or is from an earlier run.</p>
    <p>Go to the terminal where Sheaf runs and press Enter there, or start Sheaf again. It prints a fresh address: open
      that one here.</p>
    <p>If this browser was let in before, <a href="/">open Sheaf</a>.</p>
  </body>
</html>
`;
