import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import {
  cardOf,
  cardTitles,
  createGardenBoard,
  fetchTask,
  GARDEN_TITLES,
  rowTitles,
  titlesIn,
} from './boards.ts'

describe.skipIf(isBrowserSkipped)('filters, views and the list of a board', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const createGarden = (title: string) => createGardenBoard(app, title)

  test('filters narrow the cards, are kept in the URL, and are removed one by one or by Back', async () => {
    const { project_id } = await createGarden('Filters')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await expectEventually(cardTitles(page), GARDEN_TITLES)
    await page.keyboard.press('f')
    const bar = page.getByRole('region', { name: 'Filter' })
    const field = bar.getByRole('combobox', { name: 'Filter by' })
    await expectEventually(() => field.evaluate((one) => one === document.activeElement), true)
    await page.keyboard.type('gard')
    await page.getByRole('option', { name: 'Label is any of garden 2' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expectEventually(cardTitles(page), ['Prune the roses', 'Paint the fence'])
    await page.keyboard.type('size')
    await page.keyboard.press('Enter')
    await page.keyboard.type('any')
    await page.keyboard.press('Enter')
    await page.keyboard.type('L')
    await page.getByRole('option', { name: 'Size is any of L 1', exact: true }).click()
    await expectEventually(cardTitles(page), ['Paint the fence'])
    await field.fill('nothing like it')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    await field.press('Backspace')
    await field.fill('fence')
    await page.keyboard.press('Enter')
    await expectEventually(cardTitles(page), ['Paint the fence'])
    expect(new URL(page.url()).searchParams.get('filter')).toBe('label:garden size:5 "fence"')
    await page.reload()
    await expectEventually(cardTitles(page), ['Paint the fence'])
    await bar.getByText('3 hidden').waitFor()
    await bar.getByRole('button', { name: 'Remove filter: Title' }).click()
    await bar.getByRole('button', { name: 'Remove filter: Size' }).click()
    await expectEventually(cardTitles(page), ['Prune the roses', 'Paint the fence'])
    await page.goBack()
    await expectEventually(cardTitles(page), GARDEN_TITLES)
    expect(problems).toEqual([])
  })

  test('each part of a condition has a picker, and typed operators are understood', async () => {
    const { project_id } = await createGarden('Parts')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?label=garden`)
    await expectEventually(cardTitles(page), ['Prune the roses', 'Paint the fence'])
    const bar = page.getByRole('region', { name: 'Filter' })
    await bar.getByRole('combobox', { name: 'Operator for Label: is any of' }).click()
    await page.getByRole('option', { name: 'is none of' }).click()
    await expectEventually(cardTitles(page), ['Fix the tap', 'Order tiles'])
    await bar.getByRole('combobox', { name: 'Value of Label: garden' }).click()
    await page.getByRole('option', { name: 'house 2' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    await bar.getByRole('combobox', { name: 'Field: Label' }).click()
    await page.keyboard.type('prio')
    await page.keyboard.press('Enter')
    await bar.getByRole('combobox', { name: 'Value of Priority: Select…' }).click()
    await page.getByRole('option', { name: 'Urgent 1' }).click()
    await page.keyboard.press('Escape')
    await expectEventually(cardTitles(page), ['Prune the roses'])
    const field = bar.getByRole('combobox', { name: 'Filter by' })
    await field.fill('title:"fix the tap"')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: 'match all' }).click()
    await expectEventually(cardTitles(page), ['Prune the roses', 'Fix the tap'])
    expect(new URL(page.url()).searchParams.get('filter')).toBe('priority:1 OR title:"fix the tap"')
    await bar.getByRole('button', { name: 'Clear' }).click()
    await expectEventually(cardTitles(page), GARDEN_TITLES)
    expect(await bar.count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('conditions that only the server knows filter the board too', async () => {
    const { project_id } = await createGarden('Server')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?filter=by:me created:>2d`)
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    await go(`/projects/${project_id}?filter=by:me created:today label:house`)
    await expectEventually(cardTitles(page), ['Fix the tap', 'Order tiles'])
    expect(problems).toEqual([])
  })

  test('a task added while a priority filter is active gets that priority', async () => {
    const { project_id } = await createGarden('Under')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?priority=1&size=3`)
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    await go(`/projects/${project_id}?priority=1`)
    await page.getByRole('button', { name: 'Add a task to Doing' }).click()
    await page.keyboard.type('Call the gardener')
    await page.keyboard.press('Enter')
    await expectEventually(() => titlesIn(page, 'Doing'), ['Call the gardener'])
    await cardOf(page, 'Call the gardener').getByText('UND-5').waitFor()
    expect((await fetchTask(app, 'UND-5')).priority).toBe(1)
    expect(await titlesIn(page, 'Next')).toEqual([])
    expect(problems).toEqual([])
  })

  test('a filter is saved as a view, renamed, used as the default, changed and deleted', async () => {
    const { project_id } = await createGarden('Views')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?label=&is=free&priority=1,3`)
    await expectEventually(cardTitles(page), ['Prune the roses', 'Paint the fence'])
    const chooseFromViewMenu = async (view: string, item: string) => {
      await page.getByRole('button', { name: `View: ${view}` }).click()
      await page.locator('[role^=menuitem]', { hasText: item }).first().click()
    }
    await chooseFromViewMenu('All tasks', 'Save as a view…')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('What matters')
    expect(await accessibilityIssues(page)).toEqual([])
    await dialog.getByLabel('Visible to everyone on the board').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'View: What matters' }).waitFor()
    await expectEventually(cardTitles(page), ['Prune the roses', 'Paint the fence'])
    const fetchViews = async () =>
      (await app.http('GET', `/api/v1/views?project_id=${project_id}`)).body.data
    const [view] = await fetchViews()
    expect(view).toMatchObject({ title: 'What matters', visibility: 'Private' })
    expect(new URL(page.url()).searchParams.get('view')).toBe(view.view_id)

    await chooseFromViewMenu('What matters', 'Edit view…')
    await dialog.getByLabel('Name').fill('Urgent')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await chooseFromViewMenu('Urgent', 'Use as default')
    await page.getByText('The default view is Urgent').waitFor()
    await go(`/projects/${project_id}`)
    await expectEventually(cardTitles(page), ['Prune the roses', 'Paint the fence'])

    await page.getByRole('button', { name: 'Remove filter: Priority' }).click()
    await expectEventually(cardTitles(page), GARDEN_TITLES)
    await chooseFromViewMenu('Urgent', 'Save changes to Urgent')
    await page.getByText('Saved changes to Urgent').waitFor()
    await page.getByRole('button', { name: /^Undo/ }).last().click()
    await expectEventually(cardTitles(page), ['Prune the roses', 'Paint the fence'])

    await chooseFromViewMenu('Urgent', 'Delete view')
    await expectEventually(cardTitles(page), GARDEN_TITLES)
    await page.getByRole('button', { name: 'View: All tasks' }).waitFor()
    await expectEventually(fetchViews, [])
    expect(problems).toEqual([])
  })

  test('the list sorts by priority, hides completed tasks, and moves a task by keys', async () => {
    const { project_id } = await createGarden('List')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await expectEventually(cardTitles(page), GARDEN_TITLES)
    const chooseDisplayOption = async (item: string) => {
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      const options = { name: item, exact: true }
      const entry = page
        .getByRole('menuitem', options)
        .or(page.getByRole('menuitemcheckbox', options))
      await entry.click()
    }
    await chooseDisplayOption('Show as a list')
    await page.locator('.lines').waitFor()
    await expectEventually(rowTitles(page), GARDEN_TITLES)
    expect(await accessibilityIssues(page)).toEqual([])
    await chooseDisplayOption('Sort: Priority')
    await chooseDisplayOption('Sort descending')
    await expectEventually(rowTitles(page), [
      'Paint the fence',
      'Prune the roses',
      'Fix the tap',
      'Order tiles',
    ])
    expect(new URL(page.url()).search).toBe('?layout=list&sort=-Priority')
    await chooseDisplayOption('Hide completed')
    await expectEventually(rowTitles(page), ['Paint the fence', 'Prune the roses', 'Fix the tap'])
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Alt+ArrowDown')
    await chooseDisplayOption('Show as a board')
    await expectEventually(() => titlesIn(page, 'Doing'), ['Fix the tap'])
    await page.goBack()
    await page.locator('.lines').waitFor()
    expect(problems).toEqual([])
  })
})
