import type { LanguageModel } from 'ai'
import type { ServiceRequest } from './service-request.ts'
import type { Endpoint, Limits, Model } from './types.ts'

export interface Service {
  endpoint: Endpoint
  limits: Limits
}

const MINUTE = 60_000

const LIMITS: Limits = {
  first: 3 * MINUTE,
  idle: MINUTE,
  step: 10 * MINUTE,
  maxTries: 4,
  retryPause: 1000,
  maxPause: 30_000,
}

/** Kept apart from `Model`, which is passed around, so that its key is never shown by mistake. */
const services = new WeakMap<Model, Service>()

export function openModel(endpoint: Endpoint, limits?: Partial<Limits>): Model
export function openModel(
  endpoint: Endpoint | undefined,
  limits?: Partial<Limits>,
): Model | undefined
export function openModel(
  endpoint: Endpoint | undefined,
  limits?: Partial<Limits>,
): Model | undefined {
  if (!endpoint) return undefined
  const { provider, model } = endpoint
  const ai: Model = { provider, model }
  services.set(ai, { endpoint, limits: { ...LIMITS, ...limits } })
  return ai
}

export function serviceOf(ai: Model): Service {
  const service = services.get(ai)
  if (!service) throw new Error('This model was not opened by openAi')
  return service
}

/** Loads the packages lazily, because they are large and most commands need none of them. */
export async function modelOf({ endpoint }: Service, wire: ServiceRequest): Promise<LanguageModel> {
  const { provider, base: baseURL, model, key } = endpoint
  const fetch = wire.fetch as typeof globalThis.fetch
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL, fetch, apiKey: key ?? '' })(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const common = { name: 'service', baseURL, fetch, includeUsage: true }
  return createOpenAICompatible({ ...common, ...(key && { apiKey: key }) })(model)
}
