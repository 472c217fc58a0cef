import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page, Request } from 'playwright-core'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults, faultsInBothThemes } from '../faults.ts'

describe.skipIf(noBrowser)('the web app', () => {
  let desk: Desk
  let board: string
  beforeAll(async () => {
    desk = await openDesk()
    board = `/projects/${desk.project_id}`
    await desk.create({ title: 'Write the invitation' })
  }, 60_000)
  afterAll(() => desk?.leave())
  afterEach(async () => {
    for (const context of desk.browser.contexts()) await context.close()
  })

  const sit = async (...seat: Parameters<Desk['sit']>) => {
    const one = await desk.sit(...seat)
    return one
  }
  const pathOf = (page: Page) => new URL(page.url()).pathname

  test('opens the board of the person at /, and contacts no other host', async () => {
    const { page, complaints, go } = await sit()
    await go('/')
    await page.getByText('Write the invitation').waitFor()
    expect(pathOf(page)).toBe(board)
    expect(await faults(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('links every screen in its sidebar, sets the title and moves the focus to the content', async () => {
    const { page, complaints, go } = await sit()
    await go(board)
    await page.getByText('Write the invitation').waitFor()
    expect(await page.title()).toBe('Home · Corkboard')
    const places = page.getByRole('navigation', { name: 'Main' })
    const links = await places
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => new URL((one as HTMLAnchorElement).href).pathname))
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
    await places.getByRole('link', { name: 'My Tasks' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    expect(await page.title()).toBe('My Tasks · Corkboard')
    const here = places.getByRole('link', { name: 'My Tasks' })
    expect(await here.getAttribute('aria-current')).toBe('page')
    expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('main')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByText('Write the invitation').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    await places.getByRole('link', { name: 'New board', exact: true }).click()
    await page.waitForFunction(() => document.title === 'New board · Corkboard')
    expect(complaints).toEqual([])
  })

  test('keeps the layout of a board when the dialog to connect an agent opens and closes', async () => {
    const { page, complaints, go } = await sit()
    await go(`${board}?layout=list`)
    await page.getByText('Write the invitation').waitFor()
    await page.getByRole('link', { name: 'Connect an agent' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect(new URL(page.url()).search).toBe('?layout=list&connect=')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?layout=list')
    expect(complaints).toEqual([])
  })

  test('has a link to skip to the content as its first Tab stop', async () => {
    const { page, complaints, go } = await sit()
    await go(board)
    await page.getByText('Write the invitation').waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => !!document.activeElement?.closest('main'))).toBe(true)
    await page.getByText('Write the invitation').waitFor()
    expect(complaints).toEqual([])
  })

  test('receives the chosen theme with the HTML, and follows the system otherwise', async () => {
    const { page, context, complaints, go } = await sit({ theme: 'light' })
    await go(board)
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).background)
    const bright = await paper()
    await page.keyboard.press('t')
    await page.getByRole('button', { name: 'Light theme' }).waitFor()
    const dark = await paper()
    expect(dark).not.toBe(bright)
    // The HTML from the server has the theme already, so it applies before any script runs.
    const said = async () =>
      (await (await context.request.get(desk.url + board)).text()).slice(0, 60)
    expect(await said()).toContain('<html data-theme="dark"')
    await page.reload()
    await page.getByText('Write the invitation').waitFor()
    expect(await paper()).toBe(dark)
    await page.getByRole('button', { name: 'Light theme' }).click()
    expect(await said()).not.toContain('data-theme')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Light theme' }).waitFor()
    expect(await paper()).toBe(dark)
    expect(complaints).toEqual([])
  })

  test('lists its shortcuts with ?, and ignores shortcuts typed into a field', async () => {
    const { page, complaints, go } = await sit()
    await go(board)
    await page.getByText('Write the invitation').waitFor()
    await page.keyboard.press('Shift+?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keys.getByText('Search or run a command').waitFor()
    for (const title of ['Everywhere', 'On a board', 'In a task', 'In My Tasks', 'In the inbox'])
      expect(await keys.getByRole('heading', { name: title }).count()).toBe(1)
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('t')
    expect(await page.locator('html').getAttribute('data-theme')).toBeNull()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'New task in To do' }).waitFor()
    await page.keyboard.type('t?gm')
    expect(await page.getByRole('textbox', { name: 'New task in To do' }).inputValue()).toBe('t?gm')
    expect(pathOf(page)).toBe(board)
    expect(await keys.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('collapses its sidebar, and remembers that over a reload', async () => {
    const { page, complaints, go } = await sit()
    await go(board)
    const places = page.getByRole('navigation', { name: 'Main' })
    const width = () => places.evaluate((one) => one.getBoundingClientRect().width)
    expect(await width()).toBeGreaterThan(200)
    await places.hover()
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    expect(await width()).toBeLessThan(80)
    await page.reload()
    await page.getByText('Write the invitation').waitFor()
    expect(await width()).toBeLessThan(80)
    expect(await faultsInBothThemes(page)).toEqual([])
    await places.getByRole('link', { name: 'My Tasks' }).click()
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    expect(complaints).toEqual([])
  })

  test('shows its navigation in a drawer on a phone, and Escape returns the focus', async () => {
    const { page, complaints, go } = await sit({ width: 390, height: 844, touch: true })
    await go(board)
    await page.getByText('Write the invitation').waitFor()
    const opener = page.getByRole('button', { name: 'Menu' })
    await opener.tap()
    const drawer = page.getByRole('dialog', { name: 'Corkboard' })
    await drawer.getByRole('link', { name: 'My Tasks' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    const low = await drawer
      .getByRole('link')
      .evaluateAll((all) =>
        all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent),
      )
    expect(low).toEqual([])
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    expect(await opener.evaluate((one) => one === document.activeElement)).toBe(true)
    await opener.tap()
    await drawer.getByRole('link', { name: 'My Tasks' }).tap()
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    expect(await drawer.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('shows a task claimed by an agent in the sidebar live, and opens it', async () => {
    const { page, complaints, go } = await sit()
    const scout = await desk.hire('Scout')
    const { ticket_number } = await desk.create({ title: 'Look at the gutters' })
    await go(board)
    const places = page.getByRole('navigation', { name: 'Main' })
    await places.getByText('Scout').waitFor()
    expect(await places.getByRole('button', { name: 'Scout' }).count()).toBe(0)
    await scout.tool('svc_tasks', 'next', { claim: true }).catch(() => {})
    await scout.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number })
    const held = places.getByRole('button', { name: /Scout/ })
    await held.waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await held.click()
    await page.getByRole('dialog').or(page.getByRole('article')).first().waitFor()
    expect(new URL(page.url()).searchParams.get('task')).toMatch(/^HOM-\d+$/)
    expect(complaints).toEqual([])
  })

  test('works over plain HTTP, without crypto.randomUUID and navigator.locks', async () => {
    const { page, context, complaints, go } = await sit()
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
    await desk.create({ title: 'Heard all the same' })
    await page.getByText('Heard all the same').waitFor()
    expect(complaints).toEqual([])
  })

  test('shares one event stream between eight tabs, and another tab takes over when one closes', async () => {
    const { page, context, complaints, go } = await sit()
    const asked = new Set<Request>()
    context.on('request', (one) => one.url().endsWith('/api/v1/events') && asked.add(one))
    context.on('requestfailed', (one) => asked.delete(one))
    context.on('requestfinished', (one) => asked.delete(one))
    const streams = () => [...asked].filter((one) => !one.frame().page().isClosed()).length
    await go(board)
    const tabs = [page]
    for (let nth = 2; nth <= 8; nth++) {
      const tab = await context.newPage()
      await tab.goto(desk.url + board)
      tabs.push(tab)
    }
    await Promise.all(tabs.map((one) => one.getByText('Live: changes').waitFor()))
    expect(streams()).toBe(1)
    const told = async (title: string, some: Page[]) => {
      const began = performance.now()
      await desk.create({ title })
      await Promise.all(some.map((one) => one.getByText(title).waitFor()))
      return performance.now() - began
    }
    expect(await told('Told to eight', tabs)).toBeLessThan(5000)
    await page.close()
    const left = tabs.slice(1)
    await Promise.all(left.map((one) => one.getByText('Live: changes').waitFor()))
    await told('Told to seven', left)
    expect(streams()).toBe(1)
    expect(complaints).toEqual([])
  }, 40_000)
})
