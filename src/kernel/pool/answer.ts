import { failureOf, type Reply } from './wire.ts'

/** Returns the message handler of a worker: it answers each message with a result or an error. */
export const answerWith =
  <Message>(job: (message: Message) => unknown) =>
  async (messages: readonly Message[]): Promise<Reply[]> => {
    const replies: Reply[] = []
    for (const message of messages) replies.push(await replyTo(message, job))
    return replies
  }

async function replyTo<Message>(
  message: Message,
  job: (message: Message) => unknown,
): Promise<Reply> {
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  try {
    const value = await job(message)
    return { value, ms: elapsed() }
  } catch (error) {
    return { error: failureOf(error), ms: elapsed() }
  }
}
