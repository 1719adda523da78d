import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { SecretStore } from "#main/base";

/** 256 bits, as base64url. */
const randomPart = 32;
const prefix = "mcp-sheaf-";

/** An MCP token: people and secret scanners recognise it by the prefix. */
const mcpTokenSchema = z.string().regex(/^mcp-sheaf-[\w-]{43}$/);

/** Whether the endpoint is open, and to whom. */
export interface McpState {
  readonly enabled: boolean;
  /** Stays while disabled, so that enabling again accepts it; null where none has been made yet. */
  readonly token: string | null;
}

/** What a token gets that is shown at the door. */
export type McpAdmission = "admitted" | "wrong" | "disabled";

/** Who may call the MCP endpoint. Rejects as the store does when the token can be neither read nor stored. */
export interface McpAccess {
  state(): Promise<McpState>;
  /** Accepts the token; makes one where there is none yet. Answers with it. */
  enable(): Promise<string>;
  /** Refuses the token until it is enabled again. */
  disable(): Promise<void>;
  /** Makes a new token, enabled or not; the one before is refused from then on. Answers with it. */
  rotate(): Promise<string>;
  /** Judges a token in constant time. */
  admit(token: string): Promise<McpAdmission>;
  /** Calls the listener after every change. The answer stops it. */
  subscribe(listener: () => void): () => void;
}

export interface McpAccessOptions {
  readonly secrets: SecretStore;
  /** Whether it was open when the data was last used; it outlives the process where the data does. */
  readonly enabled: { get(): boolean; set(enabled: boolean): void };
}

export function createMcpAccess({ secrets, enabled }: McpAccessOptions): McpAccess {
  const listeners = new Set<() => void>();
  /** Read once: a keychain takes milliseconds, and may ask its user. */
  let known: string | null = null;
  let lastChange: Promise<unknown> = Promise.resolve();

  async function readToken(): Promise<string | null> {
    if (known !== null) return known;
    const stored = mcpTokenSchema.safeParse(await secrets.get("mcp_token"));
    // It may have been made while the store was asked.
    known ??= stored.data ?? null;
    return known;
  }

  async function makeToken(): Promise<string> {
    const token = createMcpToken();
    await secrets.set("mcp_token", token);
    known = token;
    return token;
  }

  /** One change at a time: two that enable at once get the same token. */
  function change<T>(make: () => Promise<T>): Promise<T> {
    const made = lastChange.then(async () => {
      const result = await make();
      for (const listener of [...listeners]) listener();
      return result;
    });
    lastChange = made.catch(() => undefined);
    return made;
  }

  async function readState(): Promise<McpState> {
    const token = await readToken();
    // A token that was not stored leaves no one who could be let in.
    return { enabled: enabled.get() && token !== null, token };
  }

  return {
    state: readState,
    enable: () =>
      change(async () => {
        const token = (await readToken()) ?? (await makeToken());
        enabled.set(true);
        return token;
      }),
    disable: () => change(async () => enabled.set(false)),
    rotate: () => change(makeToken),
    async admit(given) {
      const { enabled: isOpen, token } = await readState();
      if (token === null || !isSameSecret(given, token)) return "wrong";
      return isOpen ? "admitted" : "disabled";
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function createMcpToken(): string {
  return prefix + randomBytes(randomPart).toString("base64url");
}

/** Takes as long for any two texts of a length: what is compared are digests, so that not even a length is learnt. */
function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
