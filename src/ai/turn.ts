import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelMessage } from 'ai'
import { callError } from './calls.ts'
import { emptyAnswer, ModelError, tooManySteps, tooManyTokens, unreadableCalls } from './errors.ts'
import { toModelMessages, toolResults } from './messages.ts'
import { TokenMeter, TokensExhausted } from './meter.ts'
import { type Service, serviceOf } from './open.ts'
import { requestTokens, runStep, type StepRequest } from './step.ts'
import type { Step } from './stream-reader.ts'
import type { Model, Tool, ToolCall, Turn, TurnEnd } from './types.ts'

type Ending = Omit<TurnEnd, 'usage'>
type AnsweredCall = ToolCall & { answer: string }

/** Limit for consecutive steps in which no call could be read. */
const MAX_UNREADABLE_STEPS = 3

/** Runs one turn of a model, including the calls that it makes. */
export async function runTurn(ai: Model, turn: Turn): Promise<TurnEnd> {
  const meter = new TokenMeter(turn.bounds.tokens)
  const ending = await new TurnRun(serviceOf(ai), turn, meter).run().catch((error: unknown) => {
    if (turn.signal.aborted) return { reason: 'stopped' } satisfies Ending
    return endingFor(error, turn)
  })
  return { ...ending, usage: meter.usage }
}

function endingFor(error: unknown, { bounds }: Turn): Ending {
  if (error instanceof ModelError) return { reason: 'failed', trouble: error.trouble }
  if (error instanceof TokensExhausted)
    return { reason: 'tokens', trouble: tooManyTokens(bounds.tokens) }
  throw error
}

class TurnRun {
  readonly #messages: ModelMessage[]
  #unreadableSteps = 0

  constructor(
    private readonly service: Service,
    private readonly turn: Turn,
    private readonly meter: TokenMeter,
  ) {
    this.#messages = toModelMessages(turn.history)
  }

  async run(): Promise<Ending> {
    const { bounds, signal } = this.turn
    for (let index = 0; index < bounds.steps; index += 1) {
      signal.throwIfAborted()
      if (index) await this.#addNewTexts()
      const tools = this.turn.tools()
      const { content, calls } = await this.#runStep(tools, index === 0)
      if (content.length) this.#messages.push({ role: 'assistant', content })
      if (calls.length && (await this.#runCalls(calls, tools))) return { reason: 'waiting' }
      if (!calls.length && !(await this.#addNewTexts())) return { reason: 'said' }
    }
    return { reason: 'steps', trouble: tooManySteps(bounds.steps) }
  }

  /** Adds texts that users wrote since the turn began; returns whether there were any. */
  async #addNewTexts(): Promise<boolean> {
    const texts = (await this.turn.takeNewTexts?.()) ?? []
    for (const content of texts) this.#messages.push({ role: 'user', content })
    return texts.length > 0
  }

  /** Retries a failed step unless part of its text was already emitted. */
  async #runStep(tools: readonly Tool[], isFirst: boolean): Promise<Step> {
    for (let attempt = 1; ; attempt += 1) {
      let hasText = false
      const onText = (text: string) => {
        hasText = true
        this.turn.onEvent({ type: 'text', text })
      }
      try {
        const result = await runStep(this.#request(tools, onText))
        // After calls a model may have nothing to add, so only the first step must not be empty.
        if (isFirst && !result.content.length) throw emptyAnswer()
        return result
      } catch (error) {
        const canRetry = error instanceof ModelError && error.isRetryable && !hasText
        if (!canRetry || attempt >= this.service.limits.maxTries) throw error
        await this.#wait(error, attempt)
      }
    }
  }

  #request(tools: readonly Tool[], onText: (text: string) => void): StepRequest {
    const { service, meter, turn } = this
    const { system, signal } = turn
    const request = {
      service,
      meter,
      system,
      signal,
      tools,
      onText,
      messages: this.#messages,
    }
    if (requestTokens(request) > meter.remaining) throw new TokensExhausted()
    return request
  }

  async #wait(error: ModelError, attempt: number): Promise<void> {
    const { retryPause, maxPause } = this.service.limits
    const ms = error.retryAfterMs ?? retryPause * 2 ** (attempt - 1)
    if (ms > maxPause) throw error
    await sleep(ms, undefined, { signal: this.turn.signal })
  }

  /** Runs the calls and adds their results to the messages; returns whether one of them waits. */
  async #runCalls(calls: readonly ToolCall[], tools: readonly Tool[]): Promise<boolean> {
    const { turn } = this
    const errors = new Map(calls.map((call) => [call, callError(call, tools, turn)]))
    for (const [call, text] of errors)
      turn.onEvent(text ? { type: 'refused', call, text } : { type: 'call', call })
    const answers: AnsweredCall[] = []
    for (const [call, text] of errors) {
      turn.signal.throwIfAborted()
      const outcome = text ? { text } : await turn.call(call, turn.signal)
      if ('text' in outcome) answers.push({ ...call, answer: outcome.text })
    }
    this.#unreadableSteps = [...errors.values()].every(Boolean) ? this.#unreadableSteps + 1 : 0
    if (this.#unreadableSteps >= MAX_UNREADABLE_STEPS) throw unreadableCalls()
    this.#messages.push(toolResults(answers))
    return answers.length < calls.length
  }
}
