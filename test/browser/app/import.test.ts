import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

const fixtures = join(import.meta.dir, '../../import/fixtures')
const HARBOUR = join(fixtures, 'trello/harbour.json')
const FOLDER = join(fixtures, 'vibe-kanban/export')
/** The picture of a card is on a server that the tests cannot reach. */
const ignoredMessages = /status of 400/

const chooseFiles = (
  page: Page,
  files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0],
) => page.locator('input[type=file]').first().setInputFiles(files)

const jsonFile = (name: string, text: string) => ({
  ...{ name, mimeType: 'application/json', buffer: Buffer.from(text) },
})

const resultOf = (page: Page) => page.getByRole('region', { name: 'Result' })
const count = (page: Page, name: string) =>
  page.locator('.outcomes > div', { hasText: name }).locator('dd').textContent()

describe.skipIf(isBrowserSkipped)('importing tasks', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const get = async (path: string) => (await app.http('GET', `/api/v1/${path}`)).body.data

  test('a Trello board is imported with a changed mapping, is paused and resumed, repeated and undone', async () => {
    const { page, problems, go } = await app.openSession({ ignoredMessages })
    await go(`/projects/${app.project_id}`)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('import tasks')
    await page.getByRole('option', { name: 'Import tasks…' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Import tasks' }).waitFor()
    await page.getByRole('button', { name: 'Trello' }).click()
    await page.getByText('cork import --from trello URL').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])

    await chooseFiles(page, HARBOUR)
    await page.getByText('1 board · 5 tasks · 2 comments').waitFor()
    await page.getByText('only the Power-Up that wrote it can read it').first().waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByLabel('Board name').fill('Boats')
    await page.getByLabel('Key').fill('boat')
    await page.getByLabel('Name of the column Doing', { exact: true }).fill('At work')
    await page.getByLabel('Type of the field Risk').selectOption('Leave out')
    await page.getByRole('combobox', { name: 'Who Ana is' }).click()
    await page.getByRole('option', { name: 'Ada' }).click()

    let requests = 0
    await page.route('**/records', async (route) => {
      requests++
      await waitUntil(() => !isHeld)
      await route.continue()
    })
    let isHeld = true
    await page.getByRole('button', { name: 'Start import' }).click()
    await waitUntil(() => requests > 0)
    await page.getByRole('button', { name: 'Pause' }).click()
    isHeld = false
    await page.getByText('Paused: Harbour').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('link', { name: 'My Tasks' }).click()
    await page.getByText('Import of Harbour paused').waitFor()
    const sentBefore = requests
    await page.getByRole('link', { name: 'Show import' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await resultOf(page).getByText('Imported Harbour').waitFor()
    expect(requests).toBeGreaterThan(sentBefore)
    await resultOf(page).getByText('hull.png').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])

    await resultOf(page).getByRole('link', { name: 'Boats' }).click()
    await page.waitForURL(/projects\/\d+$/)
    const project_id = Number(/projects\/(\d+)/.exec(page.url())![1])
    const manifest = await get(`projects/${project_id}/manifest`)
    const titles = manifest.sections.map(({ title }: { title: string }) => title)
    expect(titles).toContain('At work')
    expect(titles).not.toContain('Doing')
    const definitions = await get(`projects/${project_id}/custom-fields`)
    const fields = definitions.map(({ name }: { name: string }) => name)
    expect(fields).toContain('Hours')
    expect(fields).not.toContain('Risk')
    const { cards } = await get(`projects/${project_id}/board`)
    const hull = cards.find(({ title }: { title: string }) => title === 'Paint the hull')
    const { assignees } = await get(`tasks/${hull.task_id}`)
    expect(assignees.map(({ name }: { name: string }) => name).sort()).toEqual(['Ada', 'Olga'])

    await go('/import')
    await chooseFiles(page, HARBOUR)
    await page.getByText('This was imported before').waitFor()
    expect(await page.getByLabel('Name of the column Doing', { exact: true }).inputValue()).toBe(
      'At work',
    )
    await page.getByRole('button', { name: 'Start import' }).click()
    await resultOf(page).getByText('There is nothing new in Harbour').waitFor()
    expect(await count(page, 'Created')).toBe('0')

    await resultOf(page).getByRole('button', { name: 'Undo import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo the import of Harbour?' })
    await dialog.getByText('This deletes the 5 tasks').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Undo import' }).click()
    await resultOf(page).getByText('5 tasks were deleted').waitFor()
    await page.getByRole('link', { name: 'Boats' }).waitFor({ state: 'detached' })
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a member replaces a placeholder in the settings of the team', async () => {
    const { page, problems, go } = await app.openSession({ ignoredMessages })
    await go('/import')
    const csv = 'Title,Assignee\nTar the ropes,Olga\n'
    await chooseFiles(page, { name: 'ropes.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Start import' }).click()
    await resultOf(page).getByRole('link', { name: 'ropes' }).waitFor()
    await go('/settings/team')
    await page.getByRole('combobox', { name: 'Replace Olga' }).first().click()
    await page.getByRole('option', { name: 'Ada' }).click()
    const dialog = page.getByRole('dialog', { name: 'Replace Olga with Ada?' })
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('Ada replaced Olga').waitFor()
    const tasks = await get('tasks?query=ropes')
    expect(
      tasks.map(({ assignees }: { assignees: { name: string }[] }) => assignees),
    ).toMatchObject([[{ name: 'Ada' }]])
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a broken file is refused with its line and column, and nothing is imported', async () => {
    const { page, problems, go } = await app.openSession({ width: 390, touch: true })
    await go('/new')
    await page.getByRole('link', { name: 'Import from another product' }).click()
    const text = readFileSync(HARBOUR, 'utf8')
    await chooseFiles(page, jsonFile('cut.json', text.slice(0, text.indexOf('"Varnish') + 4)))
    const alert = page.getByRole('alert')
    await alert.getByText('The file is not valid JSON').waitFor()
    expect(await alert.locator('code').allTextContents()).toEqual([
      'cut.json',
      expect.stringMatching(/^line \d+$/),
      expect.stringMatching(/^column \d+$/),
    ])
    await alert.getByText('Download it again').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await chooseFiles(page, jsonFile('notes.json', '{"notes": []}'))
    await alert.getByText('No source recognizes notes.json').waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a folder is read from the picker, and a file that is dropped', async () => {
    const { page, problems, go } = await app.openSession({ theme: 'dark' })
    await go('/import')
    await page.locator('input[webkitdirectory]').setInputFiles(FOLDER)
    await page.getByLabel('Read the files as').waitFor()
    expect(await page.getByLabel('Read the files as').inputValue()).toBe('vibekanban')
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Choose other files' }).click()

    const dropped = await page.evaluateHandle(
      (text) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([text], 'harbour.json', { type: 'application/json' }))
        return transfer
      },
      readFileSync(HARBOUR, 'utf8'),
    )
    const zone = page.getByRole('region', { name: 'Files to import' })
    await zone.dispatchEvent('drop', { dataTransfer: dropped })
    await page.getByText('1 board · 5 tasks · 2 comments').waitFor()
    await page.getByLabel('Where the board Harbour goes').selectOption('Leave out')
    expect(await page.getByRole('button', { name: 'Start import' }).isDisabled()).toBe(true)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a failure of the server is shown in place, and trying again completes the import', async () => {
    const { page, problems, go } = await app.openSession({
      ignoredMessages: /status of (400|403)/,
    })
    await go('/import')
    await page.route('**/records', (route) =>
      route.fulfill({ status: 403, json: { success: false, message: 'You may not do that' } }),
    )
    const text = readFileSync(HARBOUR, 'utf8')
      .replaceAll('67c2d0800000000000000001', '77c2')
      .replace('"Harbour"', '"Pier"')
    await chooseFiles(page, jsonFile('copy.json', text))
    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByRole('alert').getByText('You may not do that').waitFor()
    await page.unroute('**/records')
    await page.getByRole('button', { name: 'Try again' }).click()
    await resultOf(page).getByText('Imported Pier').waitFor()

    await go('/settings/team')
    const imports = page.getByRole('region', { name: 'Imports' })
    await imports.getByText('Trello').first().waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await imports.getByRole('button', { name: 'Undo Pier' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await page.getByText('Undone: 5 tasks were deleted').waitFor()
    await imports.getByRole('button', { name: 'Undo Pier' }).waitFor({ state: 'detached' })
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a column of a CSV file that is called otherwise becomes the title, in the next import too', async () => {
    const { page, problems, go } = await app.openSession()
    const text = 'Task,Which boat,Hours\nPaint the hull,Sea Gull,3\nSand the deck,Kittiwake,5\n'
    const file = { name: 'boats.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    const role = (column: string) => page.getByLabel(`What the column ${column} is`)
    const selected = (column: string) => role(column).locator('option:checked').textContent()
    await go('/import')
    await chooseFiles(page, file)
    const columns = page.getByRole('region', { name: 'Columns of the file' })
    await columns.getByText('Sea Gull').waitFor()
    expect(await Promise.all(['Task', 'Which boat', 'Hours'].map(selected))).toEqual([
      ...['Title', 'Custom field', 'Custom field'],
    ])
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])

    await page.getByLabel('Board name').fill('Fleet')
    await role('Which boat').selectOption('Title')
    await role('Hours').selectOption('Leave out')
    await page.getByText('Reading the files again…').waitFor()
    expect(await page.getByRole('button', { name: 'Start import' }).isDisabled()).toBe(true)
    const samples = page.getByRole('region', { name: 'Sample tasks' })
    await samples.getByText('Sea Gull').waitFor()
    expect(await selected('Task')).toBe('Custom field')
    expect(await page.getByLabel('Board name').inputValue()).toBe('Fleet')
    await role('Which boat').selectOption('Leave out')
    await role('Task').selectOption('Leave out')
    await page.getByRole('alert').getByText('No column has the titles of the tasks').waitFor()
    expect(await selected('Which boat')).toBe('Title')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Start import' }).click()
    await resultOf(page).getByText('Imported boats').waitFor()

    await resultOf(page).getByRole('link', { name: 'Fleet' }).click()
    await page.getByText('Sea Gull').first().waitFor()
    await go('/import')
    await chooseFiles(page, file)
    await samples.getByText('Sea Gull').waitFor()
    expect(await Promise.all(['Task', 'Which boat', 'Hours'].map(selected))).toEqual([
      ...['Custom field', 'Title', 'Leave out'],
    ])
    expect(problems).toEqual([])
    await page.context().close()
  })
})
