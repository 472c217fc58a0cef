import type { LanguageModelStreamPart, ModelMessage, ToolSet } from 'ai'
import { connectionLost, ModelError, serviceFailed, unexpectedService } from './errors.ts'
import { mergeUserMessages, systemMessage } from './messages.ts'
import { approximateTokens, type TokenMeter, TokensExhausted } from './meter.ts'
import { modelOf, type Service } from './open.ts'
import { ServiceRequest } from './service-request.ts'
import { type Step, StreamReader } from './stream-reader.ts'
import type { Tool } from './types.ts'

export interface StepRequest {
  service: Service
  system: string
  messages: readonly ModelMessage[]
  tools: readonly Tool[]
  meter: TokenMeter
  signal: AbortSignal
  onText(text: string): void
}

/** Approximate tokens of a request. */
export const requestTokens = ({ system, messages, tools }: StepRequest): number =>
  approximateTokens(system) +
  approximateTokens(JSON.stringify(messages)) +
  approximateTokens(JSON.stringify(tools))

/** Sends one request. Throws errors with words for users; if it was aborted, `signal` says so. */
export async function runStep(request: StepRequest): Promise<Step> {
  const { service, meter, signal, onText } = request
  const serviceRequest = new ServiceRequest(service.endpoint, service.limits, signal)
  const reader = new StreamReader(meter, requestTokens(request), onText)
  try {
    for await (const part of readUntilAborted(
      await startStream(request, serviceRequest),
      serviceRequest.signal,
    ))
      reader.take(part)
    return reader.end()
  } catch (error) {
    throw serviceRequest.error ?? toModelError(error)
  } finally {
    serviceRequest.end()
    meter.count(reader.usage)
  }
}

async function startStream(
  { service, system, messages, tools }: StepRequest,
  serviceRequest: ServiceRequest,
) {
  const [ai, model] = await Promise.all([import('ai'), modelOf(service, serviceRequest)])
  const { jsonSchema, tool, experimental_streamLanguageModelCall: streamCall } = ai
  const toolSet: ToolSet = {}
  for (const { name, description, schema } of tools)
    toolSet[name] = tool({ description, inputSchema: jsonSchema(schema) })
  const { stream } = await orAborted(
    streamCall({
      model,
      instructions: systemMessage(system),
      messages: mergeUserMessages(messages),
      tools: toolSet,
      // Other services with Anthropic's protocol do not support tool streaming.
      providerOptions: { anthropic: { toolStreaming: false } },
      // Tools that were opened later come last, so that the service's cache stays valid.
      toolOrder: Object.keys(toolSet),
      abortSignal: serviceRequest.signal,
    }),
    serviceRequest.signal,
  )
  return stream
}

/** Ends at once when the signal aborts, without waiting for the sender. */
async function* readUntilAborted(
  stream: ReadableStream<LanguageModelStreamPart>,
  signal: AbortSignal,
) {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await orAborted(reader.read(), signal)
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const removeListener = () => signal.removeEventListener('abort', onAbort)
    promise.then(resolve, reject).finally(removeListener)
    if (signal.aborted) onAbort()
  })
}

const UNREADABLE = 'its response cannot be parsed'

/** Recognizes the errors of the packages by name. Others are bugs and stay unchanged. */
function toModelError(error: unknown): unknown {
  if (error instanceof ModelError || error instanceof TokensExhausted) return error
  const { name, message, cause } = error as Error
  if (cause instanceof ModelError) return cause
  if (name === 'AI_InvalidResponseDataError') return connectionLost()
  if (/JSONParse|TypeValidation|EmptyResponseBody/.test(name)) return unexpectedService(UNREADABLE)
  if (/normalized Anthropic stream error/.test(message)) return unexpectedService(UNREADABLE)
  if (/APICall|StreamProvider/.test(name)) return serviceFailed(message)
  return error
}
