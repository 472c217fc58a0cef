import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { type House, openHouse } from '../binary/house.ts'
import { type Player, player } from '../binary/players.ts'
import { listened } from './faults.ts'

/** What leaves out the tests that need a browser. */
export const noBrowser = (process.env.CORK_TEST_SKIP ?? '').split(',').includes('browser')

interface Seat {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** With a finger instead of a pointer. */
  touch?: boolean
  /** What the browser may complain of: a browser tells of every refused request. */
  may?: RegExp
  /** Has not signed in. */
  stranger?: boolean
  /** At another server than the desk's own. */
  at?: string
}

/** Somebody at the web app of the executable. */
export interface Person {
  page: Page
  context: BrowserContext
  /** What went wrong out of sight: errors, warnings, and requests to anybody else. */
  complaints: string[]
  /** Opens a place of the app and waits until it is there. */
  go(path: string): Promise<void>
}

export interface Desk extends House {
  browser: Browser
  sit(seat?: Seat): Promise<Person>
  /** An agent of the team with a real MCP client. */
  hire(name: string, more?: object): Promise<Player & { agent_id: string }>
  leave(): Promise<void>
}

/** A served executable, and people with browsers and agents who work with it. */
export async function openDesk(
  env: Record<string, string> = {},
  /** Limits that the server runs under, such as SMALL_DISK. */
  under: string[] = [],
): Promise<Desk> {
  const house = await openHouse(env, under)
  const browser = await openBrowser()
  const players: Player[] = []
  return {
    ...house,
    browser,
    async sit(seat = {}) {
      const context = await browser.newContext(wayOf(seat))
      const { at = house.url } = seat
      if (!seat.stranger) await context.addCookies(await cookiesOf(house))
      const page = await context.newPage()
      const complaints = listened(page, at, seat.may)
      const go = async (path: string) => {
        await page.goto(at + path)
        await page.getByRole('main').waitFor()
      }
      return { page, context, complaints, go }
    },
    async hire(name, more = {}) {
      const { agent_id, token } = await house.agent({ name, ...more })
      const headers = { authorization: `Bearer ${token}` }
      const one = await player({ type: 'http', url: `${house.url}/mcp`, headers })
      players.push(one)
      return { ...one, agent_id }
    },
    async leave() {
      for (const one of players) await one.close()
      await browser.close()
      await house.close()
    },
  }
}

const wayOf = ({ theme = 'light', width = 1360, height = 850, touch = false }: Seat) => ({
  colorScheme: theme,
  viewport: { width, height },
  hasTouch: touch,
  isMobile: touch,
  locale: 'en-GB',
  timezoneId: 'Europe/Berlin',
  permissions: ['clipboard-read', 'clipboard-write'],
})

async function cookiesOf(house: House) {
  const said = (await house.signIn()).split('; ')
  // Whoever is here for the first time gets another time zone.
  const usual = said.filter((cookie) => !cookie.startsWith('cork_first='))
  return usual.map((cookie) => {
    const cut = cookie.indexOf('=')
    return { name: cookie.slice(0, cut), value: cookie.slice(cut + 1), url: house.url }
  })
}
