import type { EngineAnswer, EngineReply } from "#main/base";

/** Whether a reply is an answer: an error may have a part of one next to it. */
export function isAnswered(reply: EngineReply): reply is EngineAnswer {
  return reply.statusCode === 200;
}
