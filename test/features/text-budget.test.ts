import { expect, test } from 'bun:test'
import { world } from '../support/world.ts'

test('a credential out of processor time is refused with 429 before its body is parsed', async () => {
  const w = await world({ env: { CORK_TEXT_SECONDS: '1' } })
  const send = (actor: { secret: string }, text: string) =>
    w.app.handle(
      new Request('http://localhost/api/v1/preview', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${actor.secret}`,
          'content-type': 'application/json',
          'content-length': String(text.length),
        },
        body: JSON.stringify({ text }),
      }),
    )
  let refusal: Response | undefined
  for (let n = 0; n < 40 && !refusal; n++) {
    const response = await send(w.gus, `${n} ${'[a](b) *c* '.repeat(3000)}`)
    if (response.status === 429) refusal = response
  }
  const { message, details } = await refusal!.json()
  expect(message).toContain('1 s of processor time')
  expect(details).toMatchObject({ budget: 'text_seconds' })
  expect(refusal!.headers.get('retry-after')).toBe(String(details.retry_after))
  expect(details.retry_after).toBeWithin(1, 61)
  // The body is not valid JSON, so a 429 shows that it was not parsed.
  const unread = new Request('http://localhost/api/v1/preview', {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${w.gus.secret}`, 'content-type': 'application/json' },
      'content-length': '20000',
    },
    body: '{'.repeat(20_000),
  })
  expect((await w.app.handle(unread)).status).toBe(429)
  expect((await send(w.cleo, '*short*')).status).toBe(200)
  expect(await w.gus['tasks.list']({})).toBeDefined()
})
