import type { Service } from "#service";
import type { BatchApi } from "./batch-api.ts";

/** The service on this computer. */
export function createLocalBatchApi(service: Service): BatchApi {
  const { engine, models, fileLimits, files, batches, results, validateFile } = service;
  return { description: engine.description, models, fileLimits, files, batches, results, validateFile };
}
