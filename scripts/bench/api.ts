interface ApiResponse {
  data: unknown
  page?: { total: number | null; next_cursor: string | null }
  warnings?: { code: string }[]
}

/** Sends a request that is not measured. An error status ends the bench. */
export async function requestApi(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** Like `requestApi`, but returns only the data of the response. */
export const call = async (...request: Parameters<typeof requestApi>) =>
  (await requestApi(...request)).data as Record<string, unknown>
