import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startScriptedModel } from '../../ai/scripted-model.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { chatPanel } from './chat-panel.ts'
import { addColleague } from './colleague.ts'

const TITLES = ['Book the hall', 'Invite everybody', 'Bake a cake']

describe.skipIf(isBrowserSkipped)('a chat in the app', () => {
  let app: WebApp
  const service = startScriptedModel()
  beforeAll(async () => {
    app = await openWebApp(service.settings())
  })
  afterAll(async () => {
    await app?.close()
    service.stop()
  })

  test('creates three tasks after approval, asks about an ambiguous name, and undoes one call', async () => {
    // The agent comes first: a person can have the name of an agent, but not the other way round.
    await app.createAgent({ name: 'Robin' })
    await addColleague(app, 'Robin')
    const { project_id } = app
    const { page, problems, go } = await app.openSession()
    const { panel, messages, input, card, open, send, waitForState, waitUntilIdle } =
      chatPanel(page)
    const main = page.getByRole('main')
    const fetchTasks = async () =>
      (await app.http('GET', `/api/v1/tasks?project_id=${project_id}`)).body.data

    await go(`/projects/${project_id}`)
    await open()
    service.play([
      {
        text: '1. A place\n2. Guests\n3. Cake ![pixel](https://elsewhere.example/p.png)',
        calls: [
          {
            tool: 'tasks_create_many',
            input: { project_id, tasks: TITLES.map((title) => ({ title, labels: [] })) },
          },
        ],
      },
      { text: 'The party is planned, beginning with **HOM-1**.' },
    ])
    await send('Plan a party, and make a task of each step')
    const createCard = card(/^Create 3 tasks/)
    await waitForState(/^Create 3 tasks/, 'Needs approval')
    // The card shows what would be created, and nothing is created yet.
    for (const title of TITLES) await createCard.getByText(title).waitFor()
    expect(await createCard.getByText('none', { exact: true }).count()).toBe(3)
    expect(await fetchTasks()).toEqual([])
    expect(await main.getByText('Bake a cake').count()).toBe(0)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await createCard.getByRole('button', { name: /^Allow\b(?! all)/ }).focus()
    await page.keyboard.press('y')
    await messages.getByText('The party is planned').waitFor()
    await waitForState(/^Create 3 tasks/, 'Done')
    for (const title of TITLES) await main.getByText(title).waitFor()
    // An image in an answer is shown as a link, and is not loaded.
    const imageLink = panel.getByRole('link', {
      name: /pixel \(https:\/\/elsewhere\.example\/p\.png\)/,
    })
    expect(await imageLink.getAttribute('rel')).toContain('noreferrer')
    expect(await panel.locator('img').count()).toBe(0)
    expect(await panel.getByRole('link', { name: 'HOM-1' }).first().getAttribute('href')).toBe(
      '/t/HOM-1',
    )

    const assign = (assignee: string) => ({
      calls: [
        { tool: 'tasks_assign_to', input: { ticket_numbers: ['HOM-1'], assignees: [assignee] } },
      ],
    })
    service.play([assign('robin'), { text: 'There are two of that name. Which one?' }])
    await send('Give the first one to Robin')
    const first = card(/^Assign HOM-1 to robin$/)
    await first.getByRole('button', { name: 'Allow all in this chat' }).click()
    await messages.getByText('Which one?').waitFor()
    await first.getByText(/"robin" matches /).waitFor()
    expect(await first.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
    expect((await fetchTasks())[0].assignees ?? []).toEqual([])
    await panel.getByText('Changes are made without asking').waitFor()

    service.play([assign('robin@example.com'), { text: 'It is Robin’s now.' }])
    await send('The person, robin@example.com')
    await messages.getByText('It is Robin’s now').waitFor()
    const second = /^Assign HOM-1 to robin@example.com$/
    await waitForState(second, 'Done')
    const fetchAssignees = async () =>
      (await app.http('GET', '/api/v1/tasks/HOM-1')).body.data.assignees.map(
        ({ name }: { name: string }) => name,
      )
    expect(await fetchAssignees()).toEqual(['Robin'])
    await main.getByRole('img', { name: 'Robin' }).first().waitFor()

    await waitUntilIdle()
    await card(second).getByRole('button', { name: /^Undo/ }).click()
    await waitForState(second, 'Undone')
    expect(await fetchAssignees()).toEqual([])
    expect(await fetchTasks()).toHaveLength(3)
    expect(await card(second).getByRole('button', { name: /^Undo/ }).count()).toBe(0)
    expect(await input.inputValue()).toBe('')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })
})
