import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { models } from '../../ai/models.ts'
import { soon } from '../../binary/players.ts'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'
import { talking } from './talking.ts'

const LONG = 'All of it is said slowly, word by word, until the end of it. '.repeat(6)

describe.skipIf(noBrowser)('an answer in the chat', () => {
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

  const sit = async (may?: RegExp) => {
    const one = await desk.sit(may ? { may } : {})
    await one.go(`/projects/${desk.project_id}`)
    const chat = talking(one.page)
    await chat.open()
    await chat.panel.getByRole('button', { name: 'New chat', exact: true }).click()
    return { ...one, ...chat }
  }
  const threads = async () => (await desk.http('GET', '/api/chat/threads')).body.data

  test('is rendered without HTML tags, scripts or images, and links show their host', async () => {
    const { page, complaints, messages, say, quiet } = await sit()
    service.play([
      {
        text: [
          '## Plan\n\nSee [the manual](https://evil.example/x), <img src=x onerror="alert(1)"> and',
          '[this](javascript:alert(1)), [HOM-1](/t/HOM-1) or HOM-2, not XYZ-1.\n\n- [x] one\n- two\n\n',
          '| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n<b>code</b>\n```\n\n<script>alert(2)</script>',
        ].join(' '),
      },
    ])
    await say('What is the plan?')
    await quiet()
    await messages.getByRole('heading', { name: 'Plan' }).waitFor()
    const links = await messages
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('href')]))
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
    expect(await faultsInBothThemes(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('continues after a reload while it streams, and is shown in another tab', async () => {
    const { page, context, complaints, messages, say, quiet } = await sit()
    service.play([{ text: LONG, slowMs: 30 }])
    await say('Tell me all')
    await messages.getByText(/All of it is said slowly/).waitFor()
    await page.reload()
    await messages.getByText(/All of it is said slowly/).waitFor()
    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByRole('heading', { level: 1 }).waitFor()
    const there = talking(other)
    await there.open()
    await there.messages.getByText(/All of it is said slowly/).waitFor()
    await quiet()
    expect(await messages.getByText(LONG.trim()).count()).toBe(1)
    await there.quiet()
    expect(await there.messages.getByText(LONG.trim()).count()).toBe(1)
    expect(await messages.getByText('Tell me all').count()).toBe(1)
    expect(service.asked).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test('continues after a lost connection, and is requested only once', async () => {
    const { context, page, messages, say, box, quiet } = await sit(
      /Failed to (load|fetch)|ERR_|net::/,
    )
    service.play([{ text: LONG, slowMs: 30 }])
    await say('Tell me more')
    await messages.getByText(/All of it is said slowly/).waitFor()
    await context.setOffline(true)
    await box.fill('And then')
    await context.setOffline(false)
    await quiet()
    expect(await messages.getByText(LONG.trim()).count()).toBe(1)
    // The text typed meanwhile is kept, also over a reload.
    expect(await box.inputValue()).toBe('And then')
    await page.reload()
    await soon(async () => ((await box.inputValue()) === 'And then' ? true : undefined))
    expect(service.asked).toHaveLength(1)
  })

  test('stops after Escape is pressed twice, and can be requested again after an error', async () => {
    const { page, complaints, messages, say, quiet, panel, box } = await sit()
    service.play([{ text: LONG, slowMs: 60 }])
    await say('Tell me everything')
    await messages.getByText(/All of it is said slowly/).waitFor()
    // A single Escape does not stop the answer, even right after a reload.
    await page.reload()
    await panel.getByRole('button', { name: 'Stop' }).waitFor()
    await box.press('Escape')
    await page.getByText('Press Esc again to stop').waitFor()
    await page.keyboard.press('Escape')
    await quiet()
    await messages.getByText('Stopped', { exact: true }).waitFor()
    expect(await messages.getByText(LONG.trim()).count()).toBe(0)
    service.play([{ breaksDown: 'The model fell over', text: 'Half' }])
    await say('Once more')
    await quiet()
    const again = messages.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    service.play([{ text: 'Now it works.' }])
    await again.click()
    await messages.getByText('Now it works.').waitFor()
    await quiet()
    expect(await again.count()).toBe(0)
    expect(await messages.getByText('Half').count()).toBe(0)
    // When no answer is pending, Escape moves the focus out of the chat.
    await box.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.closest('.chat'))).toBeNull()
    await panel.waitFor()
    expect(complaints).toEqual([])
  })

  test('is requested after signing in again; an expired session keeps the typed message', async () => {
    const { page, context, messages, say, box, quiet } = await sit(/401/)
    service.play([{ text: 'Welcome back.' }])
    await context.clearCookies()
    await say('Is anybody there?')
    const over = page.getByRole('alertdialog')
    await over.waitFor()
    await over.getByLabel('Email').fill('ada@example.com')
    await over.getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await over.waitFor({ state: 'detached' })
    expect(await box.inputValue()).toBe('Is anybody there?')
    expect(service.asked).toHaveLength(0)
    await box.press('Enter')
    await messages.getByText('Welcome back.').waitFor()
    await quiet()
    expect(await box.inputValue()).toBe('')
  })

  test('waits for confirmation of a destructive call, even when changes need no approval', async () => {
    const { page, complaints, card, stands, messages, panel, say, quiet, box } = await sit()
    const { project_id } = desk
    const destroy = { tool: 'projects_archive', input: { project_id, status: 'Archive' } }
    await panel.getByRole('button', { name: 'New chat', exact: true }).click()
    const boards = { tool: 'more_tools', input: { group: 'boards' } }
    service.play([{ calls: [boards] }, { calls: [destroy] }, { text: 'As you like.' }])
    await say('Get rid of the board')
    const asked = card(/^Set .* to Archive/)
    await asked.waitFor()
    await panel.getByRole('button', { name: 'More about this chat' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Make changes without asking' }).click()
    await panel.getByText('Changes are made without asking').waitFor()
    expect(await asked.getByRole('button', { name: /Allow all/ }).count()).toBe(0)
    expect(await faultsInBothThemes(page)).toEqual([])
    await asked.getByRole('button', { name: /^Confirm/ }).focus()
    await page.keyboard.press('n')
    await messages.getByText('As you like.').waitFor()
    await stands(/^Set .* to Archive/, 'Declined')
    await quiet()
    service.play([{ calls: [destroy] }, { text: 'Then not.' }])
    await say('Really, do it')
    await panel.getByText('Needs approval', { exact: true }).waitFor()
    const board = await desk.http('GET', `/api/v1/projects/${project_id}/board`)
    expect(board.status).toBe(200)
    await panel.getByRole('button', { name: /^Decline/ }).click()
    await messages.getByText('Then not.').waitFor()
    await panel.getByRole('button', { name: 'Ask before changes' }).click()
    await soon(async () => ((await threads())[0].allow_writes ? undefined : true))
    expect(await box.inputValue()).toBe('')
    expect(complaints).toEqual([])
  })
})
