import { type BrowserClient, browserClient } from './browser-client.ts'
import type { World } from './world.ts'

const BOARD = 'http://localhost'

/** A browser that follows redirects between the board and issuers, with the cookies of each. */
export function oidcBrowser(app: World['app'], boardUrl = BOARD) {
  const board = browserClient(app)
  const cookies = new Map<string, string>()

  const fetchIssuer = async (url: string, options: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(options.headers as Record<string, string>), cookie }
    const response = await fetch(url, { ...options, headers, redirect: 'manual' })
    for (const header of response.headers.getSetCookie()) {
      const [pair = ''] = header.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(name.length + 1)
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** Opens an address and follows its redirects to the last page. */
  async function open(address: string): Promise<Visited> {
    const visited: string[] = []
    let url = new URL(address, boardUrl)
    for (let step = 0; step < 20; step++) {
      visited.push(url.href)
      const isBoard = url.origin === new URL(boardUrl).origin
      const response = isBoard
        ? await board.get(url.pathname + url.search, { 'sec-fetch-site': 'cross-site' })
        : await fetchIssuer(url.href)
      const location = response.headers.get('location')
      if (!location) return { ...response, url, visited }
      url = new URL(location, url)
    }
    throw new Error(`Too many redirects: ${visited.join(' ')}`)
  }
  return { board, cookies, fetchIssuer, open }
}

export interface Visited extends Awaited<ReturnType<BrowserClient['get']>> {
  url: URL
  visited: string[]
}

export type OidcBrowser = ReturnType<typeof oidcBrowser>
