import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { databaseContents } from '../../../support/tables.ts'
import { world } from '../../../support/world.ts'

test('a preview renders markdown as a comment would show it, and stores nothing', async () => {
  const w = await world()
  const { cleo, tasks } = w
  const text = '# Colours\n\n- [x] **two**\n- [ ] three\n\n| a | b |\n|---|---|\n| 1 | 2 |'
  const before = await databaseContents(w)
  const { html } = await cleo['drafts.preview']({ text })
  expect(await databaseContents(w)).toBe(before)
  expect(html).toContain('<h1>Colours</h1>')
  expect(html).toContain('<strong>two</strong>')
  expect(html).toContain('<td>2</td>')
  const { task_id } = tasks.logo
  await cleo['comments.add']({ task_id, text, content_type: 'markdown' })
  const { items } = await cleo['comments.list']({ task_id, format: 'html' })
  expect(items.at(-1)).toMatchObject({ text: html })
})

test('a preview contains no scripts, and a blank text renders as empty HTML', async () => {
  const { cleo } = await world()
  const text = '<script>alert(1)</script><img src=x onerror=alert(1)>\n\n[so](javascript:alert(1))'
  const { html } = await cleo['drafts.preview']({ text })
  expect(html).not.toMatch(/<script|onerror|javascript/i)
  expect(html).toContain('&lt;script>alert(1)&lt;/script>')
  expect(html).toContain('so')
  expect(await cleo['drafts.preview']({ text: ' \n ' })).toEqual({ html: '' })
})

test('over REST a preview answers 200, needs tasks:read, and refuses empty or too long texts', async () => {
  const { cleo, gus, authenticateAs, http } = await world()
  const ask = (actor: { secret: string } | undefined, text: unknown) =>
    http(actor, 'POST', '/api/v1/preview', { text })
  const { status, body } = await ask(gus, '*so*')
  expect([status, body.data]).toEqual([200, { html: '<p><em>so</em></p>\n' }])
  expect((await ask(undefined, 'so')).status).toBe(401)
  const limited = await authenticateAs(cleo.caller.actor_id, 'key', ['profile:read'])
  expect((await ask(limited, 'so')).status).toBe(403)
  expect((await ask(cleo, '')).body.details).toMatchObject({ field: 'text', code: 'required' })
  const long = await faultOf(cleo['drafts.preview']({ text: 'x'.repeat(1_048_577) }))
  expect(long.details).toMatchObject({ field: 'text', code: 'too_long' })
})
