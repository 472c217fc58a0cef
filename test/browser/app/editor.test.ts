import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('the editor', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
    await app.createAgent({ name: 'Scout' })
  })
  afterAll(() => app?.close())

  const descriptionOf = async (task_id: number) =>
    (await app.http('GET', `/api/v1/tasks/${task_id}`)).body.data.description

  const waitForDescription = (task_id: number, expected: string) =>
    expectEventually(() => descriptionOf(task_id), expected)

  /** Opens the description of a new task in the editor. */
  async function edit(description: string, options = {}) {
    const { task_id, ticket_number } = await app.createTask({
      ...{ title: 'Plan the party', description, content_type: 'markdown' },
    })
    const session = await app.openSession(options)
    await session.go(`/t/${ticket_number}`)
    await openEditor(session.page)
    return { ...session, task_id, ticket_number, field: fieldOf(session.page) }
  }

  async function openEditor(page: Page) {
    const region = page.getByRole('region', { name: 'Description' })
    await region.getByRole('button', { name: 'Edit' }).click()
    await page.locator('.description .code:not([hidden])').waitFor()
  }

  const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Description' })
  const lineTexts = (page: Page) => page.locator('.description .cm-line').allTextContents()

  test('shows Markdown as it will look, and the marks of a line with the cursor', async () => {
    const source = '# Lamps\n\nSome **red** ones\n\n- first\n  - second\n\n> [!TIP]\n> Ask Scout'
    const { page, problems, field } = await edit(source)
    await page.keyboard.press('Control+End')
    expect(await lineTexts(page)).toEqual([
      ...['Lamps', '', 'Some red ones', '', '•first', '•second', '', 'Tip', '> Ask Scout'],
    ])
    await page.keyboard.press('Control+Home')
    await waitUntil(async () => (await lineTexts(page))[0] === '# Lamps' || undefined)
    await field.getByText('red').click()
    await waitUntil(async () => (await lineTexts(page))[2] === 'Some **red** ones' || undefined)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    const callout = page.locator('.description blockquote')
    await callout.getByText('Tip', { exact: true }).waitFor()
    expect(await callout.textContent()).not.toContain('[!TIP]')
    expect(problems).toEqual([])
  })

  test('ticks check boxes by mouse and keyboard, and only their bytes change', async () => {
    const { page, problems, field, task_id } = await edit('- [ ]  Lamps\n* [X] Chairs\n')
    await field.getByRole('checkbox', { name: 'Lamps' }).click()
    await field.getByRole('checkbox', { name: 'Lamps', checked: true }).waitFor()
    await field.getByText('Chairs').click()
    await page.keyboard.press('Alt+Enter')
    await field.getByRole('checkbox', { name: 'Chairs', checked: false }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await waitForDescription(task_id, '- [x]  Lamps\n* [ ] Chairs\n')
    expect(problems).toEqual([])
  })

  test('edits the cells of a table in place, with Tab, arrows and undo', async () => {
    const source = 'Prices\n\n| Item  | Price |\n|-------|------:|\n| Lamp  |    12 |'
    const { page, problems, field, task_id } = await edit(source)
    await field.getByRole('textbox', { name: 'Row 1, column 2' }).click()
    await page.keyboard.press('End')
    await page.keyboard.type('4')
    await page.keyboard.press('Control+z')
    await waitUntil(async () => {
      const cell = field.getByRole('textbox', { name: 'Row 1, column 2' })
      return (await cell.textContent()) === '12' || undefined
    })
    await page.keyboard.press('Tab')
    await field.getByRole('textbox', { name: 'Row 2, column 1' }).waitFor()
    await page.keyboard.type('Chair | red')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.type('s')
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.type('All ')
    await page.keyboard.press('Control+Enter')
    const changed = source.replace('| Lamp ', '| Lamps ')
    await waitForDescription(
      task_id,
      `${changed.replace('Prices\n', 'Prices\nAll ')}\n| Chair \\| red |  |`,
    )
    expect(problems).toEqual([])
  })

  test('a table that is typed stays source until Enter, which goes on in its cells', async () => {
    const { page, problems, task_id } = await edit('Hours:')
    await page.keyboard.press('Control+End')
    for (const line of ['', '', '| Name | Hours |']) {
      await page.keyboard.type(line)
      await page.keyboard.press('Enter')
    }
    await page.keyboard.type('| --- | --- |')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Ana')
    await page.keyboard.press('Tab')
    await page.keyboard.type('3')
    await page.keyboard.press('Control+Enter')
    await waitForDescription(task_id, 'Hours:\n\n| Name | Hours |\n| --- | --- |\n| Ana | 3 |')
    expect(problems).toEqual([])
  })

  test('adds and removes rows and columns of a table with buttons', async () => {
    const { page, problems, field, task_id } = await edit('| a | b |\n|---|---|\n| 1 | 2 |')
    await field.getByRole('textbox', { name: 'Row 1, column 1' }).click()
    await field.getByRole('button', { name: 'Add a column after this one' }).click()
    await field.getByRole('button', { name: 'Add a row below' }).click()
    await field.getByRole('textbox', { name: 'Row 2, column 3' }).waitFor()
    await field.getByRole('textbox', { name: 'Row 1, column 3' }).click()
    await field.getByRole('button', { name: 'Remove this column' }).click()
    await page.keyboard.press('Control+Enter')
    await waitForDescription(task_id, '| a |  |\n|---| --- |\n| 1 |  |\n|  |  |')
    expect(problems).toEqual([])
  })

  test('inserts blocks from a menu that a slash opens', async () => {
    const { page, problems, field, task_id } = await edit('Plan')
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/')
    await page.getByRole('option', { name: /Heading 1/ }).waitFor()
    await page.keyboard.type('chec')
    await waitUntil(async () => (await page.getByRole('option').count()) === 1 || undefined)
    // The list ignores keys until it is visible.
    await Bun.sleep(150)
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.keyboard.type('Lamps')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Chairs')
    await field.getByRole('checkbox', { name: 'Chairs' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await waitForDescription(task_id, 'Plan\n\n- [ ] Lamps\n- [ ] Chairs')
    expect(problems).toEqual([])
  })

  test('formats selected text with a toolbar, and with keys', async () => {
    const { page, problems, field, task_id } = await edit('Buy lamps today')
    await field.getByText('Buy lamps today').dblclick({ position: { x: 50, y: 10 } })
    const toolbar = page.getByRole('toolbar', { name: 'Format' })
    await toolbar.getByRole('button', { name: 'Bold' }).click()
    await page.keyboard.press('Alt+F10')
    await page.keyboard.press('ArrowRight')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Shift+8')
    await page.keyboard.press('Control+Enter')
    await waitForDescription(task_id, '- Buy **lamps** today')
    expect(problems).toEqual([])
  })

  test('moves blocks with what is below them, by key and by dragging', async () => {
    const { page, problems, field, task_id } = await edit(
      '1. one\n   - below\n2. two\n\nFirst\n\nLast',
    )
    await field.getByText('one').click()
    await page.keyboard.press('Alt+ArrowDown')
    expect(await lineTexts(page)).toEqual([
      ...['1.two', '2.one', '•below', '', 'First', '', 'Last'],
    ])
    await field.getByText('Last').hover()
    const handle = await page.getByRole('button', { name: 'Move this block' }).boundingBox()
    const target = await field.getByText('First').boundingBox()
    await page.mouse.move(handle!.x + 5, handle!.y + 8)
    await page.mouse.down()
    await page.mouse.move(target!.x + 5, target!.y + 12, { steps: 4 })
    await page.mouse.move(target!.x + 5, target!.y + 3, { steps: 2 })
    expect(await page.locator('.cm-drop-line').isVisible()).toBe(true)
    await page.mouse.up()
    await field.focus()
    await page.keyboard.press('Control+Enter')
    await waitForDescription(task_id, '1. two\n2. one\n   - below\n\nLast\n\nFirst')
    expect(problems).toEqual([])
  })

  test('indents list items with Tab, and Backspace takes them out', async () => {
    const { page, problems, field, task_id } = await edit('1. one\n2. two\n3. three')
    await field.getByText('two').click()
    await page.keyboard.press('Tab')
    await field.getByText('three').click()
    await page.keyboard.press('Home')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Control+Enter')
    await waitForDescription(task_id, '1. one\n   2. two\nthree')
    expect(problems).toEqual([])
  })

  test('pastes rich text as Markdown, and as text with Ctrl+Shift+V', async () => {
    const { page, problems, task_id } = await edit('Plan:')
    await page.keyboard.press('Control+End')
    await page.evaluate(async () => {
      const html = '<p>Buy <b>red</b> lamps</p><ul><li>two</li></ul>'
      const type = (kind: string, text: string) => ({ [kind]: new Blob([text], { type: kind }) })
      await navigator.clipboard.write([
        new ClipboardItem({ ...type('text/html', html), ...type('text/plain', 'Buy red lamps') }),
      ])
    })
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+v')
    await page.locator('.cm-content').getByText('two').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Shift+v')
    await page.keyboard.press('Control+Enter')
    await waitForDescription(task_id, 'Plan:\nBuy **red** lamps\n\n- two\n\nBuy red lamps')
    expect(problems).toEqual([])
  })

  test('completes emoji by name, and stores the character', async () => {
    const { page, problems, task_id } = await edit('Off:')
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' :rocke')
    await page.getByRole('option', { name: /🚀 rocket/ }).waitFor()
    await Bun.sleep(150)
    await page.keyboard.press('Enter')
    await page.keyboard.type(' and :tada: at 10:30:00')
    await page.keyboard.press('Control+Enter')
    await waitForDescription(task_id, 'Off: 🚀 and 🎉 at 10:30:00')
    expect(problems).toEqual([])
  })

  test('shows tasks and pages with their titles, and completes them after #', async () => {
    const lamps = await app.createTask({ title: 'Buy the lamps' })
    const { page, problems, field, task_id } = await edit(`See ${lamps.ticket_number} today`)
    await page.keyboard.press('Control+End')
    await field.getByText('Buy the lamps').waitFor()
    await page.keyboard.type(' and #lamps')
    await page.getByRole('option', { name: /Buy the lamps/ }).waitFor()
    await Bun.sleep(150)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    const { ticket_number } = lamps
    await waitForDescription(task_id, `See ${ticket_number} today and ${ticket_number} `)
    expect(problems).toEqual([])
  })

  test('shows the source at a key, also after a reload', async () => {
    const { page, problems, go, ticket_number } = await edit('# Lamps\n\n| a |\n|---|')
    await page.keyboard.press('Control+/')
    const region = page.getByRole('region', { name: 'Description' })
    await region.getByRole('button', { name: 'Source', pressed: true }).waitFor()
    expect(await lineTexts(page)).toEqual(['# Lamps', '', '| a |', '|---|'])
    await go(`/t/${ticket_number}`)
    await openEditor(page)
    expect(await lineTexts(page)).toEqual(['# Lamps', '', '| a |', '|---|'])
    await region.getByRole('button', { name: 'Source' }).click()
    await page.getByRole('textbox', { name: 'Header of column 1' }).waitFor()
    expect(problems).toEqual([])
  })

  test('has a bar with the same tools on a touch screen', async () => {
    const { page, problems, task_id } = await edit('Lamps', { touch: true, width: 390 })
    await page.keyboard.press('Control+End')
    const bar = page.getByRole('toolbar', { name: 'Format' })
    await bar.getByRole('button', { name: 'Checklist' }).tap()
    await page.getByRole('checkbox', { name: 'Lamps' }).tap()
    expect(await accessibilityIssues(page)).toEqual([])
    await waitForDescription(task_id, '- [x] Lamps')
    expect(problems).toEqual([])
  })

  test('highlights code in its language, and copies it', async () => {
    const { page, problems, field } = await edit('Run:\n\n```ts\nconst lamps = 2\n```\n')
    await field.getByText('TypeScript').waitFor()
    await waitUntil(async () => {
      const parts = await page.locator('.cm-code span').allTextContents()
      return parts.includes('const') || undefined
    })
    await page.getByRole('button', { name: 'Copy code' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('const lamps = 2')
    expect(problems).toEqual([])
  })

  test('renders only what is visible of a long text', async () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `- [ ] item **${at}**\n\n## Part ${at}\n`)
    const { page, problems } = await edit(lines.join('\n'))
    expect(await page.locator('.description .cm-line').count()).toBeLessThan(400)
    await page.keyboard.press('Control+End')
    await page.getByText('Part 999').waitFor()
    expect(problems).toEqual([])
  })
})
