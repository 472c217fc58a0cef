import { expect, test } from 'bun:test'
import { loadConverter } from '../../src/content/index.ts'
import { cleanRecord } from '../../src/transfer/import/clean.ts'

const BAD = '<p>Paint<img src=x onerror="alert(1)"><script>alert(2)</script></p>'
const SAFE = '<p>Paint<img src="x"></p>'

test('imported HTML is sanitized; Markdown and reports stay unchanged', async () => {
  const content = await loadConverter()
  const clean = (kind: Parameters<typeof cleanRecord>[1], record: object) =>
    cleanRecord(content, kind, record)
  expect(clean('board', { key: 'A', description: BAD })).toEqual({ key: 'A', description: SAFE })
  for (const [kind, field] of [
    ['task', 'description'],
    ['version', 'content'],
    ['comment', 'text'],
  ] as const) {
    expect(clean(kind, { [field]: BAD, content_type: 'html' })).toMatchObject({ [field]: SAFE })
    // Markdown stays unchanged and is sanitized where it is rendered.
    expect(clean(kind, { [field]: BAD, content_type: 'markdown' })).toMatchObject({ [field]: BAD })
  }
  expect(clean('task', { description: null, content_type: 'html' })).toMatchObject({
    description: null,
  })
  expect(clean('report', { body_html: BAD })).toEqual({ body_html: BAD })
})
