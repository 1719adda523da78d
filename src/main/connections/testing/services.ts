import type { AdapterName } from "#contract";
import { startAnthropicService } from "./anthropic-service.ts";
import { startChatService } from "./chat-service.ts";
import { startGeminiService } from "./gemini-service.ts";
import { startOpenaiService } from "./openai-service.ts";
import type { StandIn } from "./stand-in.ts";

/** A stand-in of any kind, with what a connection to it needs. */
export interface AnyService extends StandIn {
  readonly adapter: AdapterName;
  readonly preset: string | null;
  /** Batches that were created; none where lines are called one by one. */
  readonly batches: readonly { readonly id: string; readonly lines: number }[];
  /** Answers what was created, and ends it. */
  end(): void;
}

/** Each kind of service that there is an adapter for. */
export const services: Readonly<Record<"chat" | "openai" | "together" | "anthropic" | "gemini", Start>> = {
  async chat(key) {
    const service = await startChatService(key);
    return { ...service, url: `${service.url}/v1`, adapter: "chat", preset: null, batches: [], end() {} };
  },
  openai: async (key) => asService(await startOpenaiService("openai", key), "openai-batch", "openai"),
  together: async (key) => asService(await startOpenaiService("together", key), "openai-batch", "together"),
  anthropic: async (key) => asService(await startAnthropicService(key), "anthropic-batch", "anthropic"),
  gemini: async (key) => asService(await startGeminiService(key), "gemini-batch", "gemini"),
};

type Start = (key: string) => Promise<AnyService>;

function asService(
  service: StandIn & Pick<AnyService, "batches"> & { end(): void },
  adapter: AdapterName,
  preset: string,
): AnyService {
  return {
    ...service,
    adapter,
    preset,
    get batches() {
      return service.batches;
    },
    end: () => service.end(),
  };
}
