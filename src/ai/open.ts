import type { LanguageModel } from 'ai'
import type { Ai, Endpoint, Limits } from './types.ts'
import type { Wire } from './wire.ts'

export interface Service {
  endpoint: Endpoint
  limits: Limits
}

const MINUTE = 60_000

const LIMITS: Limits = {
  first: 3 * MINUTE,
  idle: MINUTE,
  step: 10 * MINUTE,
  tries: 4,
  pause: 1000,
  longest: 30_000,
}

/** Apart from what is handed around, so that no key is ever shown by mistake. */
const services = new WeakMap<Ai, Service>()

export function openAi(endpoint: Endpoint, limits?: Partial<Limits>): Ai
export function openAi(endpoint: Endpoint | undefined, limits?: Partial<Limits>): Ai | undefined
export function openAi(endpoint: Endpoint | undefined, limits?: Partial<Limits>): Ai | undefined {
  if (!endpoint) return undefined
  const { provider, model } = endpoint
  const ai: Ai = { provider, model }
  services.set(ai, { endpoint, limits: { ...LIMITS, ...limits } })
  return ai
}

export function serviceOf(ai: Ai): Service {
  const service = services.get(ai)
  if (!service) throw new Error('This model was not opened by openAi')
  return service
}

/** The packages are large, and most commands need none of them. */
export async function modelOf({ endpoint }: Service, wire: Wire): Promise<LanguageModel> {
  const { provider, base: baseURL, model, key } = endpoint
  const fetch = wire.fetch as typeof globalThis.fetch
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL, fetch, apiKey: key ?? '' })(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const named = { name: 'service', baseURL, fetch, includeUsage: true }
  return createOpenAICompatible({ ...named, ...(key && { apiKey: key }) })(model)
}
