import type { Service } from "#service";
import type { BatchApi } from "./batch-api.ts";

/** The service on this computer. */
export function createLocalBatchApi(service: Service): BatchApi {
  const { engine, models, fileLimits, files, batches, results, verifications, grades, validateFile } = service;
  const description = `Requests are answered on this computer (${engine.description}).`;
  return { description, models, fileLimits, files, batches, results, verifications, grades, validateFile };
}
