import { failureOf, type Reply } from './wire.ts'

/** Returns the message handler of a worker: it answers with the result of a job, or its error. */
export const answerWith =
  <Message>(job: (message: Message) => unknown) =>
  async (message: Message): Promise<Reply> => {
    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    try {
      const value = await job(message)
      return { value, ms: elapsed() }
    } catch (error) {
      return { error: failureOf(error), ms: elapsed() }
    }
  }
