import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { soon } from '../../binary/players.ts'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults } from '../faults.ts'

describe.skipIf(noBrowser)('a task that an agent works on', () => {
  let desk: Desk
  let agent: Awaited<ReturnType<Desk['hire']>>
  beforeAll(async () => {
    desk = await openDesk()
    agent = await desk.hire('Scout')
  }, 60_000)
  afterAll(() => desk?.leave())

  test('shows the work of the agent live, and the agent reads the answer to its request', async () => {
    const { task_id, ticket_number } = await desk.create({ title: 'Compare the tents' })
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${desk.project_id}?task=${ticket_number}`)
    const peek = page.getByRole('region', { name: `Task ${ticket_number}` })
    await peek.getByRole('combobox', { name: 'Column: To do' }).waitFor()
    expect(await peek.getByText(/is working/).count()).toBe(0)

    const { lease_id } = (await agent.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number }))
      .data
    await peek.getByText('Scout is working on this').waitFor()
    await peek.getByText(/^\d+ min left$/).waitFor()
    await agent.tool('svc_comments', 'add', { ticket_number, text: '<p>Two fit the lawn</p>' })
    await peek.locator('[data-comment]').filter({ hasText: 'Two fit the lawn' }).waitFor()
    await agent.tool('svc_tasks', 'update', { ticket_number, lease_id, priority: 2 })
    await peek.getByRole('combobox', { name: 'Priority: High' }).waitFor()

    const { decision_request_id } = await agent.tool('svc_decision_requests', 'create', {
      ...{ ticket_number, question: 'Which tent?', options: ['The round one', 'The long one'] },
    })
    const question = peek.getByRole('region', { name: 'Decision request' })
    await question.getByText('Which tent?').waitFor()
    expect(await faults(page)).toEqual([])
    await question.getByRole('textbox').fill('It fits the trees')
    await question.getByRole('button', { name: 'The long one' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByText('Answered: The long one').waitFor()
    const answer = await agent.tool('svc_decision_requests', 'get', { decision_request_id })
    expect(answer).toMatchObject({
      ...{ status: 'answered', selected_option: 'The long one', answer_note: 'It fits the trees' },
    })

    const proof = { kind: 'test_result', summary: 'It stands in the wind' }
    await agent.rest('POST', `/api/v1/tasks/${task_id}/evidence`, proof)
    const evidence = peek.getByRole('region', { name: 'Evidence' })
    await evidence.getByText('It stands in the wind').waitFor()
    await evidence.getByRole('img', { name: 'Test result' }).waitFor()
    await agent.rest('POST', '/api/mcp/tasks/lease/release', { lease_id })
    await peek.getByText('Scout is working on this').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('shows its start date and its repeat rule only when they are set', async () => {
    const { task_id, ticket_number } = await desk.create({ title: 'Order the flags' })
    const { page, complaints, go } = await desk.sit()
    await go(`/t/${ticket_number}`)
    await page.getByRole('combobox', { name: 'Priority: None' }).waitFor()
    const start = page.getByRole('button', { name: /^Start date/ })
    const repeats = page.getByRole('combobox', { name: /^Repeats/ })
    expect([await start.count(), await repeats.count()]).toEqual([0, 0])
    const set = (body: object) => desk.http('PATCH', `/api/v1/tasks/${task_id}`, { body })
    await set({ start_date: '2030-05-01T00:00:00Z' })
    await start.waitFor()
    expect(await repeats.count()).toBe(0)
    await set({ due_date: '2030-05-08', recurrence: 'Weekly' })
    await repeats.waitFor()
    await set({ start_date: null, recurrence: null })
    await start.waitFor({ state: 'detached' })
    await repeats.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('is accessible on a phone in the dark theme, and its custom fields can be filled in', async () => {
    const { task_id, ticket_number } = await desk.create({
      ...{ title: 'Put up the tent', due_date: '2020-01-01', recurrence: 'Weekly' },
      ...{ start_date: '2019-12-01T00:00:00Z', description: '<p>With care</p>' },
    })
    await desk.create({ title: 'Find the poles', parent_task_id: task_id })
    const place = `/api/v1/projects/${desk.project_id}/custom-fields`
    for (const type of ['text', 'number', 'date', 'checkbox', 'url'])
      await desk.http('POST', place, { body: { name: `A ${type}`, type } })
    const options = [{ label: 'Oak' }, { label: 'Pine' }]
    await desk.http('POST', place, { body: { name: 'Wood', type: 'select', options } })
    const { page, complaints, go } = await desk.sit({
      ...{ theme: 'dark', width: 390, height: 844, touch: true, may: /status of 400/ },
    })
    await go(`/projects/${desk.project_id}?task=${ticket_number}`)
    const peek = page.getByRole('dialog', { name: `Task ${ticket_number}` })
    await peek.getByRole('combobox', { name: 'Repeats: Every week' }).waitFor()
    await peek.getByRole('button', { name: /^Start date: / }).waitFor()
    expect((await peek.boundingBox())!.width).toBe(390)
    expect(await faults(page)).toEqual([])

    // Empty custom fields are shown only on request.
    expect(await peek.getByText('A number').count()).toBe(0)
    await peek.getByRole('button', { name: `More about ${ticket_number}` }).tap()
    await page.getByRole('menuitem', { name: 'Add a field' }).tap()
    await peek.getByRole('spinbutton', { name: 'A number' }).fill('12')
    await page.keyboard.press('Enter')
    await peek.getByRole('checkbox', { name: 'A checkbox' }).tap()
    await peek.getByRole('combobox', { name: 'Wood: Select an option' }).tap()
    await page.getByRole('option', { name: 'Pine' }).tap()
    await peek.getByRole('combobox', { name: 'Wood: Pine' }).waitFor()
    const fields = () =>
      soon(async () => {
        const { custom_fields } = (await desk.http('GET', `/api/v1/tasks/${task_id}`)).body.data
        return custom_fields.length === 3 ? custom_fields : undefined
      })
    const values = (await fields()).map(({ label, value }: { label?: string; value: unknown }) => {
      return label ?? value
    })
    expect(values.toSorted()).toEqual([12, 'Pine', true])
    const address = peek.getByRole('textbox', { name: 'A url' })
    await address.fill('no address')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await address.inputValue()).toBe('no address')
    expect(await fields()).toHaveLength(3)
    await peek.getByRole('button', { name: 'Close the task' }).tap()
    await peek.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })
})
