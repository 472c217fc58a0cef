import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('the frame of the app', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('says "Board not found" for an unknown board, without technical terms', async () => {
    const { page, problems, go } = await app.openSession({ ignoredMessages: /status of 404/ })
    for (const path of ['/projects/abc', '/projects/987']) {
      await go(path)
      await page.getByRole('heading', { name: 'Board not found' }).waitFor()
      const text = await page.getByRole('main').textContent()
      expect(text).not.toMatch(/project_id|svc_|GET \/|integer/)
      expect(await accessibilityIssues(page)).toEqual([])
    }
    await page.getByRole('link', { name: 'Go to your board' }).click()
    await page.waitForURL(`**/projects/${app.project_id}`)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('removes an unknown view of My Tasks from the URL without requesting it', async () => {
    await app.createTask({ title: 'Water the plants', assignee_ids: [app.user_id] })
    const { page, problems, go } = await app.openSession()
    await go('/my?view=999')
    await page.getByRole('main').getByText('Water the plants').waitFor()
    await page.waitForURL((url) => !url.searchParams.has('view'))
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('removes a deactivated agent from the sidebar', async () => {
    const { agent_id } = await app.connectAgent('Lantern')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${app.project_id}`)
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    await sidebar.getByText('Lantern').waitFor()
    const response = await app.http('POST', `/api/v1/agents/${agent_id}/deactivate`)
    expect(response.status).toBe(200)
    await sidebar.getByText('Lantern').waitFor({ state: 'hidden' })
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('returns the focus to the card when its message is closed', async () => {
    const title = 'Sweep the yard'
    const { ticket_number } = await app.createTask({ title })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${app.project_id}`)
    const card = page.getByRole('button', { name: title, exact: true })
    await card.focus()
    await page.keyboard.press('Shift+ArrowRight')
    const toasts = page.getByLabel('What happened')
    await toasts.getByText(ticket_number).waitFor()
    await toasts.getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction((name) => document.activeElement?.textContent === name, title)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('shows due dates in the time zone of the person, and titles in their own direction', async () => {
    // In this zone the date always differs from that in Berlin, the time zone of the browser.
    const hour = new Date().getUTCHours()
    const time_zone = hour >= 10 && hour < 22 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago'
    const response = await app.http('PATCH', '/api/v1/user/profile', { body: { time_zone } })
    expect(response.status).toBe(200)
    const today = new Intl.DateTimeFormat('sv', { timeZone: time_zone }).format(new Date())
    const title = 'اشتر الخبز'
    await app.createTask({ title, due_date: today, assignee_ids: [app.user_id] })
    const { page, problems, go } = await app.openSession()
    await go('/my')
    const row = page.getByRole('article').filter({ hasText: title })
    await row.getByText('Today').waitFor()
    expect(await row.getByText(/Tomorrow|Yesterday/).count()).toBe(0)
    const direction = (one: Element) => getComputedStyle(one).direction
    expect(await row.getByRole('button', { name: title, exact: true }).evaluate(direction)).toBe(
      'rtl',
    )
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('makes small links and buttons at least 44 pixels large on a touch screen', async () => {
    const { ticket_number } = await app.createTask({
      ...{ title: 'Oil the gate', assignee_ids: [app.user_id], due_date: '2031-01-01' },
    })
    const { page, go } = await app.openSession({ touch: true, width: 390, height: 800 })
    const tooSmall = (selector: string) =>
      page.locator(selector).evaluateAll((elements) =>
        elements.flatMap((one) => {
          const { width, height } = one.getBoundingClientRect()
          return !width || (width >= 44 && height >= 44)
            ? []
            : `${one.className} ${width} x ${height}`
        }),
      )
    await go('/my')
    await page.getByText('Oil the gate').first().waitFor()
    expect(await tooSmall('.mine .nav-tabs a, .mine .due')).toEqual([])
    await go(`/t/${ticket_number}`)
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    expect(await tooSmall('.task .value, .task-head .crumb')).toEqual([])
    await go(`/projects/${app.project_id}`)
    await page.getByText('Oil the gate').first().waitFor()
    expect(await tooSmall('.head h1 button')).toEqual([])
    await page.context().close()
  })
})
