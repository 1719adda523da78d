import { batchEndpoint, type ChatRequest } from "#contract";
import { ServiceError } from "#main/base";
import { resolveModel } from "#main/requests";
import type { Service } from "#main/service";
import { createProblemFinder } from "./validate.ts";

/**
 * Checks what another vendor's request was translated to, as that API's own requests are checked, but that any model may be
 * named. Answers with the request for the model that its name stands for, or throws a ServiceError.
 * @param place where the request is, for one of many
 */
export type CheckTranslated = (request: ChatRequest, place?: string) => ChatRequest;

export function createTranslatedCheck(service: Service): CheckTranslated {
  const findProblem = createProblemFinder(service, batchEndpoint, true);
  return (request, place) => {
    const problem = findProblem(request);
    if (problem === null) return resolveModel(request, service.models);
    // The fields are those of the translation, which are named as they are there.
    const where = place === undefined ? "As a chat completion" : `${place}, as a chat completion`;
    throw new ServiceError(problem.code, `${where}: ${problem.message}`, problem.param);
  };
}
