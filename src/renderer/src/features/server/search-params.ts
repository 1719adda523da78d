import { z } from "zod";

/** The search parameters of Server: the tab, the request that is open, and which requests are shown. */
export const serverSearchSchema = z.object({
  tab: z.enum(["requests"]).optional().catch(undefined),
  request: z.string().min(1).max(100).optional().catch(undefined),
  method: z.string().min(1).max(10).optional().catch(undefined),
  path: z.string().min(1).max(200).optional().catch(undefined),
  status: z.enum(["2xx", "4xx", "5xx"]).optional().catch(undefined),
});
export type ServerSearch = z.infer<typeof serverSearchSchema>;

export type RequestFilter = Pick<ServerSearch, "method" | "path" | "status">;
