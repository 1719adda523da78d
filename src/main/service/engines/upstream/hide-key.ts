import type { EngineError } from "../../ports.ts";

/** Servers repeat keys that they don't take: nothing that goes to a file or a client may have ours in it. */
export function hideKey(error: EngineError, key: string | null): EngineError {
  if (key === null || key === "") return error;
  const hide = <T extends string | null>(text: T) => (text === null ? text : text.replaceAll(key, "[key]"));
  const { message, type, param, code } = error.body.error;
  return {
    ...error,
    body: {
      error: {
        message: message.replaceAll(key, "[key]"),
        type: type.replaceAll(key, "[key]"),
        param: hide(param),
        code: hide(code),
      },
    },
  };
}
