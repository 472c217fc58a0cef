import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

interface SharedFile {
  name: string
  size: number
}

/** Sends the form that a system sends when another app shares with the installed app. */
async function share(page: Page, texts: Record<string, string>, files: readonly SharedFile[]) {
  await page.evaluate(
    ([texts, files]) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'POST', enctype: 'multipart/form-data', action: '/share' })
      for (const [name, value] of Object.entries(texts)) {
        const input = document.createElement('input')
        Object.assign(input, { type: 'hidden', name, value })
        form.append(input)
      }
      const chosen = new DataTransfer()
      for (const { name, size } of files)
        chosen.items.add(new File(['x'.repeat(size)], name, { type: 'image/png' }))
      const input = document.createElement('input')
      Object.assign(input, { type: 'file', name: 'share_files', multiple: true })
      input.files = chosen.files
      form.append(input)
      document.body.append(form)
      form.submit()
    },
    [texts, files] as const,
  )
  await page.waitForURL(/\/my/)
  await page.getByLabel('New task for yourself').waitFor()
}

/** The addresses of the shared files that the browser keeps. */
const keptFiles = (page: Page) =>
  page.evaluate(async () => {
    const requests = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    )
    return requests.flat().flatMap(({ url }) => (url.includes('/shared/') ? url : []))
  })

describe.skipIf(isBrowserSkipped)('what other apps share', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('a shared link becomes the text of a new task, and the address does not keep it', async () => {
    const { page, go, problems } = await app.openSession({ touch: true, width: 390 })
    const shared = { share_title: 'Oak care', share_text: '', share_url: 'https://example.com/oak' }
    await go(`/my?${new URLSearchParams(shared)}`)
    const field = page.getByLabel('New task for yourself')
    await expectEventually(() => field.inputValue(), 'Oak care https://example.com/oak')
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
    await expectEventually(async () => new URL(page.url()).search, '')
    await page.keyboard.press('Enter')
    const titles = async () =>
      (await app.http('GET', `/api/v1/tasks?project_id=${app.project_id}`)).body.data.map(
        (task: { title: string }) => task.title,
      )
    await expectEventually(titles, ['Oak care https://example.com/oak'])
    expect(problems).toEqual([])
  })
  /** Opens the app, and waits until its service worker receives what is shared. */
  async function openInstalled() {
    const session = await app.openSession({ serviceWorker: true, touch: true, width: 390 })
    await session.go('/my')
    const hasWorker = () => session.page.evaluate(() => navigator.serviceWorker.controller !== null)
    await expectEventually(hasWorker, true)
    return session
  }

  /** The names of the files of a task, which has exactly this title. */
  async function filesOf(title: string): Promise<string[] | undefined> {
    const tasks = (await app.http('GET', `/api/v1/tasks?project_id=${app.project_id}`)).body.data
    const task = tasks.find((one: { title: string }) => one.title === title)
    if (!task) return undefined
    const path = `/api/v1/tasks/${task.ticket_number}/attachments`
    const files: { filename: string }[] = (await app.http('GET', path)).body.data
    return files.map(({ filename }) => filename)
  }

  test('shared files wait for the new task, which gets those that were not removed', async () => {
    const { page, problems } = await openInstalled()
    const files = ['fence.png', 'gate.png'].map((name) => ({ name, size: 2000 }))
    await share(page, { share_title: 'Broken fence' }, files)
    const field = page.getByLabel('New task for yourself')
    await expectEventually(() => field.inputValue(), 'Broken fence')
    await expectEventually(async () => new URL(page.url()).search, '')
    const group = page.getByRole('group', { name: 'Files for the new task' })
    await group.getByText('gate.png').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await group.getByRole('button', { name: 'Remove gate.png' }).click()
    await group.getByText('gate.png').waitFor({ state: 'hidden' })
    await expectEventually(async () => (await keptFiles(page)).length, 1)
    await page.reload()
    await group.getByText('fence.png').waitFor()
    await field.press('Enter')
    await expectEventually(() => filesOf('Broken fence'), ['fence.png'])
    await expectEventually(() => keptFiles(page), [])
    expect(await group.isVisible()).toBe(false)
    expect(problems).toEqual([])
  })

  test('a shared file above the limit is not kept, and the page says so', async () => {
    const { page, problems } = await openInstalled()
    const files = [
      { name: 'film.png', size: 15 * 1024 * 1024 + 1 },
      { name: 'photo.png', size: 10 },
    ]
    await share(page, {}, files)
    await page.getByRole('alert').getByText('Not every shared file arrived.').waitFor()
    const group = page.getByRole('group', { name: 'Files for the new task' })
    expect(await group.getByText('.png').allTextContents()).toEqual(['photo.png'])
    expect(problems).toEqual([])
  })

  test('signing out forgets shared files', async () => {
    const { page } = await openInstalled()
    await share(page, { share_text: 'Secret' }, [{ name: 'secret.png', size: 100 }])
    await page.getByText('secret.png').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('Sign out')
    await page.getByRole('option', { name: 'Sign out' }).first().click()
    await page.waitForURL(/sign-in/)
    await expectEventually(() => keptFiles(page), [])
  })

  test('without the service worker the text arrives, and the page says that files do not', async () => {
    const { page, go, problems } = await app.openSession()
    await go('/my')
    await share(page, { share_title: 'Gate' }, [{ name: 'gate.png', size: 200_000 }])
    const field = page.getByLabel('New task for yourself')
    await expectEventually(() => field.inputValue(), 'Gate')
    await page.getByRole('alert').getByText('Not every shared file arrived.').waitFor()
    await field.press('Enter')
    await expectEventually(() => filesOf('Gate'), [])
    expect(await page.getByText('Not every shared file arrived.').isVisible()).toBe(false)
    expect(problems).toEqual([])
  })
})
