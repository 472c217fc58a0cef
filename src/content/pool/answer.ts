import { failureOf, type Reply, type Request } from './wire.ts'

type Task = (...args: never[]) => unknown

/** Answers the requests to a worker with functions by the names of their tasks. */
export const answering =
  (tasks: Record<string, Task>) =>
  async ([name, ...args]: Request): Promise<Reply> => {
    const began = performance.now()
    const ms = () => performance.now() - began
    try {
      const value = await tasks[name]!(...(args as never[]))
      return { value, ms: ms() }
    } catch (error) {
      return { error: failureOf(error), ms: ms() }
    }
  }
