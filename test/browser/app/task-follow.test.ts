import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('an open task', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const patch = (path: string, body: object) => app.http('PATCH', `/api/v1/${path}`, { body })

  test('shows renamed subtasks, columns and labels live', async () => {
    const { project_id } = app
    const { label_id } = (
      await app.http('POST', `/api/v1/projects/${project_id}/labels`, { body: { name: 'paper' } })
    ).body.data
    const trip = await app.createTask({ title: 'Plan the trip', labels: [label_id] })
    const maps = await app.createTask({ title: 'Buy maps', parent_task_id: trip.task_id })
    const { page, problems, go } = await app.openSession()
    await go(`/t/${trip.ticket_number}`)
    const main = page.getByRole('main')
    await main.getByText('Buy maps').waitFor()
    await main.getByText('paper', { exact: true }).waitFor()

    await patch(`tasks/${maps.task_id}`, { title: 'Borrow maps' })
    await main.getByText('Borrow maps').waitFor()
    expect(await main.getByText('Buy maps').count()).toBe(0)
    await patch(`projects/${project_id}/sections/${trip.section_id}`, { title: 'Some day' })
    await main.getByText('Some day').first().waitFor()
    await patch(`projects/${project_id}/labels/${label_id}`, { name: 'card' })
    await main.getByText('card', { exact: true }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('shows subtasks, relations, files, evidence and comments that are added elsewhere', async () => {
    const trip = await app.createTask({ title: 'Plan the tour' })
    const other = await app.createTask({ title: 'Rent a van' })
    const agent = await app.connectAgent('Scout')
    const { page, problems, go } = await app.openSession()
    await go(`/t/${trip.ticket_number}`)
    await page.getByRole('heading', { name: 'Comments' }).waitFor()
    const main = page.getByRole('main')
    const waitInSection = (name: string, text: string) =>
      main.getByRole('region', { name }).getByText(text).waitFor()
    const { task_id, ticket_number } = trip
    const post = (path: string, body: object) => app.http('POST', `/api/v1/${path}`, { body })

    const first = await app.createTask({ title: 'Buy tickets', parent_task_id: task_id })
    await waitInSection('Subtasks', 'Buy tickets')
    await agent.callTool('svc_tasks', 'create', {
      ...{ project_id: app.project_id, title: 'Book rooms', parent_task_id: task_id },
    })
    await waitInSection('Subtasks', 'Book rooms')
    await patch(`tasks/${other.task_id}`, { parent_task_id: task_id })
    await waitInSection('Subtasks', 'Rent a van')
    await patch(`tasks/${other.task_id}`, { parent_task_id: null })
    await main.getByText('Rent a van').waitFor({ state: 'detached' })
    await patch(`tasks/${first.task_id}`, { status: 'Archive' })
    await main.getByText('Buy tickets').waitFor({ state: 'detached' })

    await post('relations', {
      ...{ source_task_id: task_id, target_task_id: other.task_id, relation_type: 'BlockedBy' },
    })
    await waitInSection('Relations', 'Rent a van')
    await post(`tasks/${task_id}/attachments`, {
      files: [{ filename: 'map.txt', content_type: 'text/plain', data: 'aGVyZQ==' }],
    })
    await waitInSection('Attachments', 'map.txt')
    await post(`tasks/${ticket_number}/evidence`, {
      ...{ kind: 'note', summary: 'The bus runs daily' },
    })
    await waitInSection('Evidence', 'The bus runs daily')
    await post(`tasks/${task_id}/comments`, { text: 'All set', content_type: 'markdown' })
    await waitInSection('Comments', 'All set')
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('shows a subtask that was added before its event stream was connected', async () => {
    const trip = await app.createTask({ title: 'Plan the walk' })
    const { page, context, problems, go } = await app.openSession()
    const gate = Promise.withResolvers<void>()
    await context.route('**/api/v1/events*', async (route) => {
      await gate.promise
      await route.continue()
    })
    await go(`/t/${trip.ticket_number}`)
    await page.getByRole('heading', { name: 'Comments' }).waitFor()
    await app.createTask({ title: 'Pack water', parent_task_id: trip.task_id })
    gate.resolve()
    await page.getByRole('region', { name: 'Subtasks' }).getByText('Pack water').waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('shows an image of another host as a link and does not load it', async () => {
    const description = '![A chart](https://pictures.example/chart.png) and ![](http://x.example/y)'
    const report = { title: 'Read the report', description, content_type: 'markdown' }
    const { ticket_number } = await app.createTask(report)
    const { page, problems, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    const link = page.getByRole('link', { name: 'A chart (pictures.example)' })
    expect(await link.getAttribute('href')).toBe('https://pictures.example/chart.png')
    expect(await page.getByRole('main').locator('.prose img').count()).toBe(0)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('disappears, with its board, for a member who is removed from the team', async () => {
    const { team_id, project_id } = app
    await app.createTask({ title: 'Count the money' })
    const link = (
      await app.http('POST', `/api/v1/teams/${team_id}/invitations`, {
        body: { email: 'kim@example.com', role: 'member' },
      })
    ).body.data.link
    const { page, go } = await app.openSession({
      signedOut: true,
      ignoredMessages: /status of 40[34]/,
    })
    await page.goto(link)
    await page.getByLabel('Your name').fill('Kim')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await page.getByText('Count the money').waitFor()
    await go(`/projects/${project_id}`)
    await page.getByText('Count the money').waitFor()
    const members = (await app.http('GET', `/api/v1/teams/${team_id}/members`)).body.data
    const { user_id } = members.find(({ name }: { name: string }) => name === 'Kim')
    await app.http('DELETE', `/api/v1/teams/${team_id}/members/${user_id}`)
    await page.getByText('Count the money').waitFor({ state: 'hidden' })
    expect(await page.getByRole('navigation').getByText('Home').count()).toBe(0)
    await page.getByRole('heading', { name: 'Board not found' }).waitFor()
    expect(await page.getByRole('main').textContent()).not.toMatch(/scope|svc_|GET \//)
    await page.context().close()
  })
})
