interface Answer {
  data: unknown
  page?: { total: number | null; next_cursor: string | null }
}

/** One call of the API, outside of what is measured; a refusal ends the bench. */
export async function answer(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

export const call = async (...asked: Parameters<typeof answer>) =>
  (await answer(...asked)).data as Record<string, unknown>
