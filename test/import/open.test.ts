import { expect, test } from 'bun:test'
import { strToU8, zipSync } from 'fflate'
import { detect, detectInFolder, folderFilter, openFiles } from '../../src/import/open.ts'
import { planImport } from '../../src/import/plan.ts'
import { ImportProblem } from '../../src/import/problem.ts'
import { type Source, type SourceFile, textFile } from '../../src/import/source.ts'
import { recordsSource } from './records-source.ts'

const zip = (path: string, content: Record<string, string | Uint8Array>): SourceFile => {
  const entries = Object.entries(content).map(([name, data]) => [
    name,
    typeof data === 'string' ? strToU8(data) : data,
  ])
  const bytes = zipSync(Object.fromEntries(entries))
  return { path, size: bytes.length, bytes: async () => bytes }
}

const contentOf = async (files: SourceFile[]) =>
  Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [file.path, new TextDecoder().decode(await file.bytes())]),
    ),
  )

const opened = async (...files: SourceFile[]) => contentOf(await openFiles(files))

test('a zip archive is opened whatever its name, without the files of the system', async () => {
  const archive = zip('export', {
    ...{ 'boards/a.json': 'A', '__MACOSX/a.json': 'x', '.DS_Store': 'x' },
  })
  expect(await opened(archive)).toEqual({ 'boards/a.json': 'A' })
})

test('the archives in an archive, and several archives, are opened as one', async () => {
  const bytesOf = (content: Record<string, string>) => zip('part.zip', content).bytes()
  const parts = zip('export.zip', {
    'Part-1.zip': await bytesOf({ 'a.csv': 'A' }),
    'Part-2.zip': await bytesOf({ 'b.csv': 'B' }),
  })
  expect(await opened(parts)).toEqual({ 'a.csv': 'A', 'b.csv': 'B' })
  expect(await opened(zip('1.zip', { a: 'A' }), zip('2.zip', { b: 'B' }))).toEqual({
    ...{ a: 'A', b: 'B' },
  })
})

test('an archive among other files is an attachment and stays closed', async () => {
  const inner = await zip('x', { secret: 'S' }).bytes()
  const files = await openFiles([zip('export.zip', { 'a.json': 'A', 'logs.zip': inner })])
  expect(files.map(({ path }) => path)).toEqual(['a.json', 'logs.zip'])
  const listed = await openFiles([textFile('a.json', 'A'), zip('logs.zip', { a: 'A' })])
  expect(listed.map(({ path }) => path)).toEqual(['a.json', 'logs.zip'])
})

test('files that are no archives stay as they are', async () => {
  expect(await opened(textFile('a.zip', 'PK, but not an archive of files'))).toEqual({
    'a.zip': 'PK, but not an archive of files',
  })
  expect(await opened()).toEqual({})
})

test('a spreadsheet is refused with the advice to save it as CSV', async () => {
  const book = zip('tasks.xlsx', { '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '' })
  expect(openFiles([book])).rejects.toThrow(
    'tasks.xlsx: The file is a spreadsheet or document of Office. Save it as CSV, then import that',
  )
})

const other: Source = {
  ...recordsSource,
  ...{ name: 'other', title: 'Other', accepts: 'a CSV file' },
  detects: async ([file]) => {
    if (file?.path.endsWith('.json')) throw new ImportProblem('Not CSV', 'Save it as CSV')
    return file?.path.endsWith('.csv') === true
  },
}
const sources = { other: async () => other, records: async () => recordsSource }

const detected = async (path: string, name?: string) =>
  (await detect([textFile(path, '')], name, sources)).name

test('the first source that knows the files is chosen, unless one is named', async () => {
  expect(await detected('tasks.csv')).toBe('other')
  expect(await detected('records.json')).toBe('records')
  expect(await detected('tasks.csv', 'records')).toBe('records')
})

test('unknown files and names are refused with a list of what can be imported', async () => {
  const list = [
    'These can be imported:',
    '  other    Other: a CSV file',
    '  records  Records: a file records.json',
  ].join('\n')
  expect(detected('photo.png')).rejects.toThrow(`No source recognizes photo.png. ${list}`)
  expect(detected('cards.json')).rejects.toThrow(
    `No source recognizes cards.json (Not CSV. Save it as CSV). ${list}`,
  )
  expect(detected('tasks.csv', 'toString')).rejects.toThrow(
    `There is no source "toString". ${list}`,
  )
  expect(detect([], undefined, sources)).rejects.toThrow(`There are no files to import. ${list}`)
})

test('in a folder each source gets only its own files', async () => {
  const files = ['src/records.json', 'README.md'].map((path) => textFile(path, ''))
  const inFolder = await folderFilter(sources)
  expect(files.map(({ path }) => inFolder(path))).toEqual([true, false])
  const found = await detectInFolder(files, undefined, { records: sources.records })
  expect([found.source.name, found.files]).toEqual(['records', [files[0]!]])
  const md = { ...recordsSource, name: 'md', inFolder: /\.md$/, detects: async () => false }
  const both = { md: async () => md, records: sources.records }
  expect((await detectInFolder(files, undefined, both)).source.name).toBe('records')
  expect((await detectInFolder(files, 'md', both)).files).toEqual([files[1]!])
  expect(detectInFolder([], undefined, both)).rejects.toThrow(
    'The folder contains no files of a source. These can be imported:',
  )
  expect(detectInFolder([files[1]!], 'records', both)).rejects.toThrow(
    'The folder contains no files of "records"',
  )
})

test('a CSV file that is broken is refused with the line of the mistake', async () => {
  const broken = textFile('tasks.csv', 'Title,Notes\nTar the ropes,"no end\n')
  const problem = await detect([broken]).catch((error: Error) => error.message)
  expect(problem).toMatch(/No source recognizes tasks\.csv \(tasks\.csv, line \d+.*not valid CSV/)
})

test('a file that is not UTF-8 goes to its product, which says so', async () => {
  const bytes = Uint8Array.from([
    ...new TextEncoder().encode('BEGIN:VCALENDAR\nBEGIN:VTODO\n'),
    0xe4,
  ])
  const file = { path: 'a.ics', size: bytes.length, bytes: async () => bytes }
  const source = await detect([file])
  expect(source.name).toBe('ics')
  const planned = await planImport(source, [file]).catch((error: Error) => error.message)
  expect(planned).toContain('The file is not text in UTF-8')
})
