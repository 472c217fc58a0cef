import { unexpectedService, unreachable } from './errors.ts'
import { errorFrom } from './service-request.ts'
import type { Endpoint } from './types.ts'

/** The models that a service lists; undefined if it has no such list. Uses no tokens. */
export async function listModels(
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const { base, provider, key } = endpoint
  const response = await fetch(
    provider === 'anthropic' ? `${base}/models?limit=1000` : `${base}/models`,
    {
      redirect: 'manual',
      headers: headersFor(provider, key),
      signal,
    },
  ).catch(() => {
    throw unreachable()
  })
  if (response.status === 404 || response.status === 405) return undefined
  if (!response.ok) throw await errorFrom(response, endpoint)
  const { data } = await response.json().catch(() => {
    throw unexpectedService('it lists its models in an unknown format')
  })
  return Array.isArray(data) ? data.map((model) => String(model?.id)) : undefined
}

function headersFor(
  provider: Endpoint['provider'],
  key: string | undefined,
): Record<string, string> {
  if (provider === 'openai') return key ? { authorization: `Bearer ${key}` } : {}
  return { 'anthropic-version': '2023-06-01', ...(key && { 'x-api-key': key }) }
}
