/** What the editor of rules begins with: every kind of reply that is asked for often. */
export const sampleRules = `# The first rule that matches a request answers it. What no rule matches, the mock answers.
rules:
  - name: a fixed answer
    match: { last_user_message: { contains: refund } }
    reply: { text: Refunds take five working days. }

  - name: an answer as JSON, after half a second
    match: { last_user_message: { regex: "classify|label", ignore_case: true } }
    reply: { json: { label: positive, score: 0.9 }, delay_ms: 500 }

  - name: refused at first, then answered
    match: { last_user_message: { contains: busy } }
    replies:
      - error: { status: 429, message: Too many requests., retry_after: 1 }
      - text: Now there is time.
`;
