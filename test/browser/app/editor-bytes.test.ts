import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { waitUntil } from '../../support/wait.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

const BLOCKS = [
  '# Heading #',
  'Setext\n======',
  'a **bold** and __strong__, *em* and _em_, ~~del~~, `code`  \nhard break\\\nend',
  '- [ ] box\n* [X]   box\n\t+ tab',
  '  1) one\n   2. two\n10. ten',
  '> quote\n>> nested\nlazy',
  '> [!NOTE]\n>no space',
  '| a|b |\n|:-|---:|\n|1\\|2|\n| |',
  'a | b\n-|-\n c|',
  '```ts\nconst a = 1\n```',
  '~~~\nopen fence',
  '    indented\tcode',
  '<div align="x">\n\n<b>html</b>\n</div>',
  '<!-- comment -->',
  '***\n- - -\n___',
  '![alt](/api/v1/attachments/9/content#3x4) [t](</u v> "x") <https://a.b> https://c.d',
  '[^1] text [ref][r]\n\n[r]: /x\n[^1]: note',
  'HOM-1 @Ada :tada: \\* &amp; ©  ​',
  'مرحبا **بالعالم** 👩‍👩‍👧 e\u0301',
  '   ',
  '',
]

const document = fc
  .array(fc.tuple(fc.constantFrom(...BLOCKS), fc.constantFrom('\n', '\n\n', '\n\n\n', '\r\n')), {
    minLength: 1,
    maxLength: 9,
  })
  .chain((parts) =>
    fc.boolean().map((isCrlf) => {
      const text = `x\n${parts.flat().join('')}y`
      return isCrlf ? text.replace(/\r?\n/g, '\r\n') : text
    }),
  )

describe.skipIf(isBrowserSkipped)('a text that is opened in the editor', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const stored = async (task_id: number) => {
    const { body } = await app.http('GET', `/api/v1/tasks/${task_id}`)
    return body.data as { description: string; description_version: number }
  }

  test('keeps every byte that is not edited', async () => {
    const { page, problems, go } = await app.openSession({ ignoredMessages: /404/ })
    for (const description of fc.sample(document, { numRuns: 12 })) {
      const { task_id, ticket_number } = await app.createTask({
        ...{ title: 'Keep', description, content_type: 'markdown' },
      })
      const before = await stored(task_id)
      const edit = async (keys: readonly string[], typed = '') => {
        await go(`/t/${ticket_number}`)
        const region = page.getByRole('region', { name: 'Description' })
        await region.getByRole('button', { name: 'Edit' }).click()
        await page.locator('.description .code:not([hidden])').waitFor()
        for (const key of keys) await page.keyboard.press(key)
        if (typed) await page.keyboard.type(typed)
        await page.keyboard.press('Control+Enter')
        await region.getByRole('button', { name: 'Edit' }).waitFor()
      }
      const moves = ['Control+End', 'ArrowUp', 'ArrowLeft', 'Control+Home', 'ArrowDown']
      await edit([...moves, 'Control+/', ...moves, 'Control+/', 'End', 'ArrowDown', 'Home'])
      expect(await stored(task_id)).toEqual(before)
      await edit(['Control+Home'], 'Q')
      const first = `Q${before.description}`
      await waitUntil(async () => (await stored(task_id)).description !== before.description)
      expect((await stored(task_id)).description).toBe(first)
      await edit(['Control+End'], 'Z')
      await waitUntil(async () => (await stored(task_id)).description !== first)
      expect((await stored(task_id)).description).toBe(`${first}Z`)
    }
    expect(problems).toEqual([])
  }, 180_000)
})
