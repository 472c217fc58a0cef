import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { models } from '../../ai/models.ts'
import { soon } from '../../binary/players.ts'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'
import { talking } from './talking.ts'

describe.skipIf(noBrowser)('the chat panel', () => {
  let desk: Desk
  const service = models()
  beforeAll(async () => {
    desk = await openDesk(service.settings())
    for (const title of ['Mend the roof', 'Paint the fence']) await desk.create({ title })
    const skill = {
      slug: 'standup',
      description: 'What happened',
      argument_hint: '<day>',
      body: 'Tell.',
    }
    await desk.http('POST', '/api/v1/skills', { body: { ...skill, name: 'Stand-up' } })
  }, 60_000)
  afterAll(async () => {
    await desk?.leave()
    service.stop()
  })
  afterEach(async () => {
    for (const context of desk.browser.contexts()) await context.close()
  })

  const sit = async (path = `/projects/${desk.project_id}`, seat = {}) => {
    const one = await desk.sit(seat)
    await one.go(path)
    await one.page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
    return { ...one, ...talking(one.page) }
  }
  const titles = async (): Promise<string[]> =>
    (await desk.http('GET', '/api/chat/threads')).body.data.map(
      ({ title }: { title: string }) => title,
    )

  test('completes skills, names and tasks, breaks lines, and recalls the last message', async () => {
    const { page, complaints, open, box, panel, say, quiet, messages } = await sit()
    service.play(() => ({ text: 'Aye.' }))
    await open()
    await page.keyboard.type('/sta')
    const option = panel.getByRole('option')
    await option.filter({ hasText: '/standup <day>' }).waitFor()
    const chosen = await box.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${chosen}"]`).getAttribute('aria-selected')).toBe('true')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Enter')
    expect(await box.inputValue()).toBe('/standup ')
    expect(await option.count()).toBe(0)
    await box.fill('Ask @Ad')
    await option.filter({ hasText: 'Ada' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('about @fence')
    await option.filter({ hasText: 'Paint the fence' }).click()
    expect(await box.inputValue()).toBe('Ask @Ada about HOM-2 ')
    await page.keyboard.press('Escape')
    await say('First line')
    await messages.getByText('Aye.').waitFor()
    await quiet()
    await page.keyboard.press('ArrowUp')
    expect(await box.inputValue()).toBe('First line')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('second')
    expect(await box.inputValue()).toBe('First line\nsecond')
    // Enter during IME composition does not send the message.
    const composing = { key: 'Enter', bubbles: true, cancelable: true, isComposing: true }
    await box.dispatchEvent('keydown', composing)
    expect(await box.inputValue()).toBe('First line\nsecond')
    expect(service.asked).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test('lists threads by board, renames them, deletes them with undo, and keeps their drafts', async () => {
    const { page, complaints, open, box, panel, say, quiet } = await sit()
    service.play(() => ({ text: 'Aye.' }))
    await open()
    for (const words of ['About the garden', 'About the cellar']) {
      await panel.getByRole('button', { name: 'New chat', exact: true }).click()
      await say(words)
      await quiet()
      await panel.getByRole('button', { name: `Chats: ${words}` }).waitFor()
    }
    await panel.getByRole('button', { name: 'More about this chat' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await panel.getByRole('textbox', { name: 'Chat name' }).fill('The cellar')
    await page.keyboard.press('Enter')
    await panel.getByRole('button', { name: 'Chats: The cellar' }).click()
    await soon(async () => (await titles()).includes('The cellar'))
    await panel.getByRole('button', { name: 'About Home', pressed: true }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await panel.getByRole('button', { name: 'Delete the chat “About the garden”' }).click()
    const row = panel.getByRole('button', { name: /^About the garden/ })
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo Ctrl+Z' }).click()
    await row.click()
    await panel.getByRole('button', { name: 'Chats: About the garden' }).waitFor()
    expect(await titles()).toContain('About the garden')
    await box.fill('Not sent yet')
    // My Tasks has no thread yet, and the draft stays with its thread.
    await panel.getByRole('button', { name: 'Close the chat' }).click()
    await page.getByRole('link', { name: 'My Tasks' }).click()
    await page.getByRole('heading', { name: 'My Tasks', level: 1 }).waitFor()
    await open()
    await panel.getByRole('button', { name: 'Chats: New chat' }).waitFor()
    expect(await box.inputValue()).toBe('')
    await panel.getByRole('button', { name: 'Chats: New chat' }).click()
    await row.click()
    expect(await box.inputValue()).toBe('Not sent yet')
    expect(complaints).toEqual([])
  })

  test('answers questions from the palette and about a task, and reopens the last thread', async () => {
    const { page, complaints, panel, messages, quiet, say, go } = await sit()
    service.play(() => ({ text: 'Nobody knows.' }))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').first().fill('who mends qqqq?')
    await page.getByRole('option', { name: /^Ask “who mends qqqq\?”/ }).click()
    await messages.getByText('Nobody knows.').waitFor()
    await messages.getByText('who mends qqqq?').waitFor()
    await page.keyboard.press('Control+j')
    await panel.waitFor({ state: 'detached' })
    const ask = async () => {
      await go('/t/HOM-1')
      await page.getByRole('button', { name: 'More about HOM-1' }).click()
      await page.getByRole('menuitem', { name: 'Ask about this task' }).click()
    }
    await ask()
    await panel.getByText(/^Ask about HOM-1/).waitFor()
    await say('What is missing here?')
    await quiet()
    const [thread] = (await desk.http('GET', '/api/chat/threads?task=HOM-1')).body.data
    expect(thread.task.ticket_number).toBe('HOM-1')
    expect(service.asked.at(-1)!.system).toContain('HOM-1')
    await panel.getByRole('button', { name: 'Close the chat' }).click()
    await ask()
    await messages.getByText('What is missing here?').waitFor()
    expect(complaints).toEqual([])
  })

  test('fills the screen of a phone, and closes when a task is opened', async () => {
    const { page, complaints, panel, messages, say, quiet } = await sit(undefined, {
      ...{ width: 390, height: 844, touch: true },
    })
    service.play(() => ({ text: 'Look at HOM-2.' }))
    await page.getByRole('button', { name: 'Chat' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Chat' })
    await dialog.waitFor()
    expect(Math.round((await panel.boundingBox())!.width)).toBe(390)
    await panel.getByRole('button', { name: 'New chat', exact: true }).tap()
    await say('Where?')
    await quiet()
    expect(await faultsInBothThemes(page)).toEqual([])
    await messages.getByRole('link', { name: 'HOM-2' }).tap()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Paint the fence').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('keeps the width to which it is resized over a reload', async () => {
    const { page, complaints, open, panel } = await sit()
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
    expect(complaints).toEqual([])
  })

  test('without a model, explains how to set one and keeps the typed text', async () => {
    const bare = await openDesk()
    try {
      const { page, complaints, go } = await bare.sit()
      await go(`/projects/${bare.project_id}`)
      const { open, panel, box } = talking(page)
      await open()
      await panel.getByText('CORK_AI_BASE_URL').first().waitFor()
      await panel.getByRole('button', { name: 'Copy these lines' }).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('CORK_AI_MODEL=')
      const manual = await panel.getByRole('link', { name: 'Setup guide' }).getAttribute('href')
      expect((await bare.http('GET', manual!)).status).toBe(200)
      await box.fill('What is late?')
      await page.keyboard.press('Enter')
      expect(await box.inputValue()).toBe('What is late?')
      expect(await panel.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
      expect(await faultsInBothThemes(page)).toEqual([])
      expect((await bare.http('GET', '/api/chat/threads')).body.data).toEqual([])
      expect(complaints).toEqual([])
    } finally {
      await bare.leave()
    }
  }, 60_000)
})
