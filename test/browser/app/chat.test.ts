import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { models } from '../../ai/models.ts'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'
import { colleague } from './colleague.ts'
import { talking } from './talking.ts'

const TITLES = ['Book the hall', 'Invite everybody', 'Bake a cake']

describe.skipIf(noBrowser)('a chat in the app', () => {
  let desk: Desk
  const service = models()
  beforeAll(async () => {
    desk = await openDesk(service.settings())
  }, 60_000)
  afterAll(async () => {
    await desk?.leave()
    service.stop()
  })

  test('creates three tasks after approval, asks about an ambiguous name, and undoes one call', async () => {
    // A person who joins can have the name of an agent; an agent cannot take that of a person.
    await desk.agent({ name: 'Robin' })
    await colleague(desk, 'Robin')
    const { project_id } = desk
    const { page, complaints, go } = await desk.sit()
    const { panel, messages, box, card, open, say, stands, quiet } = talking(page)
    const main = page.getByRole('main')
    const tasks = async () =>
      (await desk.http('GET', `/api/v1/tasks?project_id=${project_id}`)).body.data

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
    await say('Plan a party, and make a task of each step')
    const made = card(/^Create 3 tasks/)
    await stands(/^Create 3 tasks/, 'Needs approval')
    // The card shows what would be created, and nothing is created yet.
    for (const title of TITLES) await made.getByText(title).waitFor()
    expect(await made.getByText('none', { exact: true }).count()).toBe(3)
    expect(await tasks()).toEqual([])
    expect(await main.getByText('Bake a cake').count()).toBe(0)
    expect(await faultsInBothThemes(page)).toEqual([])
    await made.getByRole('button', { name: /^Allow\b(?! all)/ }).focus()
    await page.keyboard.press('y')
    await messages.getByText('The party is planned').waitFor()
    await stands(/^Create 3 tasks/, 'Done')
    for (const title of TITLES) await main.getByText(title).waitFor()
    // An image in an answer is shown as a link, and is not loaded.
    const picture = panel.getByRole('link', {
      name: /pixel \(https:\/\/elsewhere\.example\/p\.png\)/,
    })
    expect(await picture.getAttribute('rel')).toContain('noreferrer')
    expect(await panel.locator('img').count()).toBe(0)
    expect(await panel.getByRole('link', { name: 'HOM-1' }).first().getAttribute('href')).toBe(
      '/t/HOM-1',
    )

    const assign = (whom: string) => ({
      calls: [{ tool: 'tasks_assign_to', input: { ticket_numbers: ['HOM-1'], assignees: [whom] } }],
    })
    service.play([assign('robin'), { text: 'There are two of that name. Which one?' }])
    await say('Give the first one to Robin')
    const first = card(/^Assign HOM-1 to robin$/)
    await first.getByRole('button', { name: 'Allow all in this chat' }).click()
    await messages.getByText('Which one?').waitFor()
    await first.getByText(/"robin" matches /).waitFor()
    expect(await first.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
    expect((await tasks())[0].assignees ?? []).toEqual([])
    await panel.getByText('Changes are made without asking').waitFor()

    service.play([assign('robin@example.com'), { text: 'It is Robin’s now.' }])
    await say('The person, robin@example.com')
    await messages.getByText('It is Robin’s now').waitFor()
    const second = /^Assign HOM-1 to robin@example.com$/
    await stands(second, 'Done')
    const assigned = async () =>
      (await desk.http('GET', '/api/v1/tasks/HOM-1')).body.data.assignees.map(
        ({ name }: { name: string }) => name,
      )
    expect(await assigned()).toEqual(['Robin'])
    await main.getByRole('img', { name: 'Robin' }).first().waitFor()

    await quiet()
    await card(second).getByRole('button', { name: /^Undo/ }).click()
    await stands(second, 'Undone')
    expect(await assigned()).toEqual([])
    expect(await tasks()).toHaveLength(3)
    expect(await card(second).getByRole('button', { name: /^Undo/ }).count()).toBe(0)
    expect(await box.inputValue()).toBe('')
    expect(await faultsInBothThemes(page)).toEqual([])
    expect(complaints).toEqual([])
  }, 60_000)
})
