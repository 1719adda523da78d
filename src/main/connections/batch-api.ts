import type {
  BatchCosts,
  Batches,
  Comparisons,
  FileLimits,
  Files,
  Grades,
  ModelCatalog,
  Results,
  Service,
  Verifications,
} from "#service";

/**
 * What the app needs of a batch service, wherever it runs. It is implemented by the service on this computer; a hosted one
 * can replace that.
 */
export interface BatchApi {
  /** One sentence on what answers the requests. */
  readonly description: string;
  /** Whether a mock makes the answers up: it can neither judge nor grade. */
  readonly isMock: boolean;
  readonly models: ModelCatalog;
  readonly fileLimits: FileLimits;
  /** Of input files that the app makes, of a table or for a retry. */
  readonly generatedFileLimits: FileLimits;
  readonly files: Files;
  readonly batches: Omit<Batches, "settled">;
  readonly results: Results;
  readonly costs: BatchCosts;
  readonly damage: Service["damage"];
  readonly comparisons: Comparisons;
  readonly answerFields: Service["answerFields"];
  readonly verifications: Omit<Verifications, "settled">;
  readonly grades: Omit<Grades, "settled">;
  readonly validateFile: Service["validateFile"];
}

/** The service on this computer. */
export function createLocalBatchApi(service: Service): BatchApi {
  const {
    models,
    fileLimits,
    generatedFileLimits,
    files,
    batches,
    results,
    costs,
    damage,
    comparisons,
    answerFields,
    verifications,
    grades,
    validateFile,
  } = service;
  return {
    get description() {
      return `Requests are answered on this computer (${service.engine.description}).`;
    },
    get isMock() {
      return service.engine.isMock === true;
    },
    models,
    fileLimits,
    generatedFileLimits,
    files,
    batches,
    results,
    costs,
    damage,
    comparisons,
    answerFields,
    verifications,
    grades,
    validateFile,
  };
}
