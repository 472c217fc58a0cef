import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard } from './boards.ts'

const DAY_MS = 86_400_000
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

describe.skipIf(isBrowserSkipped)('a task opened by a link', () => {
  let app: WebApp
  let project_id: number
  let last: { task_id: number; ticket_number: string }
  beforeAll(async () => {
    app = await openWebApp()
    const tasks = Array.from({ length: 60 }, (_, at) => ({ title: `Task ${at}`, section_index: 2 }))
    const board = await createBoard(app, 'Long', { tasks })
    project_id = board.project_id
    const { body } = await app.http('GET', `/api/v1/projects/${project_id}/board`)
    last = body.data.cards.findLast(({ title }: { title: string }) => title === 'Task 59')
    // These dates are outside of what the calendar and the timeline show at first.
    const dates = { start_date: dayFromNow(120), due_date: dayFromNow(122) }
    await app.http('PATCH', `/api/v1/tasks/${last.task_id}`, { body: dates })
  })
  afterAll(() => app?.close())

  const isVisible = (one: Locator) =>
    one.evaluate((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect()
      const [x, y] = [(Math.max(left, 0) + Math.min(right, innerWidth)) / 2, (top + bottom) / 2]
      return element.contains(document.elementFromPoint(x, y))
    })

  for (const [name, query, selector] of [
    ['list', 'layout=list', '.lines [data-task="$"] .title'],
    ['swimlanes', 'lanes=assignee', '.lanes [data-task="$"]'],
    ['calendar', 'layout=calendar', '.month [data-task="$"]'],
    ['timeline', 'layout=timeline', '.time-scroller [data-task="$"]'],
  ] as const)
    test(`is visible and selected in the ${name}`, async () => {
      const { page, go, problems, context } = await app.openSession({ width: 1200 })
      await go(`/projects/${project_id}?${query}&task=${last.ticket_number}`)
      const card = page.locator(selector.replace('$', String(last.task_id))).first()
      await card.waitFor()
      await expectEventually(() => isVisible(card), true)
      await expectEventually(
        () =>
          card.evaluate((one) => one.closest('.active') !== null || one.matches(':has(.active)')),
        true,
      )
      expect(problems).toEqual([])
      await context.close()
    })
})
