import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('a task that an agent works on', () => {
  let app: WebApp
  let agent: Awaited<ReturnType<WebApp['connectAgent']>>
  beforeAll(async () => {
    app = await openWebApp()
    agent = await app.connectAgent('Scout')
  })
  afterAll(() => app?.close())

  test('shows the work of the agent live, and the agent reads the answer to its request', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Compare the tents' })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${app.project_id}?task=${ticket_number}`)
    const taskPanel = page.getByRole('region', { name: `Task ${ticket_number}` })
    await taskPanel.getByRole('combobox', { name: 'Column: To do' }).waitFor()
    expect(await taskPanel.getByText(/is working/).count()).toBe(0)

    const { lease_id } = (await agent.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number }))
      .data
    await taskPanel.getByText('Scout is working on this').waitFor()
    await taskPanel.getByText(/^\d+ min left$/).waitFor()
    await agent.callTool('svc_comments', 'add', { ticket_number, text: '<p>Two fit the lawn</p>' })
    await taskPanel.locator('[data-comment]').filter({ hasText: 'Two fit the lawn' }).waitFor()
    await agent.callTool('svc_tasks', 'update', { ticket_number, lease_id, priority: 2 })
    await taskPanel.getByRole('combobox', { name: 'Priority: High' }).waitFor()

    const { decision_request_id } = await agent.callTool('svc_decision_requests', 'create', {
      ...{ ticket_number, question: 'Which tent?', options: ['The round one', 'The long one'] },
    })
    const question = taskPanel.getByRole('region', { name: 'Decision request' })
    await question.getByText('Which tent?').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await question.getByRole('textbox').fill('It fits the trees')
    await question.getByRole('button', { name: 'The long one' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByText('Answered: The long one').waitFor()
    const answer = await agent.callTool('svc_decision_requests', 'get', { decision_request_id })
    expect(answer).toMatchObject({
      ...{ status: 'answered', selected_option: 'The long one', answer_note: 'It fits the trees' },
    })

    const evidenceFields = { kind: 'test_result', summary: 'It stands in the wind' }
    await agent.rest('POST', `/api/v1/tasks/${task_id}/evidence`, evidenceFields)
    const evidence = taskPanel.getByRole('region', { name: 'Evidence' })
    await evidence.getByText('It stands in the wind').waitFor()
    await evidence.getByRole('img', { name: 'Test result' }).waitFor()
    await agent.rest('POST', '/api/mcp/tasks/lease/release', { lease_id })
    await taskPanel.getByText('Scout is working on this').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  test('shows its start date and its repeat rule only when they are set', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Order the flags' })
    const { page, problems, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    await page.getByRole('combobox', { name: 'Priority: None' }).waitFor()
    const start = page.getByRole('button', { name: /^Start date/ })
    const repeats = page.getByRole('combobox', { name: /^Repeats/ })
    expect([await start.count(), await repeats.count()]).toEqual([0, 0])
    const patchTask = (body: object) => app.http('PATCH', `/api/v1/tasks/${task_id}`, { body })
    await patchTask({ start_date: '2030-05-01T00:00:00Z' })
    await start.waitFor()
    expect(await repeats.count()).toBe(0)
    await patchTask({ due_date: '2030-05-08', recurrence: 'Weekly' })
    await repeats.waitFor()
    await patchTask({ start_date: null, recurrence: null })
    await start.waitFor({ state: 'detached' })
    await repeats.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('is accessible on a phone in the dark theme, and its custom fields can be filled in', async () => {
    const { task_id, ticket_number } = await app.createTask({
      ...{ title: 'Put up the tent', due_date: '2020-01-01', recurrence: 'Weekly' },
      ...{ start_date: '2019-12-01T00:00:00Z', description: '<p>With care</p>' },
    })
    await app.createTask({ title: 'Find the poles', parent_task_id: task_id })
    const path = `/api/v1/projects/${app.project_id}/custom-fields`
    for (const type of ['text', 'number', 'date', 'checkbox', 'url'])
      await app.http('POST', path, { body: { name: `A ${type}`, type } })
    const options = [{ label: 'Oak' }, { label: 'Pine' }]
    await app.http('POST', path, { body: { name: 'Wood', type: 'select', options } })
    const { page, problems, go } = await app.openSession({
      ...{ theme: 'dark', width: 390, height: 844, touch: true, ignoredMessages: /status of 400/ },
    })
    await go(`/projects/${app.project_id}?task=${ticket_number}`)
    const taskPanel = page.getByRole('dialog', { name: `Task ${ticket_number}` })
    await taskPanel.getByRole('combobox', { name: 'Repeats: Every week' }).waitFor()
    await taskPanel.getByRole('button', { name: /^Start date: / }).waitFor()
    // While the panel slides in, rounding errors make its width differ slightly from 390.
    expect(Math.round((await taskPanel.boundingBox())!.width)).toBe(390)
    expect(await accessibilityIssues(page)).toEqual([])

    // Empty custom fields are shown only on request.
    expect(await taskPanel.getByText('A number').count()).toBe(0)
    await taskPanel.getByRole('button', { name: `More about ${ticket_number}` }).tap()
    await page.getByRole('menuitem', { name: 'Add a field' }).tap()
    await taskPanel.getByRole('spinbutton', { name: 'A number' }).fill('12')
    await page.keyboard.press('Enter')
    await taskPanel.getByRole('checkbox', { name: 'A checkbox' }).tap()
    await taskPanel.getByRole('combobox', { name: 'Wood: Select an option' }).tap()
    await page.getByRole('option', { name: 'Pine' }).tap()
    await taskPanel.getByRole('combobox', { name: 'Wood: Pine' }).waitFor()
    const fields = () =>
      waitUntil(async () => {
        const { custom_fields } = (await app.http('GET', `/api/v1/tasks/${task_id}`)).body.data
        return custom_fields.length === 3 ? custom_fields : undefined
      })
    const values = (await fields()).map(({ label, value }: { label?: string; value: unknown }) => {
      return label ?? value
    })
    expect(values.toSorted()).toEqual([12, 'Pine', true])
    const address = taskPanel.getByRole('textbox', { name: 'A url' })
    await address.fill('no address')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await address.inputValue()).toBe('no address')
    expect(await fields()).toHaveLength(3)
    await taskPanel.getByRole('button', { name: 'Close the task' }).tap()
    await taskPanel.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })
})
