import type { World } from './world.ts'

interface BrowserResponse {
  status: number
  headers: Headers
  text: string
}

/** A browser without scripts: it stores cookies and sends the Sec-Fetch-Site header. */
export function browserClient(app: World['app']) {
  const cookies = new Map<string, string>()
  const storeCookie = (cookie: string) => {
    const [pair = ''] = cookie.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    if (/Max-Age=0\b/.test(cookie)) cookies.delete(name)
    else cookies.set(name, pair.slice(name.length + 1))
  }
  const send = async (
    method: string,
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<BrowserResponse> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }), ...headers },
      ...(body !== undefined && { body }),
    })
    const response = await app.handle(request)
    for (const header of response.headers.getSetCookie()) storeCookie(header)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    cookies,
    get: (path: string, headers: Record<string, string> = {}) =>
      send('GET', path, undefined, headers),
    post: (
      path: string,
      fields: Record<string, string> | [string, string][],
      headers: Record<string, string> = {},
    ) =>
      send('POST', path, String(new URLSearchParams(fields)), {
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      }),
    json: (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
      send(method, path, JSON.stringify(body), { 'content-type': 'application/json', ...headers }),
  }
}

export type BrowserClient = ReturnType<typeof browserClient>
