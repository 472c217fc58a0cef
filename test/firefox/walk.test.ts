import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openFirefox } from '../../scripts/firefox.ts'
import {
  cardOf,
  columnOf,
  createBoard,
  createGardenBoard,
  fetchTask,
  GARDEN_TITLES,
  tasksInIdeas,
  titlesByColumn,
  titlesIn,
} from '../browser/app/boards.ts'
import { accessibilityIssues } from '../browser/page-checks.ts'
import { openWebApp, type WebApp } from '../browser/web-app.ts'
import { expectEventually } from '../support/wait.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let app: WebApp
beforeAll(async () => {
  app = await openWebApp({}, [], [], openFirefox)
}, 120_000)
afterAll(() => app?.close())

const descriptionOf = async (ticket: string) => (await fetchTask(app, ticket)).description
const editor = (page: Page) => page.locator('.writing .code:not([hidden])')

test('somebody signs in with a password and sees the board', async () => {
  const { page, problems } = await app.openSession({ signedOut: true })
  await page.goto(`${app.url}/sign-in?next=/projects/${app.project_id}`)
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  expect(await accessibilityIssues(page)).toEqual([])
  expect(problems).toEqual([])
})

test('a card is added, moved with the keys, and edited with its chips', async () => {
  const { project_id, tasks } = await createBoard(app, 'Cards', tasksInIdeas('Ant'))
  const { page, problems, go } = await app.openSession()
  await go(`/projects/${project_id}`)
  await cardOf(page, 'Ant').waitFor()
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'New task in Ideas' }).waitFor()
  await page.keyboard.type('Bee')
  await page.keyboard.press('Enter')
  await cardOf(page, 'Bee').getByText('CAR-2').waitFor()
  await page.keyboard.press('Escape')
  await cardOf(page, 'Ant').getByRole('button', { name: 'Ant', exact: true }).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expectEventually(() => titlesIn(page, 'Next'), ['Ant'])
  await expectEventually(async () => (await titlesByColumn(app, project_id)).Next, ['Ant'])
  await page.keyboard.press('p')
  await page.getByRole('option', { name: 'Low' }).click()
  await cardOf(page, 'Ant').getByRole('button', { name: 'Priority: Low' }).click()
  await page.getByRole('option', { name: 'Urgent' }).click()
  await expectEventually(async () => (await fetchTask(app, tasks[0]!)).priority, 1)
  expect(await accessibilityIssues(page)).toEqual([])
  expect(problems).toEqual([])
})

