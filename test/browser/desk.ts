import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { type House, openHouse } from '../binary/house.ts'
import { type Player, player } from '../binary/players.ts'
import { listened } from './faults.ts'

/** True when CORK_TEST_SKIP excludes the tests that need a browser. */
export const noBrowser = (process.env.CORK_TEST_SKIP ?? '').split(',').includes('browser')

interface Seat {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** A touch screen instead of a mouse. */
  touch?: boolean
  /** Console messages to ignore, because a browser logs every refused request. */
  may?: RegExp
  /** Not signed in. */
  stranger?: boolean
  /** The URL of another server than the one of this desk. */
  at?: string
}

/** A person who uses the web app of the executable in a browser. */
export interface Person {
  page: Page
  context: BrowserContext
  /** Uncaught errors, console errors and warnings, and requests to other hosts. */
  complaints: string[]
  /** Opens a path of the app and waits for its main element. */
  go(path: string): Promise<void>
}

export interface Desk extends House {
  browser: Browser
  sit(seat?: Seat): Promise<Person>
  /** Creates an agent of the team and connects it with a real MCP client. */
  hire(name: string, more?: object): Promise<Player & { agent_id: string }>
  leave(): Promise<void>
}

/** Starts the executable and a browser, for people and agents who use them. */
export async function openDesk(
  env: Record<string, string> = {},
  /** A command prefix that limits the server, such as SMALL_DISK. */
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
  // With this cookie the app changes the time zone to that of the browser.
  const usual = said.filter((cookie) => !cookie.startsWith('cork_first='))
  return usual.map((cookie) => {
    const cut = cookie.indexOf('=')
    return { name: cookie.slice(0, cut), value: cookie.slice(cut + 1), url: house.url }
  })
}
