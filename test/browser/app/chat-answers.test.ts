import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { startScriptedModel } from '../../ai/scripted-model.ts'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { chatPanel } from './chat-panel.ts'

const LONG = 'All of it is said slowly, word by word, until the end of it. '.repeat(6)

describe.skipIf(isBrowserSkipped)('an answer in the chat', () => {
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

  const openChat = async (ignoredMessages?: RegExp) => {
    const session = await app.openSession(ignoredMessages ? { ignoredMessages } : {})
    await session.go(`/projects/${app.project_id}`)
    const chat = chatPanel(session.page)
    await chat.open()
    await chat.panel.getByRole('button', { name: 'New chat', exact: true }).click()
    return { ...session, ...chat }
  }
  const fetchThreads = async () => (await app.http('GET', '/api/chat/threads')).body.data

  test('is rendered without HTML tags, scripts or images, and links show their host', async () => {
    const { page, problems, messages, send, waitUntilIdle } = await openChat()
    service.play([
      {
        text: [
          '## Plan\n\nSee [the manual](https://evil.example/x), <img src=x onerror="alert(1)"> and',
          '[this](javascript:alert(1)), [HOM-1](/t/HOM-1) or HOM-2, not XYZ-1.\n\n- [x] one\n- two\n\n',
          '| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n<b>code</b>\n```\n\n<script>alert(2)</script>',
        ].join(' '),
      },
    ])
    await send('What is the plan?')
    await waitUntilIdle()
    await messages.getByRole('heading', { name: 'Plan' }).waitFor()
    const links = await messages
      .getByRole('link')
      .evaluateAll((all) =>
        all.map((session) => [session.textContent, session.getAttribute('href')]),
      )
    expect(links).toEqual([
      ['the manual (evil.example)', 'https://evil.example/x'],
      ['HOM-1', '/t/HOM-1'],
      ['HOM-2', '/t/HOM-2'],
    ])
    expect(await messages.locator('img, script, iframe').count()).toBe(0)
    await messages.getByText('<script>alert(2)</script>').waitFor()
    await messages.getByRole('cell', { name: '2' }).waitFor()
    expect(await messages.locator('pre').textContent()).toBe('<b>code</b>')
    await messages.getByRole('link', { name: 'HOM-2' }).click()
    await page.getByRole('region', { name: 'Task HOM-2' }).waitFor()
    // The chat stays open when a task is opened.
    await messages.getByRole('heading', { name: 'Plan' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('continues after a reload while it streams, and is shown in another tab', async () => {
    const { page, context, problems, messages, send, waitUntilIdle } = await openChat()
    service.play([{ text: LONG, chunkDelayMs: 30 }])
    await send('Tell me all')
    await messages.getByText(/All of it is said slowly/).waitFor()
    await page.reload()
    await messages.getByText(/All of it is said slowly/).waitFor()
    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByRole('heading', { level: 1 }).waitFor()
    const otherChat = chatPanel(other)
    await otherChat.open()
    await otherChat.messages.getByText(/All of it is said slowly/).waitFor()
    await waitUntilIdle()
    expect(await messages.getByText(LONG.trim()).count()).toBe(1)
    await otherChat.waitUntilIdle()
    expect(await otherChat.messages.getByText(LONG.trim()).count()).toBe(1)
    expect(await messages.getByText('Tell me all').count()).toBe(1)
    expect(service.requests).toHaveLength(1)
    expect(problems).toEqual([])
  })

  test('continues after a lost connection, and is requested only once', async () => {
    const { context, page, messages, send, input, waitUntilIdle } = await openChat(
      /Failed to (load|fetch)|ERR_|net::/,
    )
    service.play([{ text: LONG, chunkDelayMs: 30 }])
    await send('Tell me more')
    await messages.getByText(/All of it is said slowly/).waitFor()
    await context.setOffline(true)
    await input.fill('And then')
    await context.setOffline(false)
    await waitUntilIdle()
    expect(await messages.getByText(LONG.trim()).count()).toBe(1)
    // The text typed meanwhile is kept, also over a reload.
    expect(await input.inputValue()).toBe('And then')
    await page.reload()
    await waitUntil(async () => (await input.inputValue()) === 'And then')
    expect(service.requests).toHaveLength(1)
  })

  test('stops after Escape is pressed twice, and can be requested again after an error', async () => {
    const { page, problems, messages, send, waitUntilIdle, panel, input } = await openChat()
    service.play([{ text: LONG, chunkDelayMs: 60 }])
    await send('Tell me everything')
    await messages.getByText(/All of it is said slowly/).waitFor()
    // A single Escape does not stop the answer, even right after a reload.
    await page.reload()
    await panel.getByRole('button', { name: 'Stop' }).waitFor()
    await input.press('Escape')
    await page.getByText('Press Esc again to stop').waitFor()
    await page.keyboard.press('Escape')
    await waitUntilIdle()
    await messages.getByText('Stopped', { exact: true }).waitFor()
    expect(await messages.getByText(LONG.trim()).count()).toBe(0)
    service.play([{ streamError: 'The model fell over', text: 'Half' }])
    await send('Once more')
    await waitUntilIdle()
    const retryButton = messages.getByRole('button', { name: 'Try again' })
    await retryButton.waitFor()
    service.play([{ text: 'Now it works.' }])
    await retryButton.click()
    await messages.getByText('Now it works.').waitFor()
    await waitUntilIdle()
    expect(await retryButton.count()).toBe(0)
    expect(await messages.getByText('Half').count()).toBe(0)
    // When no answer is pending, Escape moves the focus out of the chat.
    await input.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.closest('.chat'))).toBeNull()
    await panel.waitFor()
    expect(problems).toEqual([])
  })

  test('is requested after signing in again; an expired session keeps the typed message', async () => {
    const { page, context, messages, send, input, waitUntilIdle } = await openChat(/401/)
    service.play([{ text: 'Welcome back.' }])
    await context.clearCookies()
    await send('Is anybody there?')
    const dialog = page.getByRole('alertdialog')
    await dialog.waitFor()
    await dialog.getByLabel('Email').fill('ada@example.com')
    await dialog.getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await input.inputValue()).toBe('Is anybody there?')
    expect(service.requests).toHaveLength(0)
    await input.press('Enter')
    await messages.getByText('Welcome back.').waitFor()
    await waitUntilIdle()
    expect(await input.inputValue()).toBe('')
  })

  test('waits for confirmation of a destructive call, even when changes need no approval', async () => {
    const { page, problems, card, waitForState, messages, panel, send, waitUntilIdle, input } =
      await openChat()
    const { project_id } = app
    const archiveBoard = { tool: 'projects_archive', input: { project_id, status: 'Archive' } }
    await panel.getByRole('button', { name: 'New chat', exact: true }).click()
    const loadBoardTools = { tool: 'more_tools', input: { group: 'boards' } }
    service.play([{ calls: [loadBoardTools] }, { calls: [archiveBoard] }, { text: 'As you like.' }])
    await send('Get rid of the board')
    const archiveCard = card(/^Set .* to Archive/)
    await archiveCard.waitFor()
    await panel.getByRole('button', { name: 'More about this chat' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Make changes without asking' }).click()
    await panel.getByText('Changes are made without asking').waitFor()
    expect(await archiveCard.getByRole('button', { name: /Allow all/ }).count()).toBe(0)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await archiveCard.getByRole('button', { name: /^Confirm/ }).focus()
    await page.keyboard.press('n')
    await messages.getByText('As you like.').waitFor()
    await waitForState(/^Set .* to Archive/, 'Declined')
    await waitUntilIdle()
    service.play([{ calls: [archiveBoard] }, { text: 'Then not.' }])
    await send('Really, do it')
    await panel.getByText('Needs approval', { exact: true }).waitFor()
    const board = await app.http('GET', `/api/v1/projects/${project_id}/board`)
    expect(board.status).toBe(200)
    await panel.getByRole('button', { name: /^Decline/ }).click()
    await messages.getByText('Then not.').waitFor()
    await panel.getByRole('button', { name: 'Ask before changes' }).click()
    await waitUntil(async () => ((await fetchThreads())[0].allow_writes ? undefined : true))
    expect(await input.inputValue()).toBe('')
    expect(problems).toEqual([])
  })
})
