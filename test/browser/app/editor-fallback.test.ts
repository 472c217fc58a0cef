import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('without the code of the editor', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  /** A page whose browser cannot load the editor, as after an update of the server. */
  async function openBlocked(path: string) {
    const session = await app.openSession({ ignoredMessages: /Failed to load resource/ })
    await session.context.route(/\/assets\/(codemirror|session)-/, (route) => route.abort())
    await session.go(path)
    return session
  }
  const markdown = (description: string) => ({ description, content_type: 'markdown' })
  const descriptionOf = async (id: number): Promise<string> =>
    (await app.http('GET', `/api/v1/tasks/${id}?format=markdown`)).body.data.description

  test('a description is edited as plain text and saved', async () => {
    const task = await app.createTask({ title: 'Paint the gate', ...markdown('Blue') })
    const { page, context, problems } = await openBlocked(`/t/${task.ticket_number}`)
    const section = page.getByRole('region', { name: 'Description' })
    await section.getByRole('button', { name: 'Edit' }).click()
    const field = section.getByRole('textbox', { name: 'Description' })
    await page.getByText('The editor could not be loaded').waitFor()
    await expectEventually(() => field.inputValue(), 'Blue')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.keyboard.press('End')
    await page.keyboard.type(' and white')
    await section.getByRole('button', { name: /^Save/ }).click()
    await section.getByText('Blue and white').waitFor()
    await field.waitFor({ state: 'detached' })
    expect(await descriptionOf(task.task_id)).toBe('Blue and white')

    await section.getByRole('button', { name: 'Edit' }).click()
    await field.waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type(', twice')
    await page.keyboard.press('Control+s')
    await expectEventually(() => descriptionOf(task.task_id), 'Blue and white, twice')
    expect(problems).toEqual([])
    await context.close()
  })

  test('what was typed and not saved is offered again', async () => {
    const task = await app.createTask({ title: 'Fix the latch', ...markdown('Loose') })
    const { page, context, problems } = await openBlocked(`/t/${task.ticket_number}`)
    const section = page.getByRole('region', { name: 'Description' })
    await section.getByRole('button', { name: 'Edit' }).click()
    await page.getByText('The editor could not be loaded').waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type(' screw')
    await page.keyboard.press('Escape')
    await section.getByRole('textbox', { name: 'Description' }).waitFor({ state: 'detached' })
    await section.getByRole('button', { name: 'Edit' }).click()
    const field = section.getByRole('textbox', { name: 'Description' })
    await expectEventually(() => field.inputValue(), 'Loose screw')
    expect(problems).toEqual([])
    await context.close()
  })

  test('a comment is written in a plain field', async () => {
    const task = await app.createTask({ title: 'Oil the lock' })
    const { page, context, problems } = await openBlocked(`/t/${task.ticket_number}`)
    const field = page.getByRole('textbox', { name: 'Comment' })
    await field.click()
    await page.keyboard.type('Done **twice**')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Done twice').waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('a page is edited as plain text and saved', async () => {
    const task = await app.createTask({ title: 'Plan the garden' })
    const { page_id } = (
      await app.http('POST', `/api/v1/tasks/${task.ticket_number}/pages`, {
        body: { title: 'Plan', content: 'Roses' },
      })
    ).body.data
    const { page, context, problems } = await openBlocked(`/p/${page_id}`)
    await page.getByRole('button', { name: /^Edit/ }).click()
    await page.getByText('The editor could not be loaded').waitFor()
    const field = page.getByRole('textbox', { name: 'Text' })
    await expectEventually(() => field.inputValue(), 'Roses')
    await page.keyboard.press('End')
    await page.keyboard.type(' and mint')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Roses and mint').waitFor()
    await field.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
    await context.close()
  })
})
