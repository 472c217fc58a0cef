import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard } from './boards.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** How far the element being read or edited may move at most. */
const MAX_SHIFT_PX = 2

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at + 1} says what there is to say.`)

describe.skipIf(isBrowserSkipped)('the scroll position while others make changes', () => {
  let app: WebApp
  let agent: Awaited<ReturnType<WebApp['connectAgent']>>
  beforeAll(async () => {
    app = await openWebApp()
    agent = await app.connectAgent('Scout')
  })
  afterAll(() => app?.close())

  const post = async (path: string, body: object) => {
    const response = await app.http('POST', `/api/v1/${path}`, { body })
    expect([path, response.status < 300, response.text.slice(0, 300)]).toEqual([
      path,
      true,
      expect.anything(),
    ])
    return response.body.data
  }
  const patch = (path: string, body: object) => app.http('PATCH', `/api/v1/${path}`, { body })
  const topOf = async (one: Locator) => (await one.boundingBox())!.y
  const comment = (id: number, text: string) =>
    post(`tasks/${id}/comments`, { text, content_type: 'markdown' })
  const attach = (id: number, filename: string) =>
    post(`tasks/${id}/attachments`, {
      files: [{ filename, content_type: 'image/png', data: PIXEL }],
    })

  /** Makes a change, waits until `evidence` is shown, and expects that `target` has not moved. */
  async function expectUnmoved(
    page: Page,
    target: Locator,
    change: () => Promise<unknown>,
    evidence: Locator,
  ) {
    await page.waitForTimeout(200)
    const before = await topOf(target)
    await change()
    await evidence.waitFor({ state: 'attached' })
    await page.waitForTimeout(400)
    const shift = Math.abs((await topOf(target)) - before)
    expect([String(evidence), shift <= MAX_SHIFT_PX, shift]).toEqual([
      String(evidence),
      true,
      shift,
    ])
  }

  async function wheelTo(page: Page, one: Locator, y = 300) {
    const { width, height } = page.viewportSize()!
    await page.mouse.move(width / 2, height / 2)
    for (let step = 0; step < 30; step++) {
      const top = await topOf(one)
      if (Math.abs(top - y) < 40) break
      await page.mouse.wheel(0, top - y)
      await page.waitForTimeout(80)
    }
    expect(Math.abs((await topOf(one)) - y)).toBeLessThan(120)
  }

  async function createLongTask() {
    const task = await app.createTask({
      title: 'Plan the summer',
      description: lines('Paragraph', 14).join('\n\n'),
      content_type: 'markdown',
    })
    for (let at = 1; at <= 12; at++) await comment(task.task_id, `Comment number ${at} of twelve`)
    return task
  }

  /** Changes to a task, each with the element that shows it. */
  function changesOf(
    { task_id, ticket_number }: { task_id: number; ticket_number: string },
    page: Page,
  ) {
    const text = [...lines('Another', 3), ...lines('Paragraph', 14)].join('\n\n')
    return [
      [() => attach(task_id, 'first.png'), page.getByRole('link', { name: /^first.png/ })],
      [() => attach(task_id, 'second.png'), page.getByRole('link', { name: /^second.png/ })],
      [
        () => patch(`tasks/${task_id}`, { description: text, content_type: 'markdown' }),
        page.getByText('Another 3 says'),
      ],
      [
        () => post(`tasks/${ticket_number}/runs`, { agent_id: agent.agent_id }),
        page.getByRole('heading', { name: 'Runs' }),
      ],
      [
        () => comment(task_id, 'One more from elsewhere'),
        page.getByText('One more from elsewhere'),
      ],
    ] as const
  }

  for (const [name, width, height] of [
    ['on a page of its own', 1280, 800],
    ['in a panel of a phone', 390, 844],
  ] as const)
    test(`a comment stays in place when its task changes, ${name}`, async () => {
      const task = await createLongTask()
      const { page, go, problems, context } = await app.openSession({ width, height })
      const path =
        width > 400
          ? `/t/${task.ticket_number}`
          : `/projects/${app.project_id}?task=${task.ticket_number}`
      await go(path)
      const target = page.getByText('Comment number 7 of twelve')
      await target.waitFor()
      await wheelTo(page, target)
      for (const [change, evidence] of changesOf(task, page))
        await expectUnmoved(page, target, change, evidence)
      expect(problems).toEqual([])
      await context.close()
    })

  test('a comment being typed and its cursor stay in place when the task changes', async () => {
    const task = await createLongTask()
    const { page, go, problems, context } = await app.openSession()
    await go(`/t/${task.ticket_number}`)
    await page.getByText('Comment number 12 of twelve').waitFor()
    await page.locator('.composer textarea').focus()
    const editor = page.locator('.composer .code:not([hidden])')
    await editor.waitFor()
    await page.keyboard.type('I think ')
    for (const [change, evidence] of changesOf(task, page)) {
      await expectUnmoved(page, editor, change, evidence)
      await page.keyboard.type('so ')
    }
    expect(await editor.locator('.cm-content').textContent()).toContain('I think so so so so so')
    expect(problems).toEqual([])
    await context.close()
  })

  test('a paragraph stays in place when text is added above and below it', async () => {
    const task = await app.createTask({
      title: 'Read me',
      description: lines('Paragraph', 40).join('\n\n'),
      content_type: 'markdown',
    })
    const { page, go, problems, context } = await app.openSession()
    await go(`/t/${task.ticket_number}`)
    const target = page.getByText('Paragraph 25 says')
    await target.waitFor()
    await wheelTo(page, target)
    const paragraphs = lines('Paragraph', 40)
    const text = [...lines('New', 4), ...paragraphs, 'The end of it'].join('\n\n')
    const change = () =>
      patch(`tasks/${task.task_id}`, { description: text, content_type: 'markdown' })
    await expectUnmoved(page, target, change, page.getByText('The end of it'))
    expect(problems).toEqual([])
    await context.close()
  })

  test('a description being edited stays in place when a decision request appears above it', async () => {
    const task = await createLongTask()
    const { page, go, problems, context } = await app.openSession()
    await go(`/t/${task.ticket_number}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const editor = page.locator('.description .code:not([hidden])')
    await editor.waitFor()
    await page.keyboard.type('x')
    const askForDecision = () =>
      agent.callTool('svc_decision_requests', 'create', {
        ...{ ticket_number: task.ticket_number, question: 'Which lamps?' },
        options: ['Red', 'Green'],
      })
    await expectUnmoved(
      page,
      editor,
      askForDecision,
      page.getByText('Which lamps?', { exact: true }),
    )
    expect(problems).toEqual([])
    await context.close()
  })

  test('cards of a board and of a list stay in place when one is inserted above', async () => {
    const tasks = lines('Card', 40).map((title) => ({ title, section_index: 0 }))
    const { project_id, idOf } = await createBoard(app, 'Many', { tasks })
    const { page, go, problems, context } = await app.openSession()
    const lineOf = (name: string) =>
      page.locator('[data-task]').filter({ has: page.getByRole('button', { name, exact: true }) })
    for (const [layout, title] of [
      ['', 'Put in at the top'],
      ['?layout=list', 'Put in once more'],
    ]) {
      await go(`/projects/${project_id}${layout}`)
      await lineOf('Card 1 says what there is to say.').waitFor()
      await page.mouse.move(layout ? 640 : 380, 500)
      for (let step = 0; step < 10; step++) {
        await page.mouse.wheel(0, 100)
        await page.waitForTimeout(60)
      }
      const target = page
        .locator('[data-task]:visible')
        .filter({ hasText: /^(?!.*Put in)/ })
        .nth(9)
      const name = await target.locator('.title, .row-title').first().textContent()
      const card = lineOf(name!.trim())
      const { body } = await app.http('GET', `/api/v1/projects/${project_id}/board`)
      const [first] = body.data.cards
      await expectUnmoved(
        page,
        card,
        async () => {
          const created = await post('tasks', {
            project_id,
            title: title!,
            section_id: idOf('Ideas'),
          })
          await post(`tasks/${created.task_id}/place`, {
            ...{ section_id: idOf('Ideas'), above_task_id: first.task_id },
          })
        },
        page
          .getByRole('region', { name: layout ? /./ : /^Ideas, 4\d tasks/ })
          .or(page.locator('.lines'))
          .first(),
      )
    }
    expect(problems).toEqual([])
    await context.close()
  })

  test('rows of the inbox and of My Tasks stay in place when one is added above', async () => {
    const created: { task_id: number }[] = []
    for (let at = 1; at <= 30; at++) {
      const task = await app.createTask({ title: `Errand ${at}`, assignee_ids: [app.user_id] })
      created.push(task)
      await agent.callTool('svc_comments', 'add', {
        ...{ task_id: task.task_id, text: `<p>@Ada look at errand ${at}</p>` },
        mentions: [{ user_id: app.user_id, display_name: 'Ada' }],
      })
    }
    const { page, go, problems, context } = await app.openSession()
    const scroll = async () => {
      await page.mouse.move(700, 500)
      for (let step = 0; step < 5; step++) {
        await page.mouse.wheel(0, 100)
        await page.waitForTimeout(60)
      }
    }
    await go('/inbox')
    await page.getByText('look at errand 30').first().waitFor()
    await scroll()
    const notification = page.getByText('look at errand 22').first()
    const mentionAda = () =>
      agent.callTool('svc_comments', 'add', {
        ...{ task_id: created[0]!.task_id, text: '<p>@Ada once more</p>' },
        mentions: [{ user_id: app.user_id, display_name: 'Ada' }],
      })
    await expectUnmoved(page, notification, mentionAda, page.getByRole('button', { name: '1 new' }))

    await go('/my')
    await page
      .getByText('Errand 1', { exact: true })
      .or(page.getByText('Errand 30'))
      .first()
      .waitFor()
    await scroll()
    const id = await page.evaluate(
      () => document.elementFromPoint(700, 400)?.closest<HTMLElement>('.todo')?.dataset.task,
    )
    const row = page.locator(`.todo[data-task="${id}"]`)
    await expectUnmoved(
      page,
      row,
      async () => {
        await app.createTask({
          title: 'Very urgent',
          priority: 1,
          assignee_ids: [app.user_id],
          due_date: '2020-01-01',
        })
        await page.waitForTimeout(800)
      },
      row,
    )
    expect(problems).toEqual([])
    await context.close()
  })

  test('a page stays in place when somebody changes it, while reading and while editing', async () => {
    const { ticket_number } = await app.createTask({ title: 'With a page' })
    const paragraphs = lines('Sentence', 60)
    const created = await post(`tasks/${ticket_number}/pages`, {
      ...{ title: 'Notes', content: paragraphs.join('\n\n') },
    })
    const { page, go, problems, context } = await app.openSession()
    await go(`/p/${created.page_id}`)
    const target = page.getByText('Sentence 40 says')
    await target.waitFor()
    await wheelTo(page, target)
    const updatePage = (first: string) => () =>
      agent.callTool('svc_pages', 'update', {
        ...{ page_id: created.page_id, content: [first, ...paragraphs].join('\n\n') },
        content_type: 'markdown',
      })
    await expectUnmoved(
      page,
      target,
      updatePage('A new beginning'),
      page.getByText('A new beginning'),
    )

    await page.keyboard.press('e')
    const editor = page.locator('.writing .code:not([hidden])')
    await editor.waitFor()
    await page.keyboard.type('x')
    await expectUnmoved(page, editor, updatePage('Yet another'), editor.getByText('Yet another'))
    expect(problems).toEqual([])
    await context.close()
  })

  test('a transcript entry stays in place when more entries are appended', async () => {
    const { ticket_number } = await app.createTask({ title: 'Watched' })
    const { run_id } = await post(`tasks/${ticket_number}/runs`, { agent_id: agent.agent_id })
    const append = (from: number, count: number) =>
      agent.rest('POST', `/api/v1/runs/${run_id}/transcript`, {
        entries: Array.from({ length: count }, (_, at) => ({
          text: `Entry ${from + at}\n\n${'words '.repeat(30 + ((at * 17) % 80))}`,
        })),
      })
    await append(1, 40)
    const { page, go, problems, context } = await app.openSession()
    await go(`/runs/${run_id}`)
    await page.getByText(/^Entry 40\b/).waitFor()
    await page.mouse.move(500, 400)
    for (let step = 0; step < 12; step++) {
      await page.mouse.wheel(0, -200)
      await page.waitForTimeout(80)
    }
    const entries = page.locator('.transcript li')
    const middle = entries.nth(Math.floor((await entries.count()) / 2))
    const index = await middle.getAttribute('data-index')
    const target = page.locator(`.transcript li[data-index="${index}"]`)
    await expectUnmoved(
      page,
      target,
      () => append(41, 5),
      page.getByRole('button', { name: '5 new' }),
    )
    expect(problems).toEqual([])
    await context.close()
  })

  test('the last comment of a task stays in place when a new one arrives', async () => {
    const task = await createLongTask()
    const { page, go, context } = await app.openSession()
    await go(`/t/${task.ticket_number}`)
    await page.getByText('Comment number 12 of twelve').waitFor()
    const body = page.locator('.task-body')
    await body.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
    await page.waitForTimeout(200)
    const target = page.getByText('Comment number 12 of twelve')
    await expectUnmoved(
      page,
      target,
      () => comment(task.task_id, 'The newest'),
      page.getByText('The newest'),
    )
    await context.close()
  })
})
