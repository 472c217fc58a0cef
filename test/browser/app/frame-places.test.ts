import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults } from '../faults.ts'

describe.skipIf(noBrowser)('the frame of the app', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  test('says "Board not found" for an unknown board, without technical terms', async () => {
    const { page, complaints, go } = await desk.sit({ may: /status of 404/ })
    for (const path of ['/projects/abc', '/projects/987']) {
      await go(path)
      await page.getByRole('heading', { name: 'Board not found' }).waitFor()
      const text = await page.getByRole('main').textContent()
      expect(text).not.toMatch(/project_id|svc_|GET \/|integer/)
      expect(await faults(page)).toEqual([])
    }
    await page.getByRole('link', { name: 'Go to your board' }).click()
    await page.waitForURL(`**/projects/${desk.project_id}`)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('removes an unknown view of My Tasks from the URL without requesting it', async () => {
    await desk.create({ title: 'Water the plants', assignee_ids: [desk.user_id] })
    const { page, complaints, go } = await desk.sit()
    await go('/my?view=999')
    await page.getByRole('main').getByText('Water the plants').waitFor()
    await page.waitForURL((url) => !url.searchParams.has('view'))
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('removes a deactivated agent from the sidebar', async () => {
    const { agent_id } = await desk.hire('Lantern')
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${desk.project_id}`)
    const places = page.getByRole('navigation', { name: 'Main' })
    await places.getByText('Lantern').waitFor()
    const off = await desk.http('POST', `/api/v1/agents/${agent_id}/deactivate`)
    expect(off.status).toBe(200)
    await places.getByText('Lantern').waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('returns the focus to the card when its message is closed', async () => {
    const title = 'Sweep the yard'
    const { ticket_number } = await desk.create({ title })
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${desk.project_id}`)
    const card = page.getByRole('button', { name: title, exact: true })
    await card.focus()
    await page.keyboard.press('Shift+ArrowRight')
    const told = page.getByLabel('What happened')
    await told.getByText(ticket_number).waitFor()
    await told.getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction((name) => document.activeElement?.textContent === name, title)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('shows due dates in the time zone of the person, and titles in their own direction', async () => {
    // A zone in which the date always differs from that in the zone of the browser, Berlin.
    const hour = new Date().getUTCHours()
    const time_zone = hour >= 10 && hour < 22 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago'
    const set = await desk.http('PATCH', '/api/v1/user/profile', { body: { time_zone } })
    expect(set.status).toBe(200)
    const today = new Intl.DateTimeFormat('sv', { timeZone: time_zone }).format(new Date())
    const title = 'اشتر الخبز'
    await desk.create({ title, due_date: today, assignee_ids: [desk.user_id] })
    const { page, complaints, go } = await desk.sit()
    await go('/my')
    const row = page.getByRole('article').filter({ hasText: title })
    await row.getByText('Today').waitFor()
    expect(await row.getByText(/Tomorrow|Yesterday/).count()).toBe(0)
    const direction = (one: Element) => getComputedStyle(one).direction
    expect(await row.getByRole('button', { name: title, exact: true }).evaluate(direction)).toBe(
      'rtl',
    )
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('makes small links and buttons at least 44 pixels large on a touch screen', async () => {
    const { ticket_number } = await desk.create({
      ...{ title: 'Oil the gate', assignee_ids: [desk.user_id], due_date: '2031-01-01' },
    })
    const { page, go } = await desk.sit({ touch: true, width: 390, height: 800 })
    const small = (selector: string) =>
      page.locator(selector).evaluateAll((some) =>
        some.flatMap((one) => {
          const { width, height } = one.getBoundingClientRect()
          return !width || (width >= 44 && height >= 44)
            ? []
            : `${one.className} ${width} x ${height}`
        }),
      )
    await go('/my')
    await page.getByText('Oil the gate').first().waitFor()
    expect(await small('.mine .looks a, .mine .due')).toEqual([])
    await go(`/t/${ticket_number}`)
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    expect(await small('.task .value, .task-head .crumb')).toEqual([])
    await go(`/projects/${desk.project_id}`)
    await page.getByText('Oil the gate').first().waitFor()
    expect(await small('.head h1 button')).toEqual([])
    await page.context().close()
  })
})
