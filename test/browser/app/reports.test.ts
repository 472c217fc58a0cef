import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'
import { faults, faultsInBothThemes } from '../faults.ts'

type Agent = Awaited<ReturnType<Desk['hire']>>
const told = (page: Page, words: string | RegExp) =>
  page.getByLabel('What happened').getByText(words).waitFor()

describe.skipIf(noBrowser)('reports', () => {
  let desk: Desk
  let ada: Person
  let bot: Agent
  let page: Page
  let columns: Map<string, number>
  const keys: Record<string, string> = {}
  beforeAll(async () => {
    desk = await openDesk()
    const path = `/api/v1/projects/${desk.project_id}/sections`
    await desk.http('POST', path, { body: { title: 'Doing', role: 'building' } })
    const { data } = (await desk.http('GET', path)).body
    columns = new Map(
      data.map((one: { title: string; section_id: number }) => [one.title, one.section_id]),
    )
    const labels = `/api/v1/projects/${desk.project_id}/labels`
    await desk.http('POST', labels, { body: { name: 'garden' } })
    for (const title of ['Alpha', 'Bravo', 'Charlie']) {
      const labelled = title === 'Bravo' && { labels: ['garden'] }
      keys[title] = (await desk.create({ title, ...labelled })).ticket_number
    }
    bot = await desk.hire('Bot')
    // The browser logs scripts that it blocks, and messages that axe posts to frames.
    ada = await desk.sit({ may: /^Blocked script execution|execute 'postMessage'/ })
    page = ada.page
  }, 60_000)
  afterAll(() => desk?.leave())

  const move = async (title: string, column: string) => {
    const body = { section_id: columns.get(column) }
    const answer = await desk.http('PATCH', `/api/v1/tasks/${keys[title]}`, { body })
    expect(answer.status).toBe(200)
  }
  const log = (title: string, minutes: number) =>
    desk.http('POST', `/api/v1/tasks/${keys[title]}/time`, { body: { minutes } })
  const rows = () => page.locator('.bars tbody tr').allInnerTexts()
  const until = (text: RegExp | string) => page.getByRole('main').getByText(text).first().waitFor()

  test('the time report says when there is no time, and shows time logged by an agent live', async () => {
    await ada.go('/projects/' + desk.project_id)
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.getByRole('heading', { name: 'No time in this period' }).waitFor()
    expect(await faults(page)).toEqual([])
    await bot.tool('svc_time', 'log', { task_identifier: keys.Alpha, minutes: 90 })
    await until('1:30 h')
    expect((await rows()).join()).toContain('Bot')
    expect(await page.getByRole('heading', { name: 'No time in this period' }).count()).toBe(0)
  })

  test('time is grouped by person, task or day, filtered, and kept in the URL over a reload', async () => {
    await log('Bravo', 30)
    await until('2:00 h')
    await page.getByLabel('Grouping').selectOption('By task')
    await until('Bravo')
    expect((await rows()).map((row) => row.replace(/\s+/g, ' '))).toEqual([
      `${keys.Alpha} Alpha 75 % 1:30 h 1`,
      `${keys.Bravo} Bravo 25 % 0:30 h 1`,
    ])
    expect(await page.getByLabel('Label').locator('option').allTextContents()).toEqual([
      ...['Any label', 'garden'],
    ])
    await page.getByLabel('Label').selectOption('garden')
    await page.getByRole('main').getByText('Alpha').waitFor({ state: 'detached' })
    await page.getByLabel('Label').selectOption('Any label')
    await page.getByLabel('Person').selectOption('Bot')
    await page.getByRole('main').getByText('Bravo').waitFor({ state: 'detached' })
    await page.getByLabel('Grouping').selectOption('By day')
    await page.reload()
    await until('1:30 h')
    expect(await page.getByLabel('Grouping').inputValue()).toBe('day')
    expect(await page.locator('.bars tbody tr').count()).toBe(1)
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  test('the CSV file holds the same figures', async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('time.csv')
    const text = await new Response((await file.createReadStream()) as never).text()
    expect(text.split('\n')[1]).toContain(',5400,90,1')
  })

  test('the period is a named one or a custom range', async () => {
    await page.getByLabel('Period').selectOption('Last month')
    await page.getByRole('heading', { name: 'No time in this period' }).waitFor()
    await page.getByLabel('Period').selectOption('Custom range')
    const today = new Date().toISOString().slice(0, 10)
    await page.getByLabel('To', { exact: true }).fill(today)
    await page.keyboard.press('Enter')
    await until('1:30 h')
    expect(new URL(page.url()).searchParams.get('to')).toBe(today)
  })

  test('the flow report counts completed tasks live, and a point of a chart opens its task', async () => {
    await page.getByRole('link', { name: 'Flow' }).click()
    await page.getByRole('heading', { name: 'Throughput' }).waitFor()
    const done = page.locator('.figures div').filter({ hasText: 'Done' }).locator('strong')
    expect(await done.textContent()).toBe('0')
    await move('Alpha', 'Doing')
    await move('Alpha', 'Done')
    await page.locator('.figures strong').filter({ hasText: /^1$/ }).first().waitFor()
    const points = page.getByRole('slider', { name: 'Cycle time' })
    await points.locator('canvas').waitFor()
    await points.focus()
    await page.keyboard.press('ArrowRight')
    expect(await points.getAttribute('aria-valuetext')).toContain(`${keys.Alpha} Alpha`)
    await page.keyboard.press('Enter')
    await page
      .getByRole('complementary')
      .or(page.locator('.peek'))
      .getByText('Alpha')
      .first()
      .waitFor()
    expect(new URL(page.url()).searchParams.get('task')).toBe(keys.Alpha!)
    await page.keyboard.press('Escape')
    await page.locator('.peek').waitFor({ state: 'detached' })
  })

  test('charts are read by keys, downloaded as PNG, and available as tables', async () => {
    const bars = page.getByRole('slider', { name: 'Throughput' })
    await bars.focus()
    await page.keyboard.press('End')
    expect(await bars.getAttribute('aria-valuetext')).toMatch(/: 1 task done$/)
    await page.keyboard.press('ArrowLeft')
    expect(await bars.getAttribute('aria-valuetext')).toMatch(/: 0 tasks done$/)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'PNG of Throughput' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('home-throughput.png')
    const bytes = new Uint8Array(
      await new Response((await file.createReadStream()) as never).arrayBuffer(),
    )
    expect([...bytes.slice(1, 4)]).toEqual([...Buffer.from('PNG')])
    await page.getByRole('button', { name: 'Show as table: Cumulative flow' }).click()
    const table = page.getByLabel('Cumulative flow, as a table').locator('tr').last()
    const cells = await table.locator('td').allTextContents()
    expect(cells.map(Number).reduce((sum, one) => sum + one, 0)).toBe(3)
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  test('the legend hides columns in the cumulative flow chart', async () => {
    await page.getByRole('button', { name: 'Show as table: Cumulative flow' }).click()
    const [first] = columns.keys()
    const layers = page.getByRole('slider', { name: 'Cumulative flow' })
    await layers.focus()
    await page.keyboard.press('End')
    expect(await layers.getAttribute('aria-valuetext')).toContain(`${first} `)
    const legend = page.getByRole('group', { name: 'Columns shown' })
    await legend.getByRole('button', { name: first!, exact: true }).press('Enter')
    await layers.focus()
    await page.keyboard.press('End')
    expect(await layers.getAttribute('aria-valuetext')).not.toContain(`${first} `)
  })

  test('a report is written with a preview, kept over a reload, and shown in a strict sandbox', async () => {
    await page.getByRole('link', { name: 'Saved' }).click()
    await page.getByRole('heading', { name: /^No reports for/ }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.getByRole('link', { name: 'Write a report' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Week 47')
    await page
      .getByRole('textbox', { name: 'HTML' })
      .fill('<h2>All is well</h2><script>document.title = 1</script>')
    const preview = page.frameLocator('iframe[title=Preview]')
    await preview.getByRole('heading', { name: 'All is well' }).waitFor()
    // The unsaved text is kept over a reload.
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('All is well'))
    await page.reload()
    await page.getByText('Your unsaved text was restored').waitFor()
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Week 47')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved the report')
    await page.getByRole('heading', { name: 'Week 47', level: 1 }).waitFor()
    await page.frameLocator('iframe[title="Week 47"]').getByText('All is well').waitFor()
    const frame = page.locator('iframe[title="Week 47"]')
    expect(await frame.getAttribute('sandbox')).toBe('')
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  test('changes by an agent appear live, the link is copied, and a report is deleted', async () => {
    const report_id = Number(/\d+$/.exec(page.url())![0])
    const change = { body_html: '<h2>All is lost</h2>', title: 'Week 48' }
    await bot.tool('svc_reports', 'update', { report_id, ...change })
    await page.getByRole('heading', { name: 'Week 48', level: 1 }).waitFor()
    await page.frameLocator('iframe[title="Week 48"]').getByText('All is lost').waitFor()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await told(page, 'Copied the link')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${desk.url}/reports/${report_id}`,
    )
    await page.getByRole('button', { name: 'More about the report' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this report?' })
    expect(await faults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await told(page, 'Deleted Week 48')
    const { body } = await desk.http('GET', `/api/v1/projects/${desk.project_id}/reports`)
    expect(body.data).toEqual([])
    expect(await page.getByText('Week 48').filter({ visible: true }).count()).toBeLessThan(2)
  })

  test('a guest reads reports, and is not offered to edit or create one', async () => {
    const path = `/api/v1/projects/${desk.project_id}`
    const report = { title: 'For all', body_html: '<p>Read me</p>' }
    const made = await desk.http('POST', `${path}/reports`, { body: report })
    const invited = await desk.http('POST', `/api/v1/teams/${desk.team_id}/invitations`, {
      body: { email: 'gil@example.com', role: 'guest' },
    })
    const gil = await desk.sit({ stranger: true, may: /status of 403/ })
    await gil.page.goto(invited.body.data.link)
    await gil.page.getByLabel('Your name').fill('Gil')
    await gil.page.getByLabel('Password').fill('correct horse battery')
    await gil.page.keyboard.press('Enter')
    await gil.page.getByText('You are a guest here').waitFor()
    const member = { member_identifier: 'gil@example.com' }
    const joined = await desk.http('POST', `${path}/members`, { body: member })
    expect(joined.status).toBeLessThan(300)
    await gil.go(`/reports/${made.body.data.report_id}`)
    await gil.page.frameLocator('iframe[title="For all"]').getByText('Read me').waitFor()
    await gil.page.getByRole('button', { name: 'Copy link' }).waitFor()
    expect(await gil.page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await gil.go(`/reports?of=saved&board=${desk.project_id}`)
    await gil.page.getByRole('link', { name: 'For all' }).waitFor()
    expect(await gil.page.getByRole('link', { name: 'New report' }).count()).toBe(0)
    expect(gil.complaints).toEqual([])
  })

  test('no errors, warnings or requests to other hosts occurred', () => {
    expect(ada.complaints).toEqual([])
  })
})
