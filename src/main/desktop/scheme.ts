/** The page's own scheme, so that it has an origin of its own and no rights of `file:`. */
export const appScheme = "sheaf";
const appHost = "app";
/** As `WebFrameMain.origin` and the page's `location.origin` say it. */
export const appOrigin = `${appScheme}://${appHost}`;
/** What the window loads; the page's router takes it from there. */
export const appStartUrl = `${appOrigin}/`;

/** Whether an address belongs to the page. Says no to whatever is not an address at all. */
export function isAppUrl(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  const plain = url.username === "" && url.password === "" && url.port === "";
  return plain && url.protocol === `${appScheme}:` && url.hostname === appHost;
}
