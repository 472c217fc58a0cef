import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { startScriptedModel } from '../../ai/scripted-model.ts'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { chatPanel } from './chat-panel.ts'

describe.skipIf(isBrowserSkipped)('the chat panel', () => {
  let app: WebApp
  const service = startScriptedModel()
  beforeAll(async () => {
    app = await openWebApp(service.settings())
    for (const title of ['Mend the roof', 'Paint the fence']) await app.createTask({ title })
    const skill = {
      slug: 'standup',
      description: 'What happened',
      argument_hint: '<day>',
      body: 'Tell.',
    }
    await app.http('POST', '/api/v1/skills', { body: { ...skill, name: 'Stand-up' } })
  })
  afterAll(async () => {
    await app?.close()
    service.stop()
  })
  afterEach(async () => {
    for (const context of app.browser.contexts()) await context.close()
  })

  const openHome = async (path = `/projects/${app.project_id}`, options = {}) => {
    const session = await app.openSession(options)
    await session.go(path)
    await session.page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
    return { ...session, ...chatPanel(session.page) }
  }
  const threadTitles = async (): Promise<string[]> =>
    (await app.http('GET', '/api/chat/threads')).body.data.map(
      ({ title }: { title: string }) => title,
    )

  test('completes skills, names and tasks, breaks lines, and recalls the last message', async () => {
    const { page, problems, open, input, panel, send, waitUntilIdle, messages } = await openHome()
    service.play(() => ({ text: 'Aye.' }))
    await open()
    await page.keyboard.type('/sta')
    const option = panel.getByRole('option')
    await option.filter({ hasText: '/standup <day>' }).waitFor()
    const selectedId = await input.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${selectedId}"]`).getAttribute('aria-selected')).toBe('true')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.keyboard.press('Enter')
    expect(await input.inputValue()).toBe('/standup ')
    expect(await option.count()).toBe(0)
    await input.fill('Ask @Ad')
    await option.filter({ hasText: 'Ada' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('about @fence')
    await option.filter({ hasText: 'Paint the fence' }).click()
    expect(await input.inputValue()).toBe('Ask @Ada about HOM-2 ')
    await page.keyboard.press('Escape')
    await send('First line')
    await messages.getByText('Aye.').waitFor()
    await waitUntilIdle()
    await page.keyboard.press('ArrowUp')
    expect(await input.inputValue()).toBe('First line')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('second')
    expect(await input.inputValue()).toBe('First line\nsecond')
    // Enter during IME composition does not send the message.
    const composing = { key: 'Enter', bubbles: true, cancelable: true, isComposing: true }
    await input.dispatchEvent('keydown', composing)
    expect(await input.inputValue()).toBe('First line\nsecond')
    expect(service.requests).toHaveLength(1)
    expect(problems).toEqual([])
  })

  test('lists threads by board, renames them, deletes them with undo, and keeps their drafts', async () => {
    const { page, problems, open, input, panel, send, waitUntilIdle } = await openHome()
    service.play(() => ({ text: 'Aye.' }))
    await open()
    for (const expectedText of ['About the garden', 'About the cellar']) {
      await panel.getByRole('button', { name: 'New chat', exact: true }).click()
      await send(expectedText)
      await waitUntilIdle()
      await panel.getByRole('button', { name: `Chats: ${expectedText}` }).waitFor()
    }
    await panel.getByRole('button', { name: 'More about this chat' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await panel.getByRole('textbox', { name: 'Chat name' }).fill('The cellar')
    await page.keyboard.press('Enter')
    await panel.getByRole('button', { name: 'Chats: The cellar' }).click()
    await waitUntil(async () => (await threadTitles()).includes('The cellar'))
    await panel.getByRole('button', { name: 'About Home', pressed: true }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await panel.getByRole('button', { name: 'Delete the chat “About the garden”' }).click()
    const row = panel.getByRole('button', { name: /^About the garden/ })
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo Ctrl+Z' }).click()
    await row.click()
    await panel.getByRole('button', { name: 'Chats: About the garden' }).waitFor()
    expect(await threadTitles()).toContain('About the garden')
    await input.fill('Not sent yet')
    // My Tasks has no thread yet, so its field is empty. The draft belongs to the other thread.
    await panel.getByRole('button', { name: 'Close the chat' }).click()
    await page.getByRole('link', { name: 'My Tasks' }).click()
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    await open()
    await panel.getByRole('button', { name: 'Chats: New chat' }).waitFor()
    expect(await input.inputValue()).toBe('')
    await panel.getByRole('button', { name: 'Chats: New chat' }).click()
    await row.click()
    expect(await input.inputValue()).toBe('Not sent yet')
    expect(problems).toEqual([])
  })

  test('answers questions from the palette and about a task, and reopens the last thread', async () => {
    const { page, problems, panel, messages, waitUntilIdle, send, go } = await openHome()
    service.play(() => ({ text: 'Nobody knows.' }))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').first().fill('who mends qqqq?')
    await page.getByRole('option', { name: /^Ask “who mends qqqq\?”/ }).click()
    await messages.getByText('Nobody knows.').waitFor()
    await messages.getByText('who mends qqqq?').waitFor()
    await page.keyboard.press('Control+j')
    await panel.waitFor({ state: 'detached' })
    const askAboutTask = async () => {
      await go('/t/HOM-1')
      await page.getByRole('button', { name: 'More about HOM-1' }).click()
      await page.getByRole('menuitem', { name: 'Ask about this task' }).click()
    }
    await askAboutTask()
    await panel.getByText(/^Ask about HOM-1/).waitFor()
    await send('What is missing here?')
    await waitUntilIdle()
    const [thread] = (await app.http('GET', '/api/chat/threads?task=HOM-1')).body.data
    expect(thread.task.ticket_number).toBe('HOM-1')
    expect(service.requests.at(-1)!.system).toContain('HOM-1')
    await panel.getByRole('button', { name: 'Close the chat' }).click()
    await askAboutTask()
    await messages.getByText('What is missing here?').waitFor()
    expect(problems).toEqual([])
  })

  test('fills the screen of a phone, and closes when a task is opened', async () => {
    const { page, problems, panel, messages, send, waitUntilIdle } = await openHome(undefined, {
      ...{ width: 390, height: 844, touch: true },
    })
    service.play(() => ({ text: 'Look at HOM-2.' }))
    await page.getByRole('button', { name: 'Chat' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Chat' })
    await dialog.waitFor()
    expect(Math.round((await panel.boundingBox())!.width)).toBe(390)
    await panel.getByRole('button', { name: 'New chat', exact: true }).tap()
    await send('Where?')
    await waitUntilIdle()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await messages.getByRole('link', { name: 'HOM-2' }).tap()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Paint the fence').first().waitFor()
    expect(problems).toEqual([])
  })

  test('keeps the width to which it is resized over a reload', async () => {
    const { page, problems, open, panel } = await openHome()
    await open()
    const edge = panel.getByRole('separator', { name: 'Chat width' })
    const before = (await panel.boundingBox())!.width
    const { x, y } = (await edge.boundingBox())!
    await page.mouse.move(x + 4, y + 300)
    await page.mouse.down()
    await page.mouse.move(x - 96, y + 300, { steps: 4 })
    await page.mouse.up()
    const after = (await panel.boundingBox())!.width
    expect(after - before).toBeGreaterThan(80)
    await edge.press('ArrowRight')
    await page.reload()
    await panel.waitFor()
    expect(Math.round((await panel.boundingBox())!.width)).toBe(Math.round(after - 32))
    expect(problems).toEqual([])
  })

  test('without a model, is shown nowhere; the settings of the team say how to set one', async () => {
    const appWithoutModel = await openWebApp()
    try {
      const { page, problems, go } = await appWithoutModel.openSession()
      await go(`/projects/${appWithoutModel.project_id}`)
      await page.getByRole('link', { name: 'Home' }).waitFor()
      expect(await page.getByRole('button', { name: 'Chat' }).count()).toBe(0)
      await page.keyboard.press('Control+j')
      expect(await page.getByRole('complementary', { name: 'Chat' }).count()).toBe(0)
      await go('/settings/team')
      const section = page.getByRole('region', { name: 'Chat: no model is set up' })
      await section.getByText('CORK_AI_BASE_URL').first().waitFor()
      await section.getByRole('button', { name: 'Copy these lines' }).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('CORK_AI_MODEL=')
      const manual = await section.getByRole('link', { name: 'Setup guide' }).getAttribute('href')
      expect((await appWithoutModel.http('GET', manual!)).status).toBe(200)
      expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
      expect(problems).toEqual([])
    } finally {
      await appWithoutModel.close()
    }
  })
})
