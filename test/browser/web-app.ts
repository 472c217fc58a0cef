import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { type ConnectedClient, connectClient } from '../binary/agent-client.ts'
import { type BoardServer, startBoardServer } from '../binary/board-server.ts'
import { LIMIT_MS } from '../support/wait.ts'
import { recordProblems } from './page-checks.ts'

/** True when CORK_TEST_SKIP excludes the tests that need a browser. */
export const isBrowserSkipped = (process.env.CORK_TEST_SKIP ?? '').split(',').includes('browser')

interface SessionOptions {
  /** The language of the browser. */
  locale?: string
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** A touch screen instead of a mouse. */
  touch?: boolean
  /** Expected console messages. A browser logs every refused request. */
  ignoredMessages?: RegExp
  signedOut?: boolean
  /** Requests that pass the service worker cannot be intercepted by a test. */
  serviceWorker?: boolean
  /** New people are shown the tour. */
  tour?: boolean
  /** The URL of another server than that of this app. */
  url?: string
}

/** A browser context of its own, in which somebody uses the web app. */
export interface BrowserSession {
  page: Page
  context: BrowserContext
  /** Uncaught errors, console errors and warnings, and requests to other hosts. */
  problems: string[]
  /** Opens a path of the app and waits for its main element. */
  go(path: string): Promise<void>
}

/** A server of the executable and a browser that opens its web app. */
export interface WebApp extends Omit<BoardServer, 'close'> {
  browser: Browser
  /** Opens a browser context, in which Ada is signed in by default. */
  openSession(options?: SessionOptions): Promise<BrowserSession>
  /** Creates an agent of the team and connects it with a real MCP client. */
  connectAgent(name: string, fields?: object): Promise<ConnectedClient & { agent_id: string }>
  close(): Promise<void>
}

export async function openWebApp(
  env: Record<string, string> = {},
  /** A command that runs the server, for example with limits. */
  commandPrefix: string[] = [],
  /** Arguments of the command. */
  args: string[] = [],
  open: () => Promise<Browser> = openBrowser,
): Promise<WebApp> {
  const server = await startBoardServer(env, commandPrefix, args)
  const browser = await open()
  const agents: ConnectedClient[] = []
  return {
    ...server,
    browser,
    async openSession(options = {}) {
      const context = await browser.newContext(contextOptionsOf(options))
      context.setDefaultTimeout(LIMIT_MS)
      const { url = server.url, signedOut, tour, ignoredMessages } = options
      if (!tour) await context.addInitScript(skipTour)
      if (!signedOut) await context.addCookies(await cookiesOf(server))
      const page = await context.newPage()
      const problems = recordProblems(page, url, ignoredMessages)
      const go = async (path: string) => {
        await page.goto(url + path)
        await page.getByRole('main').waitFor()
      }
      return { page, context, problems, go }
    },
    async connectAgent(name, fields = {}) {
      const { agent_id, token } = await server.createAgent({ name, ...fields })
      const headers = { authorization: `Bearer ${token}` }
      const agent = await connectClient({ type: 'http', url: `${server.url}/mcp`, headers })
      agents.push(agent)
      return { ...agent, agent_id }
    },
    async close() {
      for (const agent of agents) await agent.close()
      // Otherwise the handler of a route that still waits for a response throws after the tests.
      for (const context of browser.contexts())
        for (const routes of [context, ...context.pages()])
          await routes.unrouteAll({ behavior: 'ignoreErrors' })
      await browser.close()
      await server.close()
    },
  }
}

/** Blank pages and sandboxed frames have no storage. */
function skipTour() {
  const hasStorage = location.protocol.startsWith('http') && origin !== 'null'
  if (hasStorage) localStorage.setItem('tour', 'ended')
}

const contextOptionsOf = ({
  theme = 'light',
  width = 1360,
  height = 850,
  touch = false,
  locale = 'en-GB',
  serviceWorker = false,
}: SessionOptions) => ({
  serviceWorkers: serviceWorker ? ('allow' as const) : ('block' as const),
  colorScheme: theme,
  viewport: { width, height },
  hasTouch: touch,
  isMobile: touch,
  locale,
  timezoneId: 'Europe/Berlin',
  permissions: ['clipboard-read', 'clipboard-write'],
})

async function cookiesOf(server: BoardServer) {
  const cookies = (await server.signIn()).split('; ')
  // With this cookie the app changes the time zone to that of the browser.
  const appCookies = cookies.filter((cookie) => !cookie.startsWith('cork_first='))
  return appCookies.map((cookie) => {
    const separator = cookie.indexOf('=')
    return {
      name: cookie.slice(0, separator),
      value: cookie.slice(separator + 1),
      url: server.url,
    }
  })
}
