import type { Message, Params } from './message.ts'

type Requests = Record<string, { method: string; params: Params }>

/** Puts the questions of the server to the person at an older client. */
export class Questions {
  private readonly pending = new Map<string, (answer: unknown) => void>()
  private count = 0

  constructor(private readonly send: (message: Message) => void) {}

  /** The answers by the names of the questions, as the newest revision sends them. */
  async ask(requests: Requests): Promise<Record<string, unknown>> {
    const answers = Object.entries(requests).map(async ([name, request]) => {
      const id = `cork-${++this.count}`
      const answer = new Promise((resolve) => this.pending.set(id, resolve))
      this.send({ id, ...request })
      return [name, await answer] as const
    })
    return Object.fromEntries(await Promise.all(answers))
  }

  /** Takes the answer of the client. Returns false for a response to something else. */
  answer({ id, result }: Message): boolean {
    const resolve = this.pending.get(String(id))
    this.pending.delete(String(id))
    // A client that cannot show the question answers with an error.
    resolve?.(result ?? { action: 'cancel' })
    return resolve !== undefined
  }
}
