import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { historyFromImport } from '../../src/features/pages/pages/model/index.ts'
import { applySteps, type Step, stepsBack } from '../../src/features/pages/pages/model/steps.ts'
import { checkFile } from '../../src/transfer/import/check-file.ts'
import { exportLines } from '../binary/export-lines.ts'
import { type Lines, roundTrip, writeExport } from './round-trip.ts'

const BAD = '<p>Paint<img src=x onerror="alert(1)"></p>'
const SAFE = '<p>Paint<img src="x"></p>'
const ofPages = (lines: object[]) =>
  lines.filter((line) => 'page' in line || 'page_version' in line) as Lines

test('pages are the same after import and export: nesting, archive, versions and authors', async () => {
  const lines = exportLines(24)
  expect(ofPages(lines)).toHaveLength(12)
  expect(ofPages(await roundTrip(lines))).toEqual(ofPages(lines))
})

test('a page that is too long for rendering as HTML is imported and exported', async () => {
  const content = '# a\n'.repeat(24_000)
  const long = (exportLines(24) as Lines).flatMap((line) => {
    const { page, page_version: version } = line
    if (version) return version.version === 1 ? [{ page_version: { ...version, back: null } }] : []
    const now = { content_type: 'markdown', canvas: false, version: 1, content }
    return page ? [{ page: { ...page, ...now } }] : [line]
  })
  const sent = ofPages(long).filter(({ page }) => page?.content === content)
  expect(sent.length).toBeGreaterThan(0)
  const imported = ofPages(await roundTrip(long)).filter(({ page }) => page?.content === content)
  expect(imported).toHaveLength(sent.length)
})

test('imported HTML pages are sanitized in all versions, and canvases stay unchanged', async () => {
  const dirty = (exportLines(24) as Lines).map((line) => {
    const { page, page_version: version } = line
    const html = { content_type: 'html' }
    if (page && !page.canvas) return { page: { ...page, ...html, content: BAD } }
    if (!version || version.canvas) return line
    const steps = [null, [BAD], [[0, BAD.length], BAD]][(version.version as number) - 1]
    return { page_version: { ...version, ...html, back: steps } }
  })
  const imported = ofPages(await roundTrip(dirty))
  const page = imported.find((line) => line.page && !line.page.canvas)!.page!
  expect(page.content).toBe(SAFE)
  expect(imported.find((line) => line.page?.canvas)!.page!.content).toContain('onload="draw()"')
  const backwardSteps = imported
    .filter(({ page_version: one }) => one?.page === page.public_id)
    .map(({ page_version: one }) => one!.back as Step[] | null)
  let text = SAFE
  const texts = [text]
  for (const step of backwardSteps.slice(0, -1)) {
    text = applySteps(step!, text)
    texts.push(text)
  }
  expect([texts, backwardSteps.at(-1)]).toEqual([[SAFE, SAFE + SAFE, SAFE], null])
})

/** Characters of one and of two UTF-16 units, and line breaks. */
const Text = fc.string({ unit: fc.constantFrom('a', 'b', '🧂', 'ö', '\n'), maxLength: 60 })

test('any imported page history restores the text of each version', () => {
  fc.assert(
    fc.property(fc.array(Text, { minLength: 1, maxLength: 30 }), fc.boolean(), (texts, dirty) => {
      const clean = (text: string) => (dirty ? text.replaceAll('b', '') : text)
      const newestFirst = texts.toReversed()
      const versions = newestFirst.map((text, at) => {
        const before = newestFirst[at + 1]
        const back = before === undefined ? null : stepsBack(before, text)
        return { content_type: 'html' as const, canvas: false, back }
      })
      const history = historyFromImport(newestFirst[0]!, versions, clean)
      expect(history.pieces.join('')).toBe(clean(newestFirst[0]!))
      let text = history.pieces.join('')
      for (const [at, { back, whole, length }] of history.versions.entries()) {
        expect(text).toBe(clean(newestFirst[at]!))
        expect(length).toBe(text.length)
        if (whole !== null) expect(whole).toBe(text)
        if (back) text = applySteps(back, text)
      }
    }),
  )
})

test('a long history stores some of its versions as full texts', () => {
  const text = (n: number) => `${n} `.repeat(3000)
  const input = Array.from({ length: 40 }, (_, at) => ({
    ...{ content_type: 'markdown' as const, canvas: false },
    back: at === 39 ? null : stepsBack(text(38 - at), text(39 - at)),
  }))
  const { versions, length } = historyFromImport(text(39), input, (one) => one)
  expect(length).toBe(text(39).length)
  const fullVersions = versions.flatMap((one, at) => (one.whole === null ? [] : [at]))
  expect(fullVersions.length).toBeGreaterThan(2)
  for (const at of fullVersions) expect(versions[at]!.whole).toBe(text(39 - at))
})

const INVALID_FILES: [string, (lines: Lines) => object[], string][] = [
  [
    'a version that is missing',
    (lines) => lines.filter(({ page_version: one }) => one?.version !== 2),
    'comes where version 2 is expected',
  ],
  [
    'the last version missing',
    (lines) => lines.filter(({ page_version: one }) => one?.page !== 'pg_belowWEB-12'),
    'lacks its version 1',
  ],
  [
    'a range outside the text',
    (lines) => withFields(lines, 'page_version', { version: 3 }, { back: [[0, 12]] }),
    'refers to characters that do not exist',
  ],
  [
    'a text that grows without limit',
    (lines) =>
      withFields(lines, 'page_version', { version: 3 }, { back: Array(200_000).fill([0, 11]) }),
    'too long',
  ],
  [
    'a page whose parent belongs to another task',
    (lines) =>
      withFields(lines, 'page', { public_id: 'pg_belowWEB-12' }, { parent: 'pg_topWEB-24' }),
    'its task does not have',
  ],
  [
    'a page under itself',
    (lines) =>
      withFields(lines, 'page', { public_id: 'pg_topWEB-12' }, { parent: 'pg_belowWEB-12' }),
    'nested under itself',
  ],
  [
    'two pages of one name',
    (lines) =>
      withFields(lines, 'page', { public_id: 'pg_belowWEB-12' }, { public_id: 'pg_topWEB-12' }),
    'two pages pg_topWEB-12',
  ],
]

/** The lines, with fields replaced in those of that kind that match `match`. */
const withFields = (lines: Lines, kind: string, match: object, other: object) =>
  lines.map((line) => {
    const fields = line[kind]
    const isOne = fields && Object.entries(match).every(([field, value]) => fields[field] === value)
    return isOne ? { [kind]: { ...fields, ...other } } : line
  })

test('a file with an inconsistent page or page history is refused with the reason', async () => {
  for (const [name, alter, message] of INVALID_FILES) {
    const refused = checkFile(await writeExport(alter(exportLines(24) as Lines)))
    expect([name, await refused.catch(String)]).toEqual([name, expect.stringContaining(message)])
  }
})
