import type { SecretName } from "#contract";

interface SecretWords {
  readonly label: string;
  readonly noun: string;
  /** Shown while there is none. */
  readonly none: string;
  /** What rotating it breaks. */
  readonly loss: string;
}

/** How the secrets of the server are spoken of. */
export const secretWords: Record<SecretName, SecretWords> = {
  api_key: {
    label: "Key",
    noun: "key",
    none: "Made when the server is first turned on",
    loss: "Programs that use it are refused (401) until they are given the new one.",
  },
  mcp_token: {
    label: "Token",
    noun: "token",
    none: "Made when the endpoint is first turned on",
    loss: "MCP clients that use it are refused (401) until the new one is in their settings.",
  },
};
