import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

/** The number of entries that one call appends. */
const BATCH = 100

describe.skipIf(isBrowserSkipped)('a run', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let agent: Awaited<ReturnType<WebApp['connectAgent']>>
  let task: { task_id: number; ticket_number: string }
  let run_id = 0
  beforeAll(async () => {
    app = await openWebApp({ CORK_RATE_LIMIT_AGENT: '0' })
    agent = await app.connectAgent('Scout')
    task = await app.createTask({ title: 'Compare the tents' })
    ada = await app.openSession()
    page = ada.page
  })
  afterAll(() => app?.close())

  const append = (entries: object[]) =>
    agent.rest('POST', `/api/v1/runs/${run_id}/transcript`, { entries })
  const fetchRun = async () => (await app.http('GET', `/api/v1/runs/${run_id}`)).body.data
  const transcript = () => page.getByRole('region', { name: 'Transcript' })
  const scrollTop = () => transcript().evaluate((element) => element.scrollTop)
  const isAtEnd = () =>
    transcript().evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight < 8)

  test('is started from the menu of its task and is queued', async () => {
    await ada.go(`/t/${task.ticket_number}`)
    await page.getByRole('button', { name: `More about ${task.ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Start a run…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Prompt \(optional\)/).fill('Which one stands in the wind?')
    await dialog.getByRole('button', { name: 'Start run' }).click()
    await page.getByRole('article', { name: 'Run of Scout' }).waitFor()
    run_id = Number(/runs\/(\d+)/.exec(page.url())![1])
    await page.getByRole('status').getByText('Queued').waitFor()
    await transcript().getByText('Which one stands in the wind?').waitFor()
    expect(await fetchRun()).toMatchObject({ state: 'queued', agent: { agent_id: agent.agent_id } })
    expect(await accessibilityIssues(page)).toEqual([])
  })

  test('shows new transcript entries live, with an icon for each kind, and folds long results', async () => {
    await agent.rest('PATCH', `/api/v1/runs/${run_id}`, { state: 'running' })
    await page.getByRole('status').getByText('Running').waitFor()
    const start = performance.now()
    await append([
      { kind: 'thought', text: 'Wind first, then rain' },
      { kind: 'action', text: `open ${task.ticket_number}` },
      { kind: 'result', text: Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n') },
      { kind: 'error', text: 'The pole is missing' },
    ])
    await transcript().getByText('The pole is missing').waitFor()
    expect(performance.now() - start).toBeLessThan(10_000)
    for (const name of ['Thought', 'Action', 'Result', 'Error'])
      await transcript().getByRole('img', { name }).waitFor()
    expect(await transcript().getByText('line 30').count()).toBe(0)
    await transcript().getByRole('button', { name: 'Show all 40 lines' }).click()
    await transcript().getByText('line 30').waitFor()
    await transcript().getByRole('link', { name: task.ticket_number }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('sends another prompt to the agent and shows it once in the transcript', async () => {
    await page.getByRole('heading', { level: 1 }).click({ position: { x: 600, y: 8 } })
    await page.keyboard.press('m')
    await page.keyboard.type('Take the round one too')
    await page.keyboard.press('Control+Enter')
    await transcript().getByText('Take the round one too').waitFor()
    expect(await page.getByLabel('Prompt Scout').inputValue()).toBe('')
    await waitUntil(async () => (await fetchRun()).prompt === 'Take the round one too')
    const { data } = await agent.rest('GET', '/api/v1/agents/self/messages')
    expect(data.map(({ type }: { type: string }) => type)).toContain('run.prompted')
    const prompt = transcript().getByText('Take the round one too')
    await waitUntil(async () => (await prompt.count()) === 1)
  })

  test('follows new entries at the end, and counts them after scrolling up', async () => {
    const entries = (from: number) =>
      Array.from({ length: BATCH }, (_, at) => ({ text: `Step ${from + at}, and what came of it` }))
    for (let from = 0; from < 1000; from += BATCH) await append(entries(from))
    await transcript().getByText('Step 999,').waitFor()
    expect(await isAtEnd()).toBe(true)
    expect(await transcript().getByRole('listitem').count()).toBeLessThan(80)
    await transcript().hover()
    await page.mouse.wheel(0, -3000)
    await waitUntil(async () => ((await isAtEnd()) ? undefined : true))
    await transcript()
      .getByText(/^Step 9[0-4]\d,/)
      .first()
      .waitFor()
    const before = await scrollTop()
    await append([{ text: 'And then it rained' }, { text: 'And then it stopped' }])
    await page.getByRole('button', { name: '2 new' }).waitFor()
    expect(Math.abs((await scrollTop()) - before)).toBeLessThan(4)
    await page.getByRole('button', { name: '2 new' }).click()
    await transcript().getByText('And then it stopped').waitFor()
    await waitUntil(async () => await isAtEnd())
    expect(await page.getByRole('button', { name: / new$/ }).count()).toBe(0)
  })

  test('jumps to the start and the end by keys, and finds words in the whole transcript', async () => {
    await page.keyboard.press('Home')
    await transcript().getByText('Wind first, then rain').waitFor()
    await page.keyboard.press('End')
    await transcript().getByText('And then it stopped').waitFor()
    await page.keyboard.press('f')
    await page.keyboard.type('Step 412')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('1 of 1').waitFor()
    await transcript().locator('.current').getByText('Step 412').waitFor()
    await expectEventually(
      () => transcript().locator('.current mark').allTextContents(),
      ['Step', '412'],
    )
    await page.getByLabel('Find in the transcript').fill('nowhere at all')
    await page.getByRole('status').getByText('No matches').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('is stopped with a reason, refuses further entries, and offers to start another', async () => {
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByLabel('Reason (optional)').fill('It rains')
    await page.getByRole('button', { name: 'Stop run' }).click()
    await page.getByText('Stopped: It rains').waitFor()
    await page.getByRole('button', { name: 'Start another run…' }).waitFor()
    expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0)
    await waitUntil(async () => (await fetchRun()).state === 'stopped')
    expect(await fetchRun()).toMatchObject({ reason: 'It rains' })
    expect((await append([{ text: 'Too late' }])).status).toBe(409)
    await page
      .getByRole('link', { name: new RegExp(task.ticket_number) })
      .first()
      .click()
    const runsSection = page.getByRole('region', { name: 'Runs' })
    await runsSection.getByRole('link', { name: /Stopped.*Scout/ }).waitFor()
    expect(ada.problems).toEqual([])
  })

  test('is reported as not found for an unknown id, with a link to the board', async () => {
    const session = await app.openSession({ ignoredMessages: /404/ })
    await session.go('/runs/999')
    await session.page.getByRole('heading', { name: 'Run not found' }).waitFor()
    await session.page.getByRole('link', { name: 'Go to your board' }).waitFor()
    await session.go('/runs/none')
    await session.page.getByRole('heading', { name: 'Run not found' }).waitFor()
    expect(session.problems).toEqual([])
  })

  test('is readable and accessible on a phone', async () => {
    const phone = await app.openSession({ width: 390, height: 844, touch: true })
    await phone.go(`/runs/${run_id}`)
    await phone.page.getByText('Wind first, then rain').waitFor()
    await phone.page.getByText('About this run').tap()
    await phone.page.getByRole('heading', { name: 'Last prompt' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(phone.page)).toEqual([])
    expect(phone.problems).toEqual([])
  })
})
