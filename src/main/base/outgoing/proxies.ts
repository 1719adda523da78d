import { BlockList, isIP } from "node:net";

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy variable that can't be used, or a proxy that makes no connection. Nothing was sent to the server. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  /** Whether the variable has to be corrected. */
  readonly isVariable: boolean;

  constructor(message: string, { isVariable, cause }: { readonly isVariable: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.isVariable = isVariable;
  }
}

/** A proxy and the environment variable that names it; null for the proxy of a connection. */
export interface ChosenProxy {
  readonly variable: string | null;
  readonly url: URL;
}

/**
 * The proxy through which a target is called: the connection's own, else that of the environment; null for a direct call. A
 * target on this machine has none, and the variables are not read for it.
 * @param own the address of the connection's proxy
 * @throws ProxyError when the variable holds no address of a proxy
 */
export function findProxy(target: URL, env: Environment, own: string | null = null): ChosenProxy | null {
  const host = bareHost(target.hostname);
  if (isThisMachine(host)) return null;
  if (own !== null) return { variable: null, url: parseProxy(own, "The connection's proxy") };
  const variable = chooseVariable(target, env);
  if (variable === null || isIgnored(variable, env)) return null;
  return { variable, url: parseProxy(env[variable] ?? "", variable) };
}

/** The variable that names a proxy for a target, of a scheme that is ignored; null where there is none. */
export function findIgnoredProxy(target: URL, env: Environment): string | null {
  if (isThisMachine(bareHost(target.hostname))) return null;
  const variable = chooseVariable(target, env);
  return variable !== null && isIgnored(variable, env) ? variable : null;
}

/** Desktops set `ALL_PROXY` for all programs. With a scheme that Sheaf lacks, it is for others. */
function isIgnored(variable: string, env: Environment): boolean {
  const [scheme] = /^[a-z][a-z\d+.-]*:(?=\/\/)/.exec(withScheme(env[variable] ?? "").toLowerCase()) ?? [];
  return variable.toLowerCase() === "all_proxy" && scheme !== undefined && !schemes.test(scheme);
}

/**
 * The variable that counts for a target; null for a direct call. Lower case counts first, as everywhere. Without a proxy of its
 * own, `https` has that of `http`; without either, that of `ALL_PROXY` holds.
 */
function chooseVariable(target: URL, env: Environment): string | null {
  if (isExcepted(bareHost(target.hostname), target, env.no_proxy ?? env.NO_PROXY ?? "")) return null;
  const choose = (lower: string, upper: string) => {
    const name = env[lower] === undefined ? upper : lower;
    return env[name]?.trim() ? name : null;
  };
  const ofHttps = target.protocol === "https:" ? choose("https_proxy", "HTTPS_PROXY") : null;
  return ofHttps ?? choose("http_proxy", "HTTP_PROXY") ?? choose("all_proxy", "ALL_PROXY");
}

const schemes = /^(https?|socks5h?):$/;

/** Without a scheme, a proxy is one of HTTP. Desktops write `socks` for SOCKS 5. */
function withScheme(value: string): string {
  const text = value.trim();
  return text.includes("://") ? text.replace(/^socks:/i, "socks5:") : `http://${text}`;
}

/** The value is never repeated: it may hold a password. */
function parseProxy(value: string, where: string): URL {
  const url = URL.parse(withScheme(value));
  if (url !== null && url.hostname !== "" && schemes.test(url.protocol) && isDecodable(url)) return url;
  throw new ProxyError(`${where} is not of the form http://HOST:PORT or socks5://HOST:PORT`, { isVariable: true });
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/**
 * A list of hosts, `.domains` and `*.domains` with an optional port, of networks such as `10.0.0.0/8`, or `*` for all. A host
 * covers the names below it. What is no entry of these forms excepts nothing.
 */
function isExcepted(host: string, { port, protocol }: URL, list: string): boolean {
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(/[,\s]+/)
    .some((entry) => {
      if (entry.includes("/")) return isInNetwork(host, entry);
      const [, name = "", listedPort] = isIP(entry) === 6 ? [entry, entry] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []);
      if (name === "" || (listedPort !== undefined && listedPort !== ownPort)) return false;
      if (name === "*") return true;
      const domain = bareHost(name.replace(/^\*?\./, ""));
      return host.endsWith(`.${domain}`) || (host === domain && !name.startsWith("*"));
    });
}

/** @param network an address, and how many of its first bits count: `192.168.0.0/16`, `[fd00::]/8` */
function isInNetwork(host: string, network: string): boolean {
  const [address = "", bits = ""] = network.split("/");
  const base = bareHost(address);
  const [version, ofNetwork] = [isIP(host), isIP(base)];
  const isNetwork = ofNetwork !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (ofNetwork === 6 ? 128 : 32);
  if (version === 0 || !isNetwork) return false;
  const list = new BlockList();
  list.addSubnet(base, Number(bits), nameOf(ofNetwork));
  return list.check(host, nameOf(version));
}

const nameOf = (version: number) => (version === 6 ? "ipv6" : "ipv4");

/** A host without the brackets of an IPv6 address, and without the dot that ends a full name. */
function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1").replace(/(.)\.$/, "$1");
}

const ownAddresses = new BlockList();
ownAddresses.addSubnet("127.0.0.0", 8);
ownAddresses.addAddress("0.0.0.0");
ownAddresses.addAddress("::1", "ipv6");
ownAddresses.addAddress("::", "ipv6");

function isThisMachine(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host === "localhost" || host.endsWith(".localhost");
  return ownAddresses.check(host, nameOf(version));
}
