import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { soon } from '../../binary/players.ts'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'
import { faults, faultsInBothThemes } from '../faults.ts'

/** How many entries one call appends. */
const BATCH = 100

describe.skipIf(noBrowser)('a run', () => {
  let desk: Desk
  let ada: Person
  let page: Page
  let agent: Awaited<ReturnType<Desk['hire']>>
  let task: { task_id: number; ticket_number: string }
  let run_id = 0
  beforeAll(async () => {
    desk = await openDesk({ CORK_RATE_LIMIT_AGENT: '0' })
    agent = await desk.hire('Scout')
    task = await desk.create({ title: 'Compare the tents' })
    ada = await desk.sit()
    page = ada.page
  }, 60_000)
  afterAll(() => desk?.leave())

  const append = (entries: object[]) =>
    agent.rest('POST', `/api/v1/runs/${run_id}/transcript`, { entries })
  const run = async () => (await desk.http('GET', `/api/v1/runs/${run_id}`)).body.data
  const story = () => page.getByRole('region', { name: 'Transcript' })
  const top = () => story().evaluate((element) => element.scrollTop)
  const atEnd = () =>
    story().evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight < 8)

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
    await story().getByText('Which one stands in the wind?').waitFor()
    expect(await run()).toMatchObject({ state: 'queued', agent: { agent_id: agent.agent_id } })
    expect(await faults(page)).toEqual([])
  })

  test('shows new transcript entries live, with an icon for each kind, and folds long results', async () => {
    await agent.rest('PATCH', `/api/v1/runs/${run_id}`, { state: 'running' })
    await page.getByRole('status').getByText('Running').waitFor()
    const began = performance.now()
    await append([
      { kind: 'thought', text: 'Wind first, then rain' },
      { kind: 'action', text: `open ${task.ticket_number}` },
      { kind: 'result', text: Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n') },
      { kind: 'error', text: 'The pole is missing' },
    ])
    await story().getByText('The pole is missing').waitFor()
    expect(performance.now() - began).toBeLessThan(1500)
    for (const name of ['Thought', 'Action', 'Result', 'Error'])
      await story().getByRole('img', { name }).waitFor()
    expect(await story().getByText('line 30').count()).toBe(0)
    await story().getByRole('button', { name: 'Show all 40 lines' }).click()
    await story().getByText('line 30').waitFor()
    await story().getByRole('link', { name: task.ticket_number }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  test('sends another prompt to the agent and shows it once in the transcript', async () => {
    await page.getByRole('heading', { level: 1 }).click({ position: { x: 600, y: 8 } })
    await page.keyboard.press('m')
    await page.keyboard.type('Take the round one too')
    await page.keyboard.press('Control+Enter')
    await story().getByText('Take the round one too').waitFor()
    expect(await page.getByLabel('Prompt Scout').inputValue()).toBe('')
    await soon(async () => ((await run()).prompt === 'Take the round one too' ? true : undefined))
    const { data } = await agent.rest('GET', '/api/v1/agents/self/messages')
    expect(data.map(({ type }: { type: string }) => type)).toContain('run.prompted')
    const told = story().getByText('Take the round one too')
    await soon(async () => ((await told.count()) === 1 ? true : undefined))
  })

  test('follows new entries at the end, and counts them after scrolling up', async () => {
    const lines = (from: number) =>
      Array.from({ length: BATCH }, (_, at) => ({ text: `Step ${from + at}, and what came of it` }))
    for (let from = 0; from < 1000; from += BATCH) await append(lines(from))
    await story().getByText('Step 999,').waitFor()
    expect(await atEnd()).toBe(true)
    expect(await story().getByRole('listitem').count()).toBeLessThan(80)
    await story().hover()
    await page.mouse.wheel(0, -3000)
    await soon(async () => ((await atEnd()) ? undefined : true))
    await story()
      .getByText(/^Step 9[0-4]\d,/)
      .first()
      .waitFor()
    const before = await top()
    await append([{ text: 'And then it rained' }, { text: 'And then it stopped' }])
    await page.getByRole('button', { name: '2 new' }).waitFor()
    expect(Math.abs((await top()) - before)).toBeLessThan(4)
    await page.getByRole('button', { name: '2 new' }).click()
    await story().getByText('And then it stopped').waitFor()
    await soon(async () => ((await atEnd()) ? true : undefined))
    expect(await page.getByRole('button', { name: / new$/ }).count()).toBe(0)
  })

  test('jumps to the start and the end by keys, and finds words in the whole transcript', async () => {
    await page.keyboard.press('Home')
    await story().getByText('Wind first, then rain').waitFor()
    await page.keyboard.press('End')
    await story().getByText('And then it stopped').waitFor()
    await page.keyboard.press('f')
    await page.keyboard.type('Step 412')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('1 of 1').waitFor()
    await story().locator('.current').getByText('Step 412').waitFor()
    expect(await story().locator('.current mark').allTextContents()).toEqual(['Step', '412'])
    await page.getByLabel('Find in the transcript').fill('nowhere at all')
    await page.getByRole('status').getByText('No matches').waitFor()
    expect(await faults(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('is stopped with a reason, refuses further entries, and offers to start another', async () => {
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByLabel('Reason (optional)').fill('It rains')
    await page.getByRole('button', { name: 'Stop run' }).click()
    await page.getByText('Stopped: It rains').waitFor()
    await page.getByRole('button', { name: 'Start another run…' }).waitFor()
    expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0)
    await soon(async () => ((await run()).state === 'stopped' ? true : undefined))
    expect(await run()).toMatchObject({ reason: 'It rains' })
    expect((await append([{ text: 'Too late' }])).status).toBe(409)
    await page
      .getByRole('link', { name: new RegExp(task.ticket_number) })
      .first()
      .click()
    const part = page.getByRole('region', { name: 'Runs' })
    await part.getByRole('link', { name: /Stopped.*Scout/ }).waitFor()
    expect(ada.complaints).toEqual([])
  })

  test('is reported as not found for an unknown id, with a link to the board', async () => {
    const kim = await desk.sit({ may: /404/ })
    await kim.go('/runs/999')
    await kim.page.getByRole('heading', { name: 'Run not found' }).waitFor()
    await kim.page.getByRole('link', { name: 'Go to your board' }).waitFor()
    await kim.go('/runs/none')
    await kim.page.getByRole('heading', { name: 'Run not found' }).waitFor()
    expect(kim.complaints).toEqual([])
  })

  test('is readable and accessible on a phone', async () => {
    const small = await desk.sit({ width: 390, height: 844, touch: true })
    await small.go(`/runs/${run_id}`)
    await small.page.getByText('Wind first, then rain').waitFor()
    await small.page.getByText('About this run').tap()
    await small.page.getByRole('heading', { name: 'Last prompt' }).waitFor()
    expect(await faultsInBothThemes(small.page)).toEqual([])
    expect(small.complaints).toEqual([])
  })
})
