import type { LanguageModelStreamPart, ModelMessage, ToolSet } from 'ai'
import { inTurns, systemOf } from './messages.ts'
import { type Meter, roughly, Spent } from './meter.ts'
import { modelOf, type Service } from './open.ts'
import { Reading, type Step } from './reading.ts'
import { brokeDown, cutOff, odd, Unanswered } from './trouble.ts'
import type { Tool } from './types.ts'
import { Wire } from './wire.ts'

export interface Asking {
  service: Service
  system: string
  messages: readonly ModelMessage[]
  tools: readonly Tool[]
  meter: Meter
  signal: AbortSignal
  hear(text: string): void
}

/** Tokens of what a model is asked, roughly. */
export const weightOf = ({ system, messages, tools }: Asking): number =>
  roughly(system) + roughly(JSON.stringify(messages)) + roughly(JSON.stringify(tools))

/** Asks once. What goes wrong is thrown in words; where it was stopped, `signal` says so. */
export async function step(asking: Asking): Promise<Step> {
  const { service, meter, signal, hear } = asking
  const wire = new Wire(service.endpoint, service.limits, signal)
  const reading = new Reading(meter, weightOf(asking), hear)
  try {
    for await (const part of whileWanted(await asked(asking, wire), wire.signal)) reading.take(part)
    return reading.end()
  } catch (error) {
    throw wire.why ?? inWords(error)
  } finally {
    wire.end()
    meter.count(reading.usage)
  }
}

async function asked({ service, system, messages, tools }: Asking, wire: Wire) {
  const [ai, model] = await Promise.all([import('ai'), modelOf(service, wire)])
  const { jsonSchema, tool, experimental_streamLanguageModelCall: streamed } = ai
  const offered: ToolSet = {}
  for (const { name, description, schema } of tools)
    offered[name] = tool({ description, inputSchema: jsonSchema(schema) })
  const { stream } = await orStopped(
    streamed({
      model,
      instructions: systemOf(system),
      messages: inTurns(messages),
      tools: offered,
      // Others who speak this protocol do not know what it asks for.
      providerOptions: { anthropic: { toolStreaming: false } },
      // What was opened later stands last, so that what a service kept of the others still serves.
      toolOrder: Object.keys(offered),
      abortSignal: wire.signal,
    }),
    wire.signal,
  )
  return stream
}

/** What comes, and at once no more: not even waiting for whoever sends it. */
async function* whileWanted(stream: ReadableStream<LanguageModelStreamPart>, signal: AbortSignal) {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await orStopped(reader.read(), signal)
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function orStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    const settle = () => signal.removeEventListener('abort', stop)
    promise.then(resolve, reject).finally(settle)
    if (signal.aborted) stop()
  })
}

const UNREAD = 'what it says cannot be read'

/** What the packages throw by name; anything else is a mistake of this program and stays one. */
function inWords(error: unknown): unknown {
  if (error instanceof Unanswered || error instanceof Spent) return error
  const { name, message, cause } = error as Error
  if (cause instanceof Unanswered) return cause
  if (name === 'AI_InvalidResponseDataError') return cutOff()
  if (/JSONParse|TypeValidation|EmptyResponseBody/.test(name)) return odd(UNREAD)
  if (/normalized Anthropic stream error/.test(message)) return odd(UNREAD)
  if (/APICall|StreamProvider/.test(name)) return brokeDown(message)
  return error
}
