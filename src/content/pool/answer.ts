import { failureOf, type Reply, type Request } from './wire.ts'

type Task = (...args: never[]) => unknown

/** Returns the request handler of a worker: it runs the task that a request names. */
export const requestHandler =
  (tasks: Record<string, Task>) =>
  async ([name, ...args]: Request): Promise<Reply> => {
    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    try {
      const value = await tasks[name]!(...(args as never[]))
      return { value, ms: elapsed() }
    } catch (error) {
      return { error: failureOf(error), ms: elapsed() }
    }
  }
