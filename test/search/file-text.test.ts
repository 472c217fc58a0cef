import { expect, test } from 'bun:test'
import { zipSync } from 'fflate'
import { MAX_TEXT } from '../../src/search/file-text/blocks.ts'
import { readFile } from '../../src/search/file-text/read-file.ts'
import { openFileReader } from '../../src/search/file-text/reader.ts'
import { splitPassages } from '../../src/search/segments/passages.ts'
import { docxOf, docxParagraph, odtOf, pdfOf, pdfWith } from '../support/documents.ts'

const WORKER = new URL('../../src/search/file-text/worker.ts', import.meta.url).href
const HANGING_WORKER = new URL('./hanging-worker.ts', import.meta.url).href

const passagesOf = async (content: Uint8Array | string, filename = 'file') =>
  splitPassages(
    await readFile(typeof content === 'string' ? Buffer.from(content) : content, filename),
    'html',
  )

test('a PDF has a passage for each page, under its number', async () => {
  expect(await passagesOf(pdfOf('The boiler is in the cellar', 'Its valve is blue'))).toEqual([
    { headings: ['Page 1'], text: 'The boiler is in the cellar' },
    { headings: ['Page 2'], text: 'Its valve is blue' },
  ])
})

test('a Word document is split at its headings, whatever the language of its styles', async () => {
  const body =
    docxParagraph('Heating', 'berschrift1') +
    docxParagraph('The boiler', 'berschrift2') +
    docxParagraph('Its valve is blue &amp; round') +
    '<w:p><w:del><w:r><w:delText>Its valve is red</w:delText></w:r></w:del></w:p>'
  expect(await passagesOf(docxOf(body))).toEqual([
    { headings: ['Heating', 'The boiler'], text: 'Its valve is blue & round' },
  ])
})

test('an OpenDocument text is split at its headings and has no deleted text', async () => {
  const body =
    '<text:tracked-changes><text:p>Its valve is red</text:p></text:tracked-changes>' +
    '<text:h text:outline-level="2">The boiler</text:h>' +
    '<text:p>Its <text:span>valve</text:span><text:s/>is blue<text:line-break/>and round</text:p>'
  expect(await passagesOf(odtOf(body))).toEqual([
    { headings: ['The boiler'], text: 'Its valve is blue\nand round' },
  ])
})

test('markdown and HTML files are split at their headings, and other texts keep their lines', async () => {
  const found = [{ headings: ['Boiler'], text: 'Blue' }]
  expect(await passagesOf('# Boiler\n\nBlue', 'notes.md')).toEqual(found)
  const html = '<!doctype html><title>x</title><script>x</script><h1>Boiler</h1><p>Blue</p>'
  expect(await passagesOf(html)).toEqual(found)
  expect(await passagesOf('# Boiler <b>\n\nBlue', 'boiler.py')).toEqual([
    { headings: [], text: '# Boiler <b>\n\nBlue' },
  ])
})

test('a text is read in UTF-8, in UTF-16 with a byte order mark, and else in Latin-1', async () => {
  const text = 'Größe'
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  for (const bytes of [
    Buffer.from(text),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(text, 'latin1'),
  ])
    expect(await passagesOf(bytes)).toEqual([{ headings: [], text }])
})

test('a file without a text has no passages', async () => {
  const binary = Uint8Array.from({ length: 2000 }, (_, at) => at % 256)
  const archive = zipSync({ 'a.txt': Buffer.from('text') })
  for (const bytes of [binary, archive, pdfOf('')]) expect(await passagesOf(bytes)).toEqual([])
})

test('only the beginning of a very long text is read', async () => {
  const text = await readFile(Buffer.from('word '.repeat(MAX_TEXT)), 'long.txt')
  expect(text.length).toBeLessThan(MAX_TEXT + 100)
})

test('a damaged or encrypted document throws', async () => {
  const pdf = Buffer.from(pdfOf('x')).toString('latin1')
  const encrypted = pdf.replace('/Root 1 0 R', '/Root 1 0 R /Encrypt << /Filter /Standard /V 1 >>')
  for (const bytes of ['%PDF-1.4 nothing', encrypted, 'PK\u0003\u0004 nothing'])
    await expect(readFile(Buffer.from(bytes, 'latin1'), 'x')).rejects.toThrow()
})

test('documents that unpack to far too much are refused without unpacking them', async () => {
  const long = Buffer.alloc(250_000_000, 32)
  const startedAt = performance.now()
  await expect(readFile(pdfWith([long]), 'bomb.pdf')).rejects.toThrow('unpack to more than')
  const bomb = zipSync({ 'word/document.xml': long.subarray(0, 40_000_000) })
  await expect(readFile(bomb, 'bomb.docx')).rejects.toThrow('unpacks to')
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})

test('a deeply nested document is read in linear time', async () => {
  const depth = 500_000
  const body = `${'<w:p>'.repeat(depth)}<w:r><w:t>Blue</w:t></w:r>${'</w:p>'.repeat(depth)}`
  expect(await passagesOf(docxOf(body))).toEqual([{ headings: [], text: 'Blue' }])
})

test('a worker reads files, and one that hangs is replaced', async () => {
  const reader = openFileReader(WORKER)
  expect(await reader.read(pdfOf('Its valve is blue'), 'a.pdf')).toContain('Its valve is blue')
  reader.close()
  const hanging = openFileReader(HANGING_WORKER, { taskMs: 300 })
  await expect(hanging.read(Buffer.from('hang'), 'a')).rejects.toThrow('more than 0.3 s')
  expect(await hanging.read(Buffer.from('Blue'), 'a')).toContain('Blue')
  hanging.close()
})

test('a file that takes too much memory is given up', async () => {
  const hungry = openFileReader(HANGING_WORKER, { memory: 100_000_000 })
  await expect(hungry.read(Buffer.from('grow'), 'a')).rejects.toThrow('memory')
  expect(await hungry.read(Buffer.from('Blue'), 'a')).toContain('Blue')
  hungry.close()
})
