import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { startScriptedModel } from '../../ai/scripted-model.ts'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { chatPanel } from './chat-panel.ts'
import { holdWrites } from './held-writes.ts'

const WIDE = [
  '| Task | Who | Due | What is still missing there |\n|---|---|---|---|',
  `| HOM-1 | Ada Lovelace | 2026-12-01 | ${'The price of it. '.repeat(4)} |\n`,
  `\`\`\`\n${'const wide = 1; '.repeat(20)}\n\`\`\`\n`,
  `- البند الأول\n- البند الثاني HOM-2\n\n${'x'.repeat(300)}`,
].join('\n')

describe.skipIf(isBrowserSkipped)('drafts, messages and calls in the chat', () => {
  let app: WebApp
  const service = startScriptedModel()
  beforeAll(async () => {
    app = await openWebApp(service.settings())
    for (const title of ['Mend the roof', 'Paint the fence']) await app.createTask({ title })
  })
  afterAll(async () => {
    await app?.close()
    service.stop()
  })
  afterEach(async () => {
    for (const context of app.browser.contexts()) await context.close()
  })

  const openChat = async (options: Parameters<WebApp['openSession']>[0] = {}) => {
    const session = await app.openSession(options)
    await session.go(`/projects/${app.project_id}`)
    const chat = chatPanel(session.page)
    const startNewChat = () =>
      chat.panel.getByRole('button', { name: 'New chat', exact: true }).click()
    await chat.open()
    await startNewChat()
    return { ...session, ...chat, startNewChat }
  }
  const waitForInput = (input: { inputValue(): Promise<string> }, expectedText: string) =>
    waitUntil(async () => (await input.inputValue()) === expectedText)

  test('a refused message returns to the field of its thread, before text typed since', async () => {
    const { page, input, send, waitUntilIdle, panel, messages } = await openChat({
      ignoredMessages: /status of 409/,
    })
    service.play(() => ({ text: 'Aye.' }))
    await send('The first')
    await waitUntilIdle()
    const refuse = await holdWrites(page, '**/api/chat', 409, 'Not now')
    await send('The second')
    await input.fill('and the third')
    await refuse()
    await waitForInput(input, 'The second\n\nand the third')
    // Both texts are restored after a reload during the request.
    await send('The second')
    await input.fill('and more')
    await page.reload()
    await waitForInput(input, 'The second\n\nand more')
    // A refused message does not change the draft of another thread.
    await input.press('Enter')
    await panel.getByRole('button', { name: 'Stop' }).waitFor()
    await page.getByRole('link', { name: 'My Tasks' }).click()
    await panel.getByRole('button', { name: 'New chat', exact: true }).click()
    await panel.getByText(/^Ask about your boards/).waitFor()
    await input.fill('Elsewhere')
    await refuse()
    await page.getByText('Not now').first().waitFor()
    expect(await input.inputValue()).toBe('Elsewhere')
    await page.goBack()
    await panel.getByRole('button', { name: /^Chats: / }).click()
    await panel.getByRole('button', { name: /^The first/ }).click()
    await messages.getByText('Aye.').waitFor()
    await waitForInput(input, 'The second\n\nand more')
  })

  test('a draft is kept when a suggestion is added or a question comes from the palette', async () => {
    const { page, problems, input, panel, messages, waitUntilIdle } = await openChat()
    service.play(() => ({ text: 'Nobody knows.' }))
    await input.fill('Half a thought')
    await panel.getByRole('button', { name: 'Plan this week' }).click()
    expect(await input.inputValue()).toBe('Half a thought\n\nPlan this week')
    await input.fill('Half a thought')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').first().fill('who mends qqqq?')
    await page.getByRole('option', { name: /^Ask “who mends qqqq\?”/ }).click()
    await messages.getByText('Nobody knows.').waitFor()
    await waitUntilIdle()
    expect(await input.inputValue()).toBe('Half a thought')
    await page.reload()
    await waitForInput(input, 'Half a thought')
    await input.fill('/nosuch')
    await panel.getByText('No matching skills.').waitFor()
    expect(problems).toEqual([])
  })

  test('wide and right-to-left answers fit the panel, and the end of an answer stays in view', async () => {
    const { page, problems, input, panel, messages, send, waitUntilIdle } = await openChat({
      ...{ width: 390, height: 844, touch: true },
    })
    service.play([{ text: WIDE }])
    await send('Tell me wide things')
    await waitUntilIdle()
    const overflows = await messages.evaluate((session) => [
      session.scrollWidth - session.clientWidth,
      ...[...session.querySelectorAll('.prose > *')].map((block) =>
        Math.round(Math.max(0, block.getBoundingClientRect().right - session.clientWidth)),
      ),
    ])
    expect(overflows).toEqual(overflows.map(() => 0))
    const key = messages.getByRole('cell').getByRole('link', { name: 'HOM-1' })
    expect((await key.boundingBox())!.height).toBeLessThan(30)
    const direction = await messages
      .locator('ul')
      .evaluate((list) => getComputedStyle(list).direction)
    expect(direction).toBe('rtl')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    const read = { tool: 'tasks_get', input: { ticket_number: 'HOM-999' } }
    service.play([{ calls: [read] }, { text: 'Half', streamError: 'It fell over' }])
    await send('And now fail')
    await waitUntilIdle()
    await panel.getByRole('button', { name: 'Try again' }).waitFor()
    const bottom = await messages.evaluate((session) => [session.scrollTop, session.scrollHeight])
    expect(
      bottom[0]! + (await messages.evaluate((session) => session.clientHeight)),
    ).toBeGreaterThan(bottom[1]! - 3)
    expect(await panel.getByRole('button', { name: 'New messages' }).count()).toBe(0)
    // Hints for agents are not shown to people.
    await messages.getByText('There is no task HOM-999 that you can see').waitFor()
    expect(await messages.getByText('svc_').count()).toBe(0)
    expect(await input.inputValue()).toBe('')
    expect(problems).toEqual([])
  })

  test('the y key allows pending calls one by one, but no destructive call', async () => {
    const { page, problems, card, send, waitUntilIdle, messages } = await openChat()
    const { project_id } = app
    const create = (...titles: string[]) => ({
      tool: 'tasks_create_many',
      input: { project_id, tasks: titles.map((title) => ({ title })) },
    })
    const loadBoardTools = { tool: 'more_tools', input: { group: 'boards' } }
    const archiveBoard = { tool: 'projects_archive', input: { project_id, status: 'Archive' } }
    service.play([
      { calls: [loadBoardTools] },
      { calls: [create('One more'), create('Another', 'And one'), archiveBoard] },
      { text: 'As you like.' },
    ])
    await send('Make two, and put the board away')
    await card(/^Set .* to Archive/).waitFor()
    await card(/^Create 1 task on/)
      .getByRole('button', { name: /^Allow\b(?! all)/ })
      .focus()
    const focusedLabel = () =>
      page.evaluate(
        () =>
          document.activeElement?.closest('.tool-call')?.getAttribute('aria-label') ??
          document.activeElement?.getAttribute('aria-label'),
      )
    await page.keyboard.press('y')
    await waitUntil(async () => (await focusedLabel())?.startsWith('Create 2 tasks on'))
    await page.keyboard.press('y')
    await waitUntil(async () => (await focusedLabel()) === 'Message')
    await card(/^Set .* to Archive/)
      .getByRole('button', { name: /^Decline/ })
      .click()
    await messages.getByText('As you like.').waitFor()
    await waitUntilIdle()
    await page.getByRole('main').getByText('Another').waitFor()
    await page.getByRole('main').getByText('One more').waitFor()
    expect(problems).toEqual([])
  })
})
