import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard, createGardenBoard, rowTitles } from './boards.ts'
import { cellOf, grid, groups, openTable, rowOf, storedCard } from './tables.ts'

const focusedField = (page: Page) => () =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset.field)

describe.skipIf(isBrowserSkipped)('the table of a board', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('arrow keys move the focus between cells, and Enter edits a cell with a list', async () => {
    const { page, project_id, problems } = await openTable(app, 'Keys')
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('j')
    await expectEventually(focusedField(page), 'title')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expectEventually(focusedField(page), 'priority')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'Low' }).click()
    await expectEventually(
      async () => (await storedCard(app, project_id, 'Paint the fence')).priority,
      4,
    )
    await expectEventually(focusedField(page), 'priority')
    await page.keyboard.press('Control+z')
    await expectEventually(
      async () => (await storedCard(app, project_id, 'Paint the fence')).priority,
      3,
    )
    expect(problems).toEqual([])
  })

  test('F2 edits a title, Tab goes on to the next cell, and Escape cancels', async () => {
    const { page, project_id, problems } = await openTable(app, 'Titles')
    await page.keyboard.press('j')
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Title' }).fill('Prune all roses')
    await page.keyboard.press('Tab')
    await expectEventually(focusedField(page), 'assignee')
    await expectEventually(
      async () => Boolean(await storedCard(app, project_id, 'Prune all roses')),
      true,
    )
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('F2')
    await page.keyboard.type('Something else')
    await page.keyboard.press('Escape')
    await cellOf(page, 'Prune all roses', 'title').waitFor()
    expect(problems).toEqual([])
  })

  test('a click on a head sorts, Shift adds a second column, and the third click ends it', async () => {
    const { page, problems } = await openTable(app, 'Sorting', '&group=none')
    const head = (name: string) => grid(page).getByRole('button', { name, exact: true })
    await head('Priority').click()
    const byPriority = ['Prune the roses', 'Fix the tap', 'Paint the fence', 'Order tiles']
    await expectEventually(rowTitles(page), byPriority)
    await head('Title').click({ modifiers: ['Shift'] })
    expect(new URL(page.url()).searchParams.get('sort')).toBe('Priority,Title')
    await expectEventually(() => grid(page).locator('[aria-sort=ascending]').count(), 2)
    await head('Labels').click()
    await head('Labels').click()
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-Label')
    await head('Labels').click()
    expect(new URL(page.url()).searchParams.get('sort')).toBe('Manual')
    expect(problems).toEqual([])
  })

  test('rows are grouped by a field and a second one, and new tasks get the values of their group', async () => {
    const { page, project_id, problems } = await openTable(app, 'Groups')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Group by…' }).click()
    await page.getByRole('option', { name: 'Labels' }).click()
    await expectEventually(groups(page), ['garden', 'house'])
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Then by…' }).click()
    await page.getByRole('option', { name: 'Priority' }).click()
    await expectEventually(groups(page), [
      'garden',
      'Urgent',
      'Medium',
      'house',
      'High',
      'No Priority',
    ])
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Add a task to Medium' }).click()
    await page.keyboard.type('Mend the gate')
    await page.keyboard.press('Enter')
    await expectEventually(
      async () => (await storedCard(app, project_id, 'Mend the gate'))?.priority,
      3,
    )
    expect((await storedCard(app, project_id, 'Mend the gate')).labels).toHaveLength(1)
    await page.keyboard.press('Escape')
    await grid(page).getByRole('button', { name: 'Collapse house' }).click()
    await expectEventually(groups(page), ['garden', 'Urgent', 'Medium', 'house'])
    await page.reload()
    await expectEventually(groups(page), ['garden', 'Urgent', 'Medium', 'house'])
    expect(problems).toEqual([])
  })

  test('cells are copied as a table and pasted, and a paste with an unknown value writes nothing', async () => {
    const { page, project_id, problems } = await openTable(app, 'Paste', '&group=none')
    await cellOf(page, 'Prune the roses', 'priority').click()
    await cellOf(page, 'Paint the fence', 'size').click({ modifiers: ['Shift'] })
    await page.keyboard.press('Control+c')
    await expectEventually(
      () => page.evaluate(() => navigator.clipboard.readText()),
      'Urgent\t\nMedium\tL',
    )
    const paste = async (text: string) => {
      await page.evaluate((text) => navigator.clipboard.writeText(text), text)
      await page.keyboard.press('Control+v')
    }
    await cellOf(page, 'Fix the tap', 'priority').click()
    await paste('Low\tXL\nHigh\tXS')
    await expectEventually(async () => {
      const { priority, estimate } = await storedCard(app, project_id, 'Order tiles')
      return [priority, estimate]
    }, [2, 2])
    await page.keyboard.press('Control+z')
    await expectEventually(
      async () => (await storedCard(app, project_id, 'Order tiles')).priority,
      undefined,
    )
    await paste('Low\tHuge')
    const dialog = page.getByRole('dialog', { name: 'Some cells cannot be pasted' })
    await dialog.getByText('Unknown value: Huge').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    expect((await storedCard(app, project_id, 'Fix the tap')).priority).toBe(2)
    await dialog.getByRole('button', { name: 'Paste the other cell' }).click()
    await expectEventually(
      async () => (await storedCard(app, project_id, 'Fix the tap')).priority,
      4,
    )
    expect(problems).toEqual([])
  })

  test('Delete clears a range, and Ctrl+D fills it with its first row', async () => {
    const { page, project_id, problems } = await openTable(app, 'Fill', '&group=none')
    await cellOf(page, 'Prune the roses', 'priority').click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+d')
    await expectEventually(
      async () => (await storedCard(app, project_id, 'Fix the tap')).priority,
      1,
    )
    await page.keyboard.press('Delete')
    await expectEventually(
      async () => (await storedCard(app, project_id, 'Prune the roses')).priority,
      undefined,
    )
    expect(problems).toEqual([])
  })

  test('columns are chosen, moved, resized and kept, and a view saves them', async () => {
    const { page, project_id, problems } = await openTable(app, 'Columns')
    const heads = () =>
      grid(page)
        .getByRole('columnheader')
        .evaluateAll((all) => all.flatMap((one) => (one as HTMLElement).dataset.field ?? []))
    await grid(page).getByRole('combobox', { name: 'Columns of the table' }).click()
    await page.getByRole('option', { name: 'Created' }).click()
    await page.getByRole('option', { name: 'Size' }).click()
    await page.keyboard.press('Escape')
    await expectEventually(heads, [
      'key',
      'title',
      'assignee',
      'priority',
      'due',
      'label',
      'created',
    ])
    await grid(page).getByRole('button', { name: 'Created', exact: true }).focus()
    await page.keyboard.press('Alt+ArrowLeft')
    await expectEventually(heads, [
      'key',
      'title',
      'assignee',
      'priority',
      'due',
      'created',
      'label',
    ])
    const grip = grid(page).locator('[role=columnheader][data-field=priority] .grip')
    const box = (await grip.boundingBox())!
    await page.mouse.move(box.x + 3, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + 63, box.y + 10, { steps: 4 })
    await page.mouse.up()
    const width = () =>
      grid(page)
        .locator('[role=columnheader][data-field=priority]')
        .evaluate((one) => Math.round(one.getBoundingClientRect().width))
    await expectEventually(width, 170)
    await page.reload()
    await expectEventually(width, 170)
    await page.getByRole('button', { name: /^View: / }).click()
    await page.getByRole('menuitem', { name: 'Save as a view…' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Planning')
    await page.keyboard.press('Enter')
    await expectEventually(async () => {
      const { body } = await app.http('GET', `/api/v1/projects/${project_id}/views`)
      return (
        body.data.items?.[0]?.display?.columns?.length ?? body.data[0]?.display?.columns?.length
      )
    }, 7)
    expect(problems).toEqual([])
  })

  test('custom fields are columns: typing edits them, and the last row adds them up', async () => {
    const { project_id } = await createGardenBoard(app, 'Fields')
    await app.http('POST', `/api/v1/projects/${project_id}/custom-fields`, {
      body: { name: 'Points', type: 'number' },
    })
    const { page, go, problems } = await app.openSession()
    await go(`/projects/${project_id}?layout=list&group=none`)
    await grid(page).getByRole('combobox', { name: 'Columns of the table' }).click()
    await page.getByRole('option', { name: 'Points' }).click()
    await page.keyboard.press('Escape')
    const points = (title: string) => rowOf(page, title).locator('[data-field^="cf:"]')
    await points('Prune the roses').click()
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await page.keyboard.type('8')
    await page.keyboard.press('Enter')
    await grid(page).getByRole('button', { name: 'Total of Points: Sum 13' }).waitFor()
    await expectEventually(async () => {
      const { body } = await app.http('GET', `/api/v1/projects/${project_id}/board/details`)
      return body.data.tasks.flatMap((task: { values?: object }) =>
        Object.values(task.values ?? {}),
      )
    }, [5, 8])
    await page.keyboard.press('Control+z')
    await grid(page).getByRole('button', { name: 'Total of Points: Sum 5' }).waitFor()
    expect(problems).toEqual([])
  })

  test('on a phone, rows have two lines, and a tap on a value opens its list', async () => {
    const { project_id } = await createGardenBoard(app, 'Phone')
    const { page, go, problems } = await app.openSession({ width: 390, height: 800, touch: true })
    await go(`/projects/${project_id}?layout=list`)
    const row = page.getByRole('article').filter({ hasText: 'Prune the roses' })
    await row.getByRole('button', { name: /^Edit Priority/ }).tap()
    await page.getByRole('option', { name: 'Low' }).tap()
    await expectEventually(
      async () => (await storedCard(app, project_id, 'Prune the roses')).priority,
      4,
    )
    expect(await accessibilityIssues(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('a row that is dropped into another group gets its value', async () => {
    const tasks = [
      { title: 'Sweep the yard', section_index: 0, priority: 1 },
      { title: 'Wash the car', section_index: 0, priority: 3 },
    ]
    const { project_id } = await createBoard(app, 'Dropping', { tasks })
    const { page, go, problems } = await app.openSession()
    await go(`/projects/${project_id}?layout=list&group=priority`)
    await cellOf(page, 'Wash the car', 'title')
      .getByRole('button')
      .dragTo(grid(page).getByRole('heading', { name: 'Urgent' }))
    await expectEventually(
      async () => (await storedCard(app, project_id, 'Wash the car')).priority,
      1,
    )
    await page.keyboard.press('Control+z')
    await expectEventually(
      async () => (await storedCard(app, project_id, 'Wash the car')).priority,
      3,
    )
    expect(problems).toEqual([])
  })
})
