import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { cardOf, makeBoard } from './boards.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The most that the element being read or edited may move. */
const MOST_PX = 2

const lines = (name: string, many: number) =>
  Array.from({ length: many }, (_, at) => `${name} ${at + 1} says what there is to say.`)

describe.skipIf(noBrowser)('the scroll position while others make changes', () => {
  let desk: Desk
  let scout: Awaited<ReturnType<Desk['hire']>>
  beforeAll(async () => {
    desk = await openDesk()
    scout = await desk.hire('Scout')
  }, 60_000)
  afterAll(() => desk?.leave())

  const post = async (path: string, body: object) => {
    const answer = await desk.http('POST', `/api/v1/${path}`, { body })
    expect([path, answer.status < 300, answer.text.slice(0, 300)]).toEqual([
      path,
      true,
      expect.anything(),
    ])
    return answer.body.data
  }
  const patch = (path: string, body: object) => desk.http('PATCH', `/api/v1/${path}`, { body })
  const topOf = async (one: Locator) => (await one.boundingBox())!.y
  const comment = (id: number, text: string) =>
    post(`tasks/${id}/comments`, { text, content_type: 'markdown' })
  const attach = (id: number, filename: string) =>
    post(`tasks/${id}/attachments`, {
      files: [{ filename, content_type: 'image/png', data: PIXEL }],
    })

  /** Makes a change and waits until `seen` shows it; `read` must not have moved. */
  async function holds(page: Page, read: Locator, change: () => Promise<unknown>, seen: Locator) {
    await page.waitForTimeout(200)
    const before = await topOf(read)
    await change()
    await seen.waitFor({ state: 'attached' })
    await page.waitForTimeout(400)
    const moved = Math.abs((await topOf(read)) - before)
    expect([String(seen), moved <= MOST_PX, moved]).toEqual([String(seen), true, moved])
  }

  async function wheelTo(page: Page, one: Locator, y = 300) {
    const { width, height } = page.viewportSize()!
    await page.mouse.move(width / 2, height / 2)
    for (let turn = 0; turn < 30; turn++) {
      const top = await topOf(one)
      if (Math.abs(top - y) < 40) break
      await page.mouse.wheel(0, top - y)
      await page.waitForTimeout(80)
    }
    expect(Math.abs((await topOf(one)) - y)).toBeLessThan(120)
  }

  async function longTask() {
    const task = await desk.create({
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
        () => post(`tasks/${ticket_number}/runs`, { agent_id: scout.agent_id }),
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
      const task = await longTask()
      const { page, go, complaints, context } = await desk.sit({ width, height })
      const path =
        width > 400
          ? `/t/${task.ticket_number}`
          : `/projects/${desk.project_id}?task=${task.ticket_number}`
      await go(path)
      const read = page.getByText('Comment number 7 of twelve')
      await read.waitFor()
      await wheelTo(page, read)
      for (const [change, seen] of changesOf(task, page)) await holds(page, read, change, seen)
      expect(complaints).toEqual([])
      await context.close()
    }, 60_000)

  test('a comment being typed and its cursor stay in place when the task changes', async () => {
    const task = await longTask()
    const { page, go, complaints, context } = await desk.sit()
    await go(`/t/${task.ticket_number}`)
    await page.getByText('Comment number 12 of twelve').waitFor()
    await page.locator('.composer textarea').focus()
    const editor = page.locator('.composer .code:not([hidden])')
    await editor.waitFor()
    await page.keyboard.type('I think ')
    for (const [change, seen] of changesOf(task, page)) {
      await holds(page, editor, change, seen)
      await page.keyboard.type('so ')
    }
    expect(await editor.locator('.cm-content').textContent()).toContain('I think so so so so so')
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('a paragraph stays in place when text is added above and below it', async () => {
    const task = await desk.create({
      title: 'Read me',
      description: lines('Paragraph', 40).join('\n\n'),
      content_type: 'markdown',
    })
    const { page, go, complaints, context } = await desk.sit()
    await go(`/t/${task.ticket_number}`)
    const read = page.getByText('Paragraph 25 says')
    await read.waitFor()
    await wheelTo(page, read)
    const all = lines('Paragraph', 40)
    const text = [...lines('New', 4), ...all, 'The end of it'].join('\n\n')
    const change = () =>
      patch(`tasks/${task.task_id}`, { description: text, content_type: 'markdown' })
    await holds(page, read, change, page.getByText('The end of it'))
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('a description being edited stays in place when a decision request appears above it', async () => {
    const task = await longTask()
    const { page, go, complaints, context } = await desk.sit()
    await go(`/t/${task.ticket_number}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const editor = page.locator('.description .code:not([hidden])')
    await editor.waitFor()
    await page.keyboard.type('x')
    const ask = () =>
      scout.tool('svc_decision_requests', 'create', {
        ...{ ticket_number: task.ticket_number, question: 'Which lamps?' },
        options: ['Red', 'Green'],
      })
    await holds(page, editor, ask, page.getByText('Which lamps?', { exact: true }))
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('cards of a board and of a list stay in place when one is inserted above', async () => {
    const tasks = lines('Card', 40).map((title) => ({ title, section_index: 0 }))
    const { project_id, idOf } = await makeBoard(desk, 'Many', { tasks })
    const { page, go, complaints, context } = await desk.sit()
    for (const [layout, title] of [
      ['', 'Put in at the top'],
      ['?layout=list', 'Put in once more'],
    ]) {
      await go(`/projects/${project_id}${layout}`)
      await cardOf(page, 'Card 1 says what there is to say.').waitFor()
      await page.mouse.move(layout ? 640 : 380, 500)
      for (let turn = 0; turn < 10; turn++) {
        await page.mouse.wheel(0, 100)
        await page.waitForTimeout(60)
      }
      const read = page
        .locator('[data-task]:visible')
        .filter({ hasText: /^(?!.*Put in)/ })
        .nth(9)
      const name = await read.locator('.title, .what').first().textContent()
      const card = cardOf(page, name!.trim())
      const { body } = await desk.http('GET', `/api/v1/projects/${project_id}/board`)
      const [first] = body.data.cards
      await holds(
        page,
        card,
        async () => {
          const made = await post('tasks', { project_id, title: title!, section_id: idOf('Ideas') })
          await post(`tasks/${made.task_id}/place`, {
            ...{ section_id: idOf('Ideas'), above_task_id: first.task_id },
          })
        },
        page
          .getByRole('region', { name: layout ? /./ : /^Ideas, 4\d tasks/ })
          .or(page.locator('.lines'))
          .first(),
      )
    }
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('rows of the inbox and of My Tasks stay in place when one is added above', async () => {
    const made: { task_id: number }[] = []
    for (let at = 1; at <= 30; at++) {
      const task = await desk.create({ title: `Errand ${at}`, assignee_ids: [desk.user_id] })
      made.push(task)
      await scout.tool('svc_comments', 'add', {
        ...{ task_id: task.task_id, text: `<p>@Ada look at errand ${at}</p>` },
        mentions: [{ user_id: desk.user_id, display_name: 'Ada' }],
      })
    }
    const { page, go, complaints, context } = await desk.sit()
    const scroll = async () => {
      await page.mouse.move(700, 500)
      for (let turn = 0; turn < 5; turn++) {
        await page.mouse.wheel(0, 100)
        await page.waitForTimeout(60)
      }
    }
    await go('/inbox')
    await page.getByText('look at errand 30').first().waitFor()
    await scroll()
    const note = page.getByText('look at errand 22').first()
    const tell = () =>
      scout.tool('svc_comments', 'add', {
        ...{ task_id: made[0]!.task_id, text: '<p>@Ada once more</p>' },
        mentions: [{ user_id: desk.user_id, display_name: 'Ada' }],
      })
    await holds(page, note, tell, page.getByRole('button', { name: '1 new' }))

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
    await holds(
      page,
      row,
      async () => {
        await desk.create({
          title: 'Very urgent',
          priority: 1,
          assignee_ids: [desk.user_id],
          due_date: '2020-01-01',
        })
        await page.waitForTimeout(800)
      },
      row,
    )
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('a page stays in place when somebody changes it, while reading and while editing', async () => {
    const { ticket_number } = await desk.create({ title: 'With a page' })
    const all = lines('Sentence', 60)
    const made = await post(`tasks/${ticket_number}/pages`, {
      ...{ title: 'Notes', content: all.join('\n\n') },
    })
    const { page, go, complaints, context } = await desk.sit()
    await go(`/p/${made.page_id}`)
    const read = page.getByText('Sentence 40 says')
    await read.waitFor()
    await wheelTo(page, read)
    const write = (first: string) => () =>
      scout.tool('svc_pages', 'update', {
        ...{ page_id: made.page_id, content: [first, ...all].join('\n\n') },
        content_type: 'markdown',
      })
    await holds(page, read, write('A new beginning'), page.getByText('A new beginning'))

    await page.keyboard.press('e')
    const editor = page.locator('.writing .code:not([hidden])')
    await editor.waitFor()
    await page.keyboard.type('x')
    await holds(page, editor, write('Yet another'), page.locator('p.notice').first())
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('a transcript entry stays in place when more entries are appended', async () => {
    const { ticket_number } = await desk.create({ title: 'Watched' })
    const { run_id } = await post(`tasks/${ticket_number}/runs`, { agent_id: scout.agent_id })
    const append = (from: number, many: number) =>
      scout.rest('POST', `/api/v1/runs/${run_id}/transcript`, {
        entries: Array.from({ length: many }, (_, at) => ({
          text: `Entry ${from + at}\n\n${'words '.repeat(30 + ((at * 17) % 80))}`,
        })),
      })
    await append(1, 40)
    const { page, go, complaints, context } = await desk.sit()
    await go(`/runs/${run_id}`)
    await page.getByText(/^Entry 40\b/).waitFor()
    await page.mouse.move(500, 400)
    for (let turn = 0; turn < 12; turn++) {
      await page.mouse.wheel(0, -200)
      await page.waitForTimeout(80)
    }
    const entries = page.locator('.transcript li')
    const middle = entries.nth(Math.floor((await entries.count()) / 2))
    const index = await middle.getAttribute('data-index')
    const read = page.locator(`.transcript li[data-index="${index}"]`)
    await holds(page, read, () => append(41, 5), page.getByRole('button', { name: '5 new' }))
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('the last comment of a task stays in place when a new one arrives', async () => {
    const task = await longTask()
    const { page, go, context } = await desk.sit()
    await go(`/t/${task.ticket_number}`)
    await page.getByText('Comment number 12 of twelve').waitFor()
    const body = page.locator('.task-body')
    await body.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
    await page.waitForTimeout(200)
    const read = page.getByText('Comment number 12 of twelve')
    await holds(page, read, () => comment(task.task_id, 'The newest'), page.getByText('The newest'))
    await context.close()
  }, 60_000)
})
