/** Enough for the keys and metadata of any issuer. */
const MAX_BYTES = 1_000_000

interface Options {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
}

/**
 * Fetches from the issuer that the operator configured, which may be in a private network. Its
 * responses are limited in size, and redirects are not followed.
 */
export async function limitedFetch(url: string, options: Options): Promise<Response> {
  const response = await fetch(url, { ...(options as RequestInit), redirect: 'manual' })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new Error(`${new URL(url).origin} sent more than 1 MB`)
    chunks.push(chunk)
  }
  const body = chunks.length ? Buffer.concat(chunks) : null
  return new Response(body, { status: response.status, headers: response.headers })
}
