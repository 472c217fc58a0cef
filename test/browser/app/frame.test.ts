import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page, Request } from 'playwright-core'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { pressSequence } from './keys.ts'

describe.skipIf(isBrowserSkipped)('the web app', () => {
  let app: WebApp
  let board: string
  beforeAll(async () => {
    app = await openWebApp()
    board = `/projects/${app.project_id}`
    await app.createTask({ title: 'Write the invitation' })
  })
  afterAll(() => app?.close())
  afterEach(async () => {
    for (const context of app.browser.contexts()) await context.close()
  })

  const openSession = async (...options: Parameters<WebApp['openSession']>) => {
    const session = await app.openSession(...options)
    return session
  }
  const pathOf = (page: Page) => new URL(page.url()).pathname

  test('opens the board of the person at /, and contacts no other host', async () => {
    const { page, problems, go } = await openSession()
    await go('/')
    await page.getByText('Write the invitation').waitFor()
    expect(pathOf(page)).toBe(board)
    expect(await accessibilityIssues(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('links every screen in its sidebar, sets the title and moves the focus to the content', async () => {
    const { page, problems, go } = await openSession()
    await go(board)
    await page.getByText('Write the invitation').waitFor()
    expect(await page.title()).toBe('Home · Corkboard')
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    const links = await sidebar
      .getByRole('link')
      .evaluateAll((all) =>
        all.map((session) => new URL((session as HTMLAnchorElement).href).pathname),
      )
    expect(new Set(links)).toEqual(
      new Set([
        '/',
        '/inbox',
        '/my',
        '/agents',
        '/reports',
        '/archive',
        '/new',
        board,
        '/settings',
      ]),
    )
    await sidebar.getByRole('link', { name: 'My Tasks' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    expect(await page.title()).toBe('My Tasks · Corkboard')
    const currentLink = sidebar.getByRole('link', { name: 'My Tasks' })
    expect(await currentLink.getAttribute('aria-current')).toBe('page')
    await page.locator('main:focus, main :focus').waitFor()
    await pressSequence(page, 'g', 'h')
    await page.getByText('Write the invitation').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    await sidebar.getByRole('link', { name: 'New board', exact: true }).click()
    await page.waitForFunction(() => document.title === 'New board · Corkboard')
    expect(problems).toEqual([])
  })

  test('keeps the layout of a board when the dialog to connect an agent opens and closes', async () => {
    const { page, problems, go } = await openSession()
    await go(`${board}?layout=list`)
    await page.getByText('Write the invitation').waitFor()
    await page.getByRole('link', { name: 'Connect an agent' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect(new URL(page.url()).search).toBe('?layout=list&connect=')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?layout=list')
    expect(problems).toEqual([])
  })

  test('has a link to skip to the content as its first Tab stop', async () => {
    const { page, problems, go } = await openSession()
    await go(board)
    await page.getByText('Write the invitation').waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    await page.keyboard.press('Tab')
    await page.locator('main:focus, main :focus').waitFor()
    await page.getByText('Write the invitation').waitFor()
    expect(problems).toEqual([])
  })

  test('receives the chosen theme with the HTML, and follows the system otherwise', async () => {
    const { page, context, problems, go } = await openSession({ theme: 'light' })
    await go(board)
    const background = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).background)
    const light = await background()
    await page.keyboard.press('t')
    await page.getByRole('button', { name: 'Light theme' }).waitFor()
    const dark = await background()
    expect(dark).not.toBe(light)
    // The HTML from the server has the theme already, so it applies before any script runs.
    const htmlStart = async () =>
      (await (await context.request.get(app.url + board)).text()).slice(0, 60)
    expect(await htmlStart()).toContain('<html data-theme="dark"')
    await page.reload()
    await page.getByText('Write the invitation').waitFor()
    expect(await background()).toBe(dark)
    await page.getByRole('button', { name: 'Light theme' }).click()
    expect(await htmlStart()).not.toContain('data-theme')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Light theme' }).waitFor()
    expect(await background()).toBe(dark)
    expect(problems).toEqual([])
  })

  test('lists its shortcuts with ?, and ignores shortcuts typed into a field', async () => {
    const { page, problems, go } = await openSession()
    await go(board)
    await page.getByText('Write the invitation').waitFor()
    await page.keyboard.press('Shift+?')
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await shortcuts.getByText('Search or run a command', { exact: true }).waitFor()
    for (const title of ['Everywhere', 'On a board', 'In a task', 'In My Tasks', 'In the inbox'])
      expect(await shortcuts.getByRole('heading', { name: title }).count()).toBe(1)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.keyboard.press('t')
    expect(await page.locator('html').getAttribute('data-theme')).toBeNull()
    await page.keyboard.press('Escape')
    await shortcuts.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'New task in To do' }).waitFor()
    await page.keyboard.type('t?gm')
    expect(await page.getByRole('textbox', { name: 'New task in To do' }).inputValue()).toBe('t?gm')
    expect(pathOf(page)).toBe(board)
    expect(await shortcuts.count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('collapses its sidebar, and remembers that over a reload', async () => {
    const { page, problems, go } = await openSession()
    await go(board)
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    const width = () => sidebar.evaluate((session) => session.getBoundingClientRect().width)
    expect(await width()).toBeGreaterThan(200)
    await sidebar.hover()
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    expect(await width()).toBeLessThan(80)
    await page.reload()
    await page.getByText('Write the invitation').waitFor()
    expect(await width()).toBeLessThan(80)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await sidebar.getByRole('link', { name: 'My Tasks' }).click()
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    expect(problems).toEqual([])
  })

  test('shows its navigation in a drawer on a phone, and Escape returns the focus', async () => {
    const { page, problems, go } = await openSession({ width: 390, height: 844, touch: true })
    await go(board)
    await page.getByText('Write the invitation').waitFor()
    const opener = page.getByRole('button', { name: 'Menu' })
    await opener.tap()
    const drawer = page.getByRole('dialog', { name: 'Corkboard' })
    await drawer.getByRole('link', { name: 'My Tasks' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    const smallLinks = await drawer
      .getByRole('link')
      .evaluateAll((all) =>
        all
          .filter((session) => session.getBoundingClientRect().height < 44)
          .map((session) => session.textContent),
      )
    expect(smallLinks).toEqual([])
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await opener.and(page.locator(':focus')).waitFor()
    await opener.tap()
    await drawer.getByRole('link', { name: 'My Tasks' }).tap()
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    expect(await drawer.count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('shows a task claimed by an agent in the sidebar live, and opens it', async () => {
    const { page, problems, go } = await openSession()
    const agent = await app.connectAgent('Scout')
    const { ticket_number } = await app.createTask({ title: 'Look at the gutters' })
    await go(board)
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    await sidebar.getByText('Scout').waitFor()
    expect(await sidebar.getByRole('button', { name: 'Scout' }).count()).toBe(0)
    await agent.callTool('svc_tasks', 'next', { claim: true }).catch(() => {})
    await agent.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number })
    const claimButton = sidebar.getByRole('button', { name: /Scout/ })
    await claimButton.waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await claimButton.click()
    await page.getByRole('dialog').or(page.getByRole('article')).first().waitFor()
    expect(new URL(page.url()).searchParams.get('task')).toMatch(/^HOM-\d+$/)
    expect(problems).toEqual([])
  })

  test('works over plain HTTP, without crypto.randomUUID and navigator.locks', async () => {
    const { page, context, problems, go } = await openSession()
    await context.addInitScript(() => {
      Reflect.deleteProperty(Crypto.prototype, 'randomUUID')
      Reflect.deleteProperty(Navigator.prototype, 'locks')
    })
    await go(board)
    await page.getByText('Write the invitation').waitFor()
    await page.getByText('Live: changes').waitFor()
    await page.keyboard.press('c')
    await page.keyboard.type('Without any certificate')
    await page.keyboard.press('Enter')
    const card = page.locator('.card').filter({ hasText: 'Without any certificate' })
    await card.getByText(/HOM-\d/).waitFor()
    await app.createTask({ title: 'Live: still delivered' })
    await page.getByText('Live: still delivered').waitFor()
    expect(problems).toEqual([])
  })

  test('shares one event stream between eight tabs, and another tab takes over when one closes', async () => {
    const { page, context, problems, go } = await openSession()
    const streamRequests = new Set<Request>()
    context.on(
      'request',
      (session) => session.url().includes('/api/v1/events') && streamRequests.add(session),
    )
    context.on('requestfailed', (session) => streamRequests.delete(session))
    context.on('requestfinished', (session) => streamRequests.delete(session))
    const streams = () =>
      [...streamRequests].filter((session) => !session.frame().page().isClosed()).length
    await go(board)
    const tabs = [page]
    for (let nth = 2; nth <= 8; nth++) {
      const tab = await context.newPage()
      await tab.goto(app.url + board)
      tabs.push(tab)
    }
    await Promise.all(tabs.map((session) => session.getByText('Live: changes').waitFor()))
    expect(streams()).toBe(1)
    const createAndWait = async (title: string, pages: Page[]) => {
      const start = performance.now()
      await app.createTask({ title })
      await Promise.all(pages.map((session) => session.getByText(title).waitFor()))
      return performance.now() - start
    }
    expect(await createAndWait('Told to eight', tabs)).toBeLessThan(15_000)
    await page.close()
    const remainingTabs = tabs.slice(1)
    await Promise.all(remainingTabs.map((session) => session.getByText('Live: changes').waitFor()))
    await createAndWait('Told to seven', remainingTabs)
    expect(streams()).toBe(1)
    expect(problems).toEqual([])
  })
})
