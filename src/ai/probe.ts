import { odd, unreachable } from './trouble.ts'
import type { Endpoint } from './types.ts'
import { refusalIn } from './wire.ts'

/** The models that a service names, where it does, without asking one of them anything. */
export async function namesAt(
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
  if (!response.ok) throw await refusalIn(response, endpoint)
  const { data } = await response.json().catch(() => {
    throw odd('it names its models in no form that is known')
  })
  return Array.isArray(data) ? data.map((one) => String(one?.id)) : undefined
}

function headersFor(
  provider: Endpoint['provider'],
  key: string | undefined,
): Record<string, string> {
  if (provider === 'openai') return key ? { authorization: `Bearer ${key}` } : {}
  return { 'anthropic-version': '2023-06-01', ...(key && { 'x-api-key': key }) }
}
