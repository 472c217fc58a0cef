import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { models } from '../../ai/models.ts'
import { soon } from '../../binary/players.ts'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'
import { talking } from './talking.ts'

const WIDE = [
  '| Task | Who | Due | What is still missing there |\n|---|---|---|---|',
  `| HOM-1 | Ada Lovelace | 2026-12-01 | ${'The price of it. '.repeat(4)} |\n`,
  `\`\`\`\n${'const wide = 1; '.repeat(20)}\n\`\`\`\n`,
  `- البند الأول\n- البند الثاني HOM-2\n\n${'x'.repeat(300)}`,
].join('\n')

describe.skipIf(noBrowser)('drafts, messages and calls in the chat', () => {
  let desk: Desk
  const service = models()
  beforeAll(async () => {
    desk = await openDesk(service.settings())
    for (const title of ['Mend the roof', 'Paint the fence']) await desk.create({ title })
  }, 60_000)
  afterAll(async () => {
    await desk?.leave()
    service.stop()
  })
  afterEach(async () => {
    for (const context of desk.browser.contexts()) await context.close()
  })

  const sit = async (seat: Parameters<Desk['sit']>[0] = {}) => {
    const one = await desk.sit(seat)
    await one.go(`/projects/${desk.project_id}`)
    const chat = talking(one.page)
    const anew = () => chat.panel.getByRole('button', { name: 'New chat', exact: true }).click()
    await chat.open()
    await anew()
    return { ...one, ...chat, anew }
  }
  const becomes = (box: { inputValue(): Promise<string> }, words: string) =>
    soon(async () => (await box.inputValue()) === words)

  test('a refused message returns to the field of its thread, before text typed since', async () => {
    const { page, box, say, quiet, panel, messages } = await sit({ may: /status of 409/ })
    service.play(() => ({ text: 'Aye.' }))
    await say('The first')
    await quiet()
    let answer = () => {}
    await page.route('**/api/chat', async (route) => {
      await new Promise<void>((go) => {
        answer = go
      })
      const json = { success: false, error: 'Conflict', message: 'Not now' }
      await route.fulfill({ status: 409, json })
    })
    await say('The second')
    await box.fill('and the third')
    answer()
    await becomes(box, 'The second\n\nand the third')
    // Both texts are restored after a reload during the request.
    await say('The second')
    await box.fill('and more')
    await page.reload()
    await becomes(box, 'The second\n\nand more')
    // A refused message does not change the draft of another thread.
    await box.press('Enter')
    await panel.getByRole('button', { name: 'Stop' }).waitFor()
    await page.getByRole('link', { name: 'My Tasks' }).click()
    await panel.getByRole('button', { name: 'New chat', exact: true }).click()
    await panel.getByText(/^Ask about your boards/).waitFor()
    await box.fill('Elsewhere')
    answer()
    await page.getByText('Not now').first().waitFor()
    expect(await box.inputValue()).toBe('Elsewhere')
    await page.goBack()
    await panel.getByRole('button', { name: /^Chats: / }).click()
    await panel.getByRole('button', { name: /^The first/ }).click()
    await messages.getByText('Aye.').waitFor()
    await becomes(box, 'The second\n\nand more')
  })

  test('a draft is kept when a suggestion is added or a question comes from the palette', async () => {
    const { page, complaints, box, panel, messages, quiet } = await sit()
    service.play(() => ({ text: 'Nobody knows.' }))
    await box.fill('Half a thought')
    await panel.getByRole('button', { name: 'Plan this week' }).click()
    expect(await box.inputValue()).toBe('Half a thought\n\nPlan this week')
    await box.fill('Half a thought')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').first().fill('who mends qqqq?')
    await page.getByRole('option', { name: /^Ask “who mends qqqq\?”/ }).click()
    await messages.getByText('Nobody knows.').waitFor()
    await quiet()
    expect(await box.inputValue()).toBe('Half a thought')
    await page.reload()
    await becomes(box, 'Half a thought')
    await box.fill('/nosuch')
    await panel.getByText('No matching skills.').waitFor()
    expect(complaints).toEqual([])
  })

  test('wide and right-to-left answers fit the panel, and the end of an answer stays in view', async () => {
    const { page, complaints, box, panel, messages, say, quiet } = await sit({
      ...{ width: 390, height: 844, touch: true },
    })
    service.play([{ text: WIDE }])
    await say('Tell me wide things')
    await quiet()
    const wide = await messages.evaluate((one) => [
      one.scrollWidth - one.clientWidth,
      ...[...one.querySelectorAll('.prose > *')].map((block) =>
        Math.round(Math.max(0, block.getBoundingClientRect().right - one.clientWidth)),
      ),
    ])
    expect(wide).toEqual(wide.map(() => 0))
    const key = messages.getByRole('cell').getByRole('link', { name: 'HOM-1' })
    expect((await key.boundingBox())!.height).toBeLessThan(30)
    const way = await messages.locator('ul').evaluate((list) => getComputedStyle(list).direction)
    expect(way).toBe('rtl')
    expect(await faultsInBothThemes(page)).toEqual([])
    const read = { tool: 'tasks_get', input: { ticket_number: 'HOM-999' } }
    service.play([{ calls: [read] }, { text: 'Half', breaksDown: 'It fell over' }])
    await say('And now fail')
    await quiet()
    await panel.getByRole('button', { name: 'Try again' }).waitFor()
    const bottom = await messages.evaluate((one) => [one.scrollTop, one.scrollHeight])
    expect(bottom[0]! + (await messages.evaluate((one) => one.clientHeight))).toBeGreaterThan(
      bottom[1]! - 3,
    )
    expect(await panel.getByRole('button', { name: 'New messages' }).count()).toBe(0)
    // Hints for agents are not shown to people.
    await messages.getByText('There is no task HOM-999 that you can see').waitFor()
    expect(await messages.getByText('svc_').count()).toBe(0)
    expect(await box.inputValue()).toBe('')
    expect(complaints).toEqual([])
  })

  test('the y key allows pending calls one by one, but no destructive call', async () => {
    const { page, complaints, card, say, quiet, messages } = await sit()
    const { project_id } = desk
    const create = (...titles: string[]) => ({
      tool: 'tasks_create_many',
      input: { project_id, tasks: titles.map((title) => ({ title })) },
    })
    const boards = { tool: 'more_tools', input: { group: 'boards' } }
    const destroy = { tool: 'projects_archive', input: { project_id, status: 'Archive' } }
    service.play([
      { calls: [boards] },
      { calls: [create('One more'), create('Another', 'And one'), destroy] },
      { text: 'As you like.' },
    ])
    await say('Make two, and put the board away')
    await card(/^Create 1 task on/)
      .getByRole('button', { name: /^Allow\b(?! all)/ })
      .focus()
    const focused = () =>
      page.evaluate(
        () =>
          document.activeElement?.closest('.tool-call')?.getAttribute('aria-label') ??
          document.activeElement?.getAttribute('aria-label'),
      )
    await page.keyboard.press('y')
    await soon(async () => (await focused())?.startsWith('Create 2 tasks on'))
    await page.keyboard.press('y')
    await soon(async () => (await focused()) === 'Message')
    await card(/^Set .* to Archive/)
      .getByRole('button', { name: /^Decline/ })
      .click()
    await messages.getByText('As you like.').waitFor()
    await quiet()
    await page.getByRole('main').getByText('Another').waitFor()
    await page.getByRole('main').getByText('One more').waitFor()
    expect(complaints).toEqual([])
  })
})
