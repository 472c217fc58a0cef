import type { AssistantModelMessage, LanguageModelStreamPart } from 'ai'
import { callPart, isObject } from './messages.ts'
import { type Meter, Spent } from './meter.ts'
import { cutOff, cutShort, refused, tooManyCalls } from './trouble.ts'
import type { Called, Ended } from './types.ts'

type Content = Exclude<AssistantModelMessage['content'], string>
type Of<T extends LanguageModelStreamPart['type']> = Extract<LanguageModelStreamPart, { type: T }>

type Signed = Pick<Of<'text-delta'>, 'providerMetadata'>

/** A model that is well makes a few; one that is not would go on to the end of its tokens. */
const MOST_CALLS = 100

/** What a model said in one go. */
export interface Step {
  /** As its service wants to hear it again, with the signatures that it put to its thoughts. */
  content: Content
  calls: Called[]
}

/** One stream of a model as it comes. */
export class Reading {
  readonly #content: Content = []
  readonly #calls: Called[] = []
  #weight = 0
  #begun = false
  #ending: Of<'model-call-end'> | undefined

  constructor(
    private readonly meter: Meter,
    /** Tokens of what was asked, roughly. */
    private readonly asked: number,
    private readonly hear: (text: string) => void,
  ) {}

  take(part: LanguageModelStreamPart): void {
    if (part.type !== 'model-call-start') this.#begun = true
    if (part.type === 'error') throw part.error
    if (part.type === 'text-start') this.#content.push({ type: 'text', text: '' })
    if (part.type === 'reasoning-start') this.#content.push({ type: 'reasoning', text: '' })
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') this.#more(part)
    if (part.type === 'tool-input-delta') this.#weigh(part.delta)
    if (part.type === 'tool-call') this.#call(part)
    if (part.type === 'model-call-end') this.#ending = part
    if ('providerMetadata' in part) this.#sign(part as Signed & { type: string })
  }

  end(): Step {
    const reason = this.#ending?.finishReason
    if (!reason || reason === 'error' || reason === 'interrupted') throw cutOff()
    if (reason === 'content-filter') throw refused()
    if (reason === 'length') throw cutShort()
    const content = this.#content.filter((part) => part.type !== 'text' || part.text.trim())
    const onlyThought = content.every(({ type }) => type === 'reasoning')
    return { content: onlyThought ? [] : content, calls: this.#calls }
  }

  /** As the service counts, or roughly where it does not. */
  get usage(): Ended['usage'] {
    if (!this.#begun) return { tokens_in: 0, tokens_out: 0 }
    const { inputTokens, outputTokens } = this.#ending?.usage ?? {}
    return {
      tokens_in: inputTokens || this.asked,
      tokens_out: outputTokens || Math.ceil(this.#weight),
    }
  }

  #more({ type, text }: Of<'text-delta'> | Of<'reasoning-delta'>): void {
    if (!text) return
    const last = this.#content.at(-1)
    if (last?.type === 'text' || last?.type === 'reasoning') last.text += text
    if (type === 'text-delta') this.hear(text)
    this.#weigh(text)
  }

  #call({ toolName: tool, input }: Of<'tool-call'>): void {
    if (this.#calls.length === MOST_CALLS) throw tooManyCalls(MOST_CALLS)
    const unread = typeof input === 'string' ? input : JSON.stringify(input)
    const called = { call_id: newCallId(), tool, input: isObject(input) ? input : unread }
    this.#calls.push(called)
    this.#content.push(callPart(called))
  }

  /** Services that sign what was thought or called want to see the same again. */
  #sign({ type, providerMetadata }: Signed & { type: string }): void {
    const last = this.#content.at(-1)
    if (!last || !providerMetadata || type === 'model-call-end') return
    if (last.type !== 'text' && last.type !== 'reasoning' && last.type !== 'tool-call') return
    last.providerOptions = { ...last.providerOptions, ...providerMetadata }
  }

  /** Every few letters would be counted as a whole token each, so they are weighed together. */
  #weigh(text: string): void {
    this.#weight += Buffer.byteLength(text) / 4
    if (this.asked + this.#weight > this.meter.left) throw new Spent()
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Ours, as some services use theirs again; nine letters and digits are what all of them take. */
function newCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9))
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('')
}