test('a card is dragged to another column', async () => {
  const { project_id } = await createBoard(app, 'Drag', tasksInIdeas('Ant', 'Bee'))
  const { page, problems, go } = await app.openSession()
  await go(`/projects/${project_id}`)
  const from = (await cardOf(page, 'Ant').boundingBox())!
  const to = (await columnOf(page, 'Doing').boundingBox())!
  await page.mouse.move(from.x + 40, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(to.x + 40, to.y + 60, { steps: 5 })
  await dropAt(page, to.x + 40, to.y + 60)
  await expectEventually(() => titlesIn(page, 'Doing'), ['Ant'])
  await expectEventually(async () => (await titlesByColumn(app, project_id)).Doing, ['Ant'])
  expect(problems).toEqual([])
})

/** Firefox without a window starts a real drag, but its mouse cannot end it. */
async function dropAt(page: Page, x: number, y: number) {
  await page.evaluate(
    ([clientX, clientY]) => {
      const target = document.elementFromPoint(clientX!, clientY!)!
      for (const type of ['drop', 'dragend'])
        target.dispatchEvent(
          new DragEvent(type, { bubbles: true, cancelable: true, clientX, clientY }),
        )
    },
    [x, y],
  )
  await page.mouse.up()
}

test('the title and the description of a task are edited', async () => {
  const { tasks } = await createBoard(app, 'Texts', tasksInIdeas('Ant'))
  const { page, problems, go } = await app.openSession()
  await go(`/t/${tasks[0]}`)
  await page.getByRole('textbox', { name: 'Title' }).fill('Ants')
  await page.keyboard.press('Enter')
  await expectEventually(async () => (await fetchTask(app, tasks[0]!)).title, 'Ants')
  await page.getByRole('button', { name: /^Add a description/ }).click()
  await editor(page).waitFor()
  await page.keyboard.type('# Plan')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/check')
  await expectEventually(() => page.getByRole('option').count(), 1)
  // The list ignores keys until it is visible.
  await Bun.sleep(200)
  await page.keyboard.press('Enter')
  await page.keyboard.type('Lamps')
  const field = page.getByRole('textbox', { name: 'Description' })
  await field.getByRole('checkbox', { name: 'Lamps' }).click()
  await field.getByRole('checkbox', { name: 'Lamps', checked: true }).waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+v')
  expect(await accessibilityIssues(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await expectEventually(() => descriptionOf(tasks[0]!), '# Plan\n- [x] Lamps\n- [ ] Lamps')
  await page.locator('.description h1').waitFor()
  expect(problems).toEqual([])
})

test('cells of the table are edited, copied and pasted', async () => {
  const { project_id, tasks } = await createGardenBoard(app, 'Table')
  const { page, problems, go } = await app.openSession()
  await go(`/projects/${project_id}?layout=list&group=none`)
  const cell = (title: string, field: string) =>
    page
      .getByRole('grid')
      .locator('[data-task]')
      .filter({ has: page.getByRole('button', { name: title, exact: true }) })
      .locator(`[data-field="${field}"]`)
  await cell('Prune the roses', 'title').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Title' }).fill('Prune all roses')
  await page.keyboard.press('Enter')
  await expectEventually(async () => (await fetchTask(app, tasks[0]!)).title, 'Prune all roses')
  await cell('Prune all roses', 'priority').click()
  await cell('Paint the fence', 'size').click({ modifiers: ['Shift'] })
  await page.keyboard.press('Control+c')
  await cell('Fix the tap', 'priority').click()
  await page.keyboard.press('Control+v')
  const pasted = async () => {
    const { priority, estimate } = await fetchTask(app, tasks[3]!)
    return [priority, estimate]
  }
  await expectEventually(pasted, [3, 5])
  expect(await accessibilityIssues(page)).toEqual([])
  expect(problems).toEqual([])
})

test('the filter bar narrows the cards, and Back removes the filter', async () => {
  const { project_id } = await createGardenBoard(app, 'Filter')
  const { page, problems, go } = await app.openSession()
  const titles = () => page.getByRole('article').getByRole('heading').allTextContents()
  await go(`/projects/${project_id}`)
  await expectEventually(titles, GARDEN_TITLES)
  await page.keyboard.press('f')
  await page.getByRole('combobox', { name: 'Filter by' }).waitFor()
  await page.keyboard.type('gard')
  await page.getByRole('option', { name: 'Label is any of garden 2' }).waitFor()
  await page.keyboard.press('Enter')
  await expectEventually(titles, ['Prune the roses', 'Paint the fence'])
  expect(await accessibilityIssues(page)).toEqual([])
  await page.goBack()
  await expectEventually(titles, GARDEN_TITLES)
  expect(problems).toEqual([])
})

test('a page is edited, and the palette finds its task', async () => {
  const { tasks } = await createBoard(app, 'Pages', tasksInIdeas('Plant tulips'))
  const { body } = await app.http('POST', `/api/v1/tasks/${tasks[0]}/pages`, {
    body: { title: 'Plan', content: 'Dig, then plant.' },
  })
  const { page_id } = body.data
  const { page, problems, go } = await app.openSession()
  await go(`/p/${page_id}`)
  await page.getByText('Dig, then plant.').waitFor()
  await page.keyboard.press('e')
  await editor(page).waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Then water.')
  await page.keyboard.press('Control+Enter')
  const content = async () => (await app.http('GET', `/api/v1/pages/${page_id}`)).body.data.content
  await expectEventually(content, 'Dig, then plant. Then water.')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search tasks, boards and actions' }).waitFor()
  await page.keyboard.type('tulips')
  await page.getByRole('option').filter({ hasText: 'Plant tulips' }).first().waitFor()
  expect(await accessibilityIssues(page)).toEqual([])
  expect(problems).toEqual([])
})

test('the change of an agent appears on an open board', async () => {
  const { project_id, tasks, idOf } = await createBoard(app, 'Live', tasksInIdeas('Ant'))
  const agent = await app.connectAgent('Beacon')
  const { page, problems, go } = await app.openSession()
  await go(`/projects/${project_id}`)
  await cardOf(page, 'Ant').waitFor()
  const task = { ticket_number: tasks[0] }
  await agent.callTool('svc_tasks', 'claim', task)
  await cardOf(page, 'Ant').getByText('Beacon is working on this').waitFor()
  await agent.callTool('svc_tasks', 'update', { ...task, section_id: idOf('Doing') })
  await expectEventually(() => titlesIn(page, 'Doing'), ['Ant'])
  expect(problems).toEqual([])
})

test('the dark theme applies at once, and has enough contrast', async () => {
  const { project_id } = await createGardenBoard(app, 'Dark')
  const { page, problems, go } = await app.openSession()
  await go('/settings/appearance')
  await page.getByRole('radio', { name: 'Dark', exact: true }).check()
  await go(`/projects/${project_id}`)
  await cardOf(page, 'Fix the tap').waitFor()
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  expect(await scheme()).toBe('dark')
  expect(await accessibilityIssues(page)).toEqual([])
  expect(problems).toEqual([])
})

test('a line of quick add becomes a task with its fields, and Escape closes the field', async () => {
  const { project_id } = await createGardenBoard(app, 'Quick')
  const { page, problems, go } = await app.openSession()
  await go(`/projects/${project_id}`)
  await page.getByRole('button', { name: 'Add a task to Doing' }).click()
  await page.getByRole('textbox', { name: 'New task in Doing' }).waitFor()
  await page.keyboard.type('Rake the leaves !1 ~M')
  await page.getByRole('button', { name: 'Urgent: keep' }).waitFor()
  await page.keyboard.press('Enter')
  await cardOf(page, 'Rake the leaves')
    .getByText(/^[A-Z]+-\d+$/)
    .waitFor()
  await page.keyboard.press('Escape')
  const columns = await titlesByColumn(app, project_id)
  expect(columns.Doing).toEqual(['Rake the leaves'])
  expect(problems).toEqual([])
})

test('a bar of the timeline is moved by mouse and by keys', async () => {
  const { project_id, tasks } = await createGardenBoard(app, 'Timeline')
  const dayAfter = (days: number) => Temporal.Now.plainDateISO().add({ days }).toString()
  const dates = { start_date: dayAfter(1), due_date: dayAfter(3) }
  await app.http('PATCH', `/api/v1/tasks/${tasks[0]}`, { body: dates })
  // A start is a moment in the time zone of the user, which an earlier test may have changed.
  const datesNow = async () => {
    const { start_date, due_date } = await fetchTask(app, tasks[0]!)
    return [start_date, due_date].map(Date.parse)
  }
  const before = await datesNow()
  const movedDays = async () => (await datesNow()).map((now, at) => (now - before[at]!) / DAY_MS)
  const { page, problems, go } = await app.openSession()
  await go(`/projects/${project_id}?layout=timeline&zoom=days`)
  const bar = cardOf(page, 'Prune the roses').locator('.time-bar')
  await bar.waitFor()
  expect(await accessibilityIssues(page)).toEqual([])
  const { x, y, width, height } = (await bar.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 2 + 72, y + height / 2, { steps: 6 })
  await page.mouse.up()
  await expectEventually(movedDays, [2, 2])
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+ArrowRight')
  await expectEventually(movedDays, [3, 3])
  expect(problems).toEqual([])
})

test('a decision is answered in the inbox with the keyboard', async () => {
  const { tasks } = await createGardenBoard(app, 'Inbox')
  const { token } = await app.createAgent({ name: 'Otter' })
  const path = `/api/v1/tasks/${tasks[0]}/decision-requests`
  const body = { question: 'Red or white?', options: ['Red', 'White'], user_ids: [app.user_id] }
  const { decision_request_id } = (await app.http('POST', path, { body, secret: token })).body.data
  const { page, problems, go } = await app.openSession()
  await go('/inbox')
  const row = page.getByRole('listitem').filter({ hasText: 'Red or white?' }).first()
  await row.getByRole('button', { name: 'White' }).press('Enter')
  const answer = async () => {
    const found = await app.http('GET', `/api/v1/decision-requests/${decision_request_id}`)
    return found.body.data.selected_option
  }
  await expectEventually(answer, 'White')
  expect(await accessibilityIssues(page)).toEqual([])
  expect(problems).toEqual([])
})

test('rich text that was copied from a page is pasted into the editor as Markdown', async () => {
  const { tasks } = await createBoard(app, 'Paste', tasksInIdeas('Ant'))
  const text = 'Buy **two** lamps\n\n- small'
  const body = { text, content_type: 'markdown' }
  await app.http('POST', `/api/v1/tasks/${tasks[0]}/comments`, { body })
  const { page, problems, go } = await app.openSession()
  await go(`/t/${tasks[0]}`)
  const comment = page.locator('.bubble .prose').filter({ hasText: 'Buy two lamps' })
  await comment.evaluate((element) => getSelection()!.selectAllChildren(element))
  await page.keyboard.press('Control+c')
  await page.getByRole('button', { name: /^Add a description/ }).click()
  await editor(page).waitFor()
  await page.keyboard.press('Control+v')
  const field = page.getByRole('textbox', { name: 'Description' })
  await expectEventually(async () => (await field.textContent())?.includes('small'), true)
  await page.keyboard.press('Control+Enter')
  await expectEventually(() => descriptionOf(tasks[0]!), text)
  expect(problems).toEqual([])
})
