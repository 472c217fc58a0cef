import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { pressSequence } from './keys.ts'
import { waitForToast } from './toasts.ts'

type Agent = Awaited<ReturnType<WebApp['connectAgent']>>

describe.skipIf(isBrowserSkipped)('reports', () => {
  let app: WebApp
  let ada: BrowserSession
  let bot: Agent
  let page: Page
  let columns: Map<string, number>
  const ticketNumbers: Record<string, string> = {}
  beforeAll(async () => {
    app = await openWebApp()
    const path = `/api/v1/projects/${app.project_id}/sections`
    await app.http('POST', path, { body: { title: 'Doing', role: 'building' } })
    const { data } = (await app.http('GET', path)).body
    columns = new Map(
      data.map((one: { title: string; section_id: number }) => [one.title, one.section_id]),
    )
    const labels = `/api/v1/projects/${app.project_id}/labels`
    await app.http('POST', labels, { body: { name: 'garden' } })
    for (const title of ['Alpha', 'Bravo', 'Charlie']) {
      const labelField = title === 'Bravo' && { labels: ['garden'] }
      ticketNumbers[title] = (await app.createTask({ title, ...labelField })).ticket_number
    }
    bot = await app.connectAgent('Bot')
    // The browser logs scripts that it blocks, and messages that axe posts to frames.
    ada = await app.openSession({
      ignoredMessages: /^Blocked script execution|execute 'postMessage'/,
    })
    page = ada.page
  })
  afterAll(() => app?.close())

  const moveTask = async (title: string, column: string) => {
    const body = { section_id: columns.get(column) }
    const response = await app.http('PATCH', `/api/v1/tasks/${ticketNumbers[title]}`, { body })
    expect(response.status).toBe(200)
  }
  const logTime = (title: string, minutes: number) =>
    app.http('POST', `/api/v1/tasks/${ticketNumbers[title]}/time`, { body: { minutes } })
  const tableRows = () => page.locator('.bars tbody tr').allInnerTexts()
  const waitForText = (text: RegExp | string) =>
    page.getByRole('main').getByText(text).first().waitFor()

  test('the time report says when there is no time, and shows time logged by an agent live', async () => {
    await ada.go('/projects/' + app.project_id)
    await pressSequence(page, 'g', 'r')
    await page.getByRole('heading', { name: 'No time in this period' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await bot.callTool('svc_time', 'log', { task_identifier: ticketNumbers.Alpha, minutes: 90 })
    await waitForText('1:30 h')
    expect((await tableRows()).join()).toContain('Bot')
    expect(await page.getByRole('heading', { name: 'No time in this period' }).count()).toBe(0)
  })

  test('time is grouped by person, task or day, filtered, and kept in the URL over a reload', async () => {
    await logTime('Bravo', 30)
    await waitForText('2:00 h')
    await page.getByLabel('Grouping').selectOption('By task')
    await waitForText('Bravo')
    expect((await tableRows()).map((row) => row.replace(/\s+/g, ' '))).toEqual([
      `${ticketNumbers.Alpha} Alpha 75 % 1:30 h 1`,
      `${ticketNumbers.Bravo} Bravo 25 % 0:30 h 1`,
    ])
    await expectEventually(
      () => page.getByLabel('Label').locator('option').allTextContents(),
      [...['Any label', 'garden']],
    )
    await page.getByLabel('Label').selectOption('garden')
    await page.getByRole('main').getByText('Alpha').waitFor({ state: 'detached' })
    await page.getByLabel('Label').selectOption('Any label')
    await page.getByLabel('Person').selectOption('Bot')
    await page.getByRole('main').getByText('Bravo').waitFor({ state: 'detached' })
    await page.getByLabel('Grouping').selectOption('By day')
    await page.reload()
    await waitForText('1:30 h')
    expect(await page.getByLabel('Grouping').inputValue()).toBe('day')
    expect(await page.locator('.bars tbody tr').count()).toBe(1)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
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
    await waitForText('1:30 h')
    expect(new URL(page.url()).searchParams.get('to')).toBe(today)
  })

  test('the flow report counts completed tasks live, and a point of a chart opens its task', async () => {
    await page.getByRole('link', { name: 'Flow' }).click()
    await page.getByRole('heading', { name: 'Throughput' }).waitFor()
    const done = page.locator('.figures div').filter({ hasText: 'Done' }).locator('strong')
    expect(await done.textContent()).toBe('0')
    await moveTask('Alpha', 'Doing')
    await moveTask('Alpha', 'Done')
    await page.locator('.figures strong').filter({ hasText: /^1$/ }).first().waitFor()
    const cycleTimeChart = page.getByRole('slider', { name: 'Cycle time' })
    await cycleTimeChart.locator('canvas').waitFor()
    await cycleTimeChart.focus()
    await page.keyboard.press('ArrowRight')
    expect(await cycleTimeChart.getAttribute('aria-valuetext')).toContain(
      `${ticketNumbers.Alpha} Alpha`,
    )
    await page.keyboard.press('Enter')
    await page
      .getByRole('complementary')
      .or(page.locator('.peek'))
      .getByText('Alpha')
      .first()
      .waitFor()
    expect(new URL(page.url()).searchParams.get('task')).toBe(ticketNumbers.Alpha!)
    await page.keyboard.press('Escape')
    await page.locator('.peek').waitFor({ state: 'detached' })
  })

  test('charts are read by keys, downloaded as PNG, and available as tables', async () => {
    const throughputChart = page.getByRole('slider', { name: 'Throughput' })
    await throughputChart.focus()
    await page.keyboard.press('End')
    expect(await throughputChart.getAttribute('aria-valuetext')).toMatch(/: 1 task done$/)
    await page.keyboard.press('ArrowLeft')
    expect(await throughputChart.getAttribute('aria-valuetext')).toMatch(/: 0 tasks done$/)
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
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('the legend hides columns in the cumulative flow chart', async () => {
    await page.getByRole('button', { name: 'Show as table: Cumulative flow' }).click()
    const [first] = columns.keys()
    const flowChart = page.getByRole('slider', { name: 'Cumulative flow' })
    await flowChart.focus()
    await page.keyboard.press('End')
    expect(await flowChart.getAttribute('aria-valuetext')).toContain(`${first} `)
    const legend = page.getByRole('group', { name: 'Columns shown' })
    await legend.getByRole('button', { name: first!, exact: true }).press('Enter')
    await flowChart.focus()
    await page.keyboard.press('End')
    expect(await flowChart.getAttribute('aria-valuetext')).not.toContain(`${first} `)
  })

  test('a report is written with a preview, kept over a reload, and shown in a strict sandbox', async () => {
    await page.getByRole('link', { name: 'Saved' }).click()
    await page.getByRole('heading', { name: /^No reports for/ }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
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
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await waitForToast(page, 'Saved the report')
    await page.getByRole('heading', { name: 'Week 47', level: 1 }).waitFor()
    await page.frameLocator('iframe[title="Week 47"]').getByText('All is well').waitFor()
    const frame = page.locator('iframe[title="Week 47"]')
    expect(await frame.getAttribute('sandbox')).toBe('')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('changes by an agent appear live, the link is copied, and a report is deleted', async () => {
    const report_id = Number(/\d+$/.exec(page.url())![0])
    const change = { body_html: '<h2>All is lost</h2>', title: 'Week 48' }
    await bot.callTool('svc_reports', 'update', { report_id, ...change })
    await page.getByRole('heading', { name: 'Week 48', level: 1 }).waitFor()
    await page.frameLocator('iframe[title="Week 48"]').getByText('All is lost').waitFor()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await waitForToast(page, 'Copied the link')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${app.url}/reports/${report_id}`,
    )
    await page.getByRole('button', { name: 'More about the report' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this report?' })
    expect(await accessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await waitForToast(page, 'Deleted Week 48')
    const { body } = await app.http('GET', `/api/v1/projects/${app.project_id}/reports`)
    expect(body.data).toEqual([])
    expect(await page.getByText('Week 48').filter({ visible: true }).count()).toBeLessThan(2)
  })

  test('a guest reads reports, and is not offered to edit or create one', async () => {
    const path = `/api/v1/projects/${app.project_id}`
    const report = { title: 'For all', body_html: '<p>Read me</p>' }
    const created = await app.http('POST', `${path}/reports`, { body: report })
    const invitation = await app.http('POST', `/api/v1/teams/${app.team_id}/invitations`, {
      body: { email: 'gil@example.com', role: 'guest' },
    })
    const gil = await app.openSession({ signedOut: true, ignoredMessages: /status of 403/ })
    await gil.page.goto(invitation.body.data.link)
    await gil.page.getByLabel('Your name').fill('Gil')
    await gil.page.getByLabel('Password').fill('correct horse battery')
    await gil.page.keyboard.press('Enter')
    await gil.page.getByText('You are a guest here').waitFor()
    const member = { member_identifier: 'gil@example.com' }
    const response = await app.http('POST', `${path}/members`, { body: member })
    expect(response.status).toBeLessThan(300)
    await gil.go(`/reports/${created.body.data.report_id}`)
    await gil.page.frameLocator('iframe[title="For all"]').getByText('Read me').waitFor()
    await gil.page.getByRole('button', { name: 'Copy link' }).waitFor()
    expect(await gil.page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await gil.go(`/reports?of=saved&board=${app.project_id}`)
    await gil.page.getByRole('link', { name: 'For all' }).waitFor()
    expect(await gil.page.getByRole('link', { name: 'New report' }).count()).toBe(0)
    expect(gil.problems).toEqual([])
  })

  test('no errors, warnings or requests to other hosts occurred', () => {
    expect(ada.problems).toEqual([])
  })
})
