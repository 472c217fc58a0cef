import type { AssistantModelMessage, LanguageModelStreamPart } from 'ai'
import { answerTooLong, connectionLost, contentFiltered, tooManyCalls } from './errors.ts'
import { callPart, isObject } from './messages.ts'
import { type TokenMeter, TokensExhausted } from './meter.ts'
import type { ToolCall, TurnEnd } from './types.ts'

type Content = Exclude<AssistantModelMessage['content'], string>
type PartOf<T extends LanguageModelStreamPart['type']> = Extract<
  LanguageModelStreamPart,
  { type: T }
>

type Signed = Pick<PartOf<'text-delta'>, 'providerMetadata'>

/** A model makes a few calls per step; a broken one would continue until its tokens are used up. */
const MAX_CALLS = 100

/** The output of one request to a model. */
export interface Step {
  /** In the form that the service expects in the history, with the signatures of its reasoning. */
  content: Content
  calls: ToolCall[]
}

/** Collects one stream of a model. */
export class StreamReader {
  readonly #content: Content = []
  readonly #calls: ToolCall[] = []
  #outputTokens = 0
  #hasStarted = false
  #callEnd: PartOf<'model-call-end'> | undefined

  constructor(
    private readonly meter: TokenMeter,
    /** Approximate tokens of the request. */
    private readonly inputTokens: number,
    private readonly onText: (text: string) => void,
  ) {}

  take(part: LanguageModelStreamPart): void {
    if (part.type !== 'model-call-start') this.#hasStarted = true
    if (part.type === 'error') throw part.error
    if (part.type === 'text-start') this.#content.push({ type: 'text', text: '' })
    if (part.type === 'reasoning-start') this.#content.push({ type: 'reasoning', text: '' })
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') this.#appendText(part)
    if (part.type === 'tool-input-delta') this.#countOutput(part.delta)
    if (part.type === 'tool-call') this.#addCall(part)
    if (part.type === 'model-call-end') this.#callEnd = part
    if ('providerMetadata' in part) this.#addSignature(part as Signed & { type: string })
  }

  end(): Step {
    const reason = this.#callEnd?.finishReason
    if (!reason || reason === 'error' || reason === 'interrupted') throw connectionLost()
    if (reason === 'content-filter') throw contentFiltered()
    if (reason === 'length') throw answerTooLong()
    const content = this.#content.filter((part) => part.type !== 'text' || part.text.trim())
    const isOnlyReasoning = content.every(({ type }) => type === 'reasoning')
    return { content: isOnlyReasoning ? [] : content, calls: this.#calls }
  }

  /** As counted by the service, or approximated if it does not count. */
  get usage(): TurnEnd['usage'] {
    if (!this.#hasStarted) return { tokens_in: 0, tokens_out: 0 }
    const { inputTokens, outputTokens } = this.#callEnd?.usage ?? {}
    return {
      tokens_in: inputTokens || this.inputTokens,
      tokens_out: outputTokens || Math.ceil(this.#outputTokens),
    }
  }

  #appendText({ type, text }: PartOf<'text-delta'> | PartOf<'reasoning-delta'>): void {
    if (!text) return
    const last = this.#content.at(-1)
    if (last?.type === 'text' || last?.type === 'reasoning') last.text += text
    if (type === 'text-delta') this.onText(text)
    this.#countOutput(text)
  }

  #addCall({ toolName: tool, input }: PartOf<'tool-call'>): void {
    if (this.#calls.length === MAX_CALLS) throw tooManyCalls(MAX_CALLS)
    const rawInput = typeof input === 'string' ? input : JSON.stringify(input)
    const call = { call_id: newCallId(), tool, input: isObject(input) ? input : rawInput }
    this.#calls.push(call)
    this.#content.push(callPart(call))
  }

  /** Services that sign reasoning or calls require the signature in the history. */
  #addSignature({ type, providerMetadata }: Signed & { type: string }): void {
    const last = this.#content.at(-1)
    if (!last || !providerMetadata || type === 'model-call-end') return
    if (last.type !== 'text' && last.type !== 'reasoning' && last.type !== 'tool-call') return
    last.providerOptions = { ...last.providerOptions, ...providerMetadata }
  }

  /** Summed as a fraction, because rounding up each short delta would count far too much. */
  #countOutput(text: string): void {
    this.#outputTokens += Buffer.byteLength(text) / 4
    if (this.inputTokens + this.#outputTokens > this.meter.remaining) throw new TokensExhausted()
  }
}

const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Some services reuse their ids, so calls get ours; all services accept nine letters and digits.
 */
function newCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9))
  return Array.from(bytes, (byte) => ID_CHARACTERS[byte % ID_CHARACTERS.length]).join('')
}
