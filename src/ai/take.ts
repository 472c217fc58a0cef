import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelMessage } from 'ai'
import { whyUnreadable } from './calls.ts'
import { answersOf, messagesOf } from './messages.ts'
import { Meter, Spent } from './meter.ts'
import { type Service, serviceOf } from './open.ts'
import type { Step } from './reading.ts'
import { type Asking, step, weightOf } from './step.ts'
import { nothingSaid, tooManySteps, tooManyTokens, Unanswered, unreadable } from './trouble.ts'
import type { Ai, Called, Ended, Tool, Turn } from './types.ts'

type Ending = Omit<Ended, 'usage'>
type Answered = Called & { answer: string }

/** Steps in a row of which not one call could be read. */
const MOST_UNREADABLE = 3

/** Lets a model answer, and does what it calls for on the way. */
export async function take(ai: Ai, turn: Turn): Promise<Ended> {
  const meter = new Meter(turn.bounds.tokens)
  const ending = await new Taking(serviceOf(ai), turn, meter).end().catch((error: unknown) => {
    if (turn.signal.aborted) return { reason: 'stopped' } satisfies Ending
    return endingFor(error, turn)
  })
  return { ...ending, usage: meter.usage }
}

function endingFor(error: unknown, { bounds }: Turn): Ending {
  if (error instanceof Unanswered) return { reason: 'failed', trouble: error.trouble }
  if (error instanceof Spent) return { reason: 'tokens', trouble: tooManyTokens(bounds.tokens) }
  throw error
}

class Taking {
  readonly #messages: ModelMessage[]
  #unreadable = 0

  constructor(
    private readonly service: Service,
    private readonly turn: Turn,
    private readonly meter: Meter,
  ) {
    this.#messages = messagesOf(turn.said)
  }

  async end(): Promise<Ending> {
    const { bounds, signal } = this.turn
    for (let at = 0; at < bounds.steps; at += 1) {
      signal.throwIfAborted()
      if (at) await this.#listen()
      const tools = this.turn.tools()
      const { content, calls } = await this.#step(tools, at === 0)
      if (content.length) this.#messages.push({ role: 'assistant', content })
      if (calls.length && (await this.#make(calls, tools))) return { reason: 'waiting' }
      if (!calls.length && !(await this.#listen())) return { reason: 'said' }
    }
    return { reason: 'steps', trouble: tooManySteps(bounds.steps) }
  }

  /** What was said meanwhile is told to the model; whether there was anything. */
  async #listen(): Promise<boolean> {
    const texts = (await this.turn.meanwhile?.()) ?? []
    for (const content of texts) this.#messages.push({ role: 'user', content })
    return texts.length > 0
  }

  /** Tries again for as long as nobody heard anything of what failed. */
  async #step(tools: readonly Tool[], first: boolean): Promise<Step> {
    for (let at = 1; ; at += 1) {
      let heard = false
      const hear = (text: string) => {
        heard = true
        this.turn.hear({ type: 'text', text })
      }
      try {
        const said = await step(this.#asking(tools, hear))
        // Whoever did all that was to be done may have nothing more to say.
        if (first && !said.content.length) throw nothingSaid()
        return said
      } catch (error) {
        const again = error instanceof Unanswered && error.again && !heard
        if (!again || at >= this.service.limits.tries) throw error
        await this.#pause(error, at)
      }
    }
  }

  #asking(tools: readonly Tool[], hear: (text: string) => void): Asking {
    const { service, meter, turn } = this
    const { system, signal } = turn
    const asking = { service, meter, system, signal, tools, hear, messages: this.#messages }
    if (weightOf(asking) > meter.left) throw new Spent()
    return asking
  }

  async #pause(error: Unanswered, at: number): Promise<void> {
    const { pause, longest } = this.service.limits
    const ms = error.after ?? pause * 2 ** (at - 1)
    if (ms > longest) throw error
    await sleep(ms, undefined, { signal: this.turn.signal })
  }

  /** Whether one of them waits; what came of the others is told to the model. */
  async #make(calls: readonly Called[], tools: readonly Tool[]): Promise<boolean> {
    const { turn } = this
    const wrong = new Map(calls.map((call) => [call, whyUnreadable(call, tools, turn)]))
    for (const [call, text] of wrong)
      turn.hear(text ? { type: 'refused', call, text } : { type: 'call', call })
    const answers: Answered[] = []
    for (const [call, text] of wrong) {
      turn.signal.throwIfAborted()
      const outcome = text ? { text } : await turn.call(call, turn.signal)
      if ('text' in outcome) answers.push({ ...call, answer: outcome.text })
    }
    this.#unreadable = [...wrong.values()].every(Boolean) ? this.#unreadable + 1 : 0
    if (this.#unreadable >= MOST_UNREADABLE) throw unreadable()
    this.#messages.push(answersOf(answers))
    return answers.length < calls.length
  }
}
