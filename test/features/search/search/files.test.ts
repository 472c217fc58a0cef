import { expect, test } from 'bun:test'
import { startIndexing } from '../../../../src/features/search/search/model/index.ts'
import { Fault } from '../../../../src/kernel/fault.ts'
import type { FileStore } from '../../../../src/kernel/services.ts'
import { readFile } from '../../../../src/search/file-text/read-file.ts'
import { LocalIndex } from '../../../../src/search/passage-index/local-index.ts'
import { bucket } from '../../../files/bucket.ts'
import { addCleanup } from '../../../support/database.ts'
import { docxOf, docxParagraph, pdfOf } from '../../../support/documents.ts'
import { waitUntil } from '../../../support/wait.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const BOILER = 'The boiler valve is blue'

/** Attaches a file to a task and returns the id of the attachment. */
async function attach(
  { actor, task_id }: { actor: Actor; task_id: number },
  filename: string,
  bytes: Uint8Array = pdfOf('Contents', BOILER),
): Promise<number> {
  const file = { filename, content_type: 'application/octet-stream', data: bytes.toBase64() }
  const { attachments } = await actor['attachments.create']({ task_id, files: [file] })
  return attachments[0]!.attachment_id
}

const searchFiles = (actor: Actor, query: string) =>
  actor['search.semantic']({ query, metadata_filters: { kind: 'file' } })

test('a passage of an attached PDF is found with its page, file name and task', async () => {
  const w = await world()
  const { task_id } = w.tasks.copy
  const id = await attach({ actor: w.cleo, task_id }, 'handbook.pdf')
  const [found] = await w.ada['search.semantic']({ query: 'Which colour has the boiler valve?' })
  expect(found).toMatchObject({
    text: BOILER,
    source: {
      ...{ kind: 'file', id, title: 'handbook.pdf', headings: ['Page 2'], task_id },
      ...{ ticket_number: 'HP-2', url: 'http://localhost/t/HP-2', author: { name: 'Cleo' } },
    },
  })
})

test('a file without a text is found by its name', async () => {
  const w = await world()
  const { task_id } = w.tasks.copy
  const id = await attach({ actor: w.cleo, task_id }, 'boiler-photo.bin', Buffer.from([0, 1, 2]))
  const broken = await attach({ actor: w.cleo, task_id }, 'boiler.pdf', Buffer.from('%PDF-1.4 no'))
  const found = await searchFiles(w.ada, 'boiler')
  expect(found.map(({ text, source }) => [source.id, text]).sort()).toEqual([
    [id, 'boiler-photo.bin'],
    [broken, 'boiler.pdf'],
  ])
})

test('a deleted attachment, and one of a deleted comment or task, is not found', async () => {
  const w = await world()
  const { copy, logo } = w.tasks
  const attachment_id = await attach({ actor: w.cleo, task_id: copy.task_id }, 'a.pdf')
  await attach({ actor: w.cleo, task_id: logo.task_id }, 'b.pdf')
  const { comment_id } = await w.cleo['comments.add']({ task_id: copy.task_id, text: 'See below' })
  const docx = docxOf(docxParagraph(BOILER))
  await w.cleo['attachments.create']({
    comment_id,
    files: [{ filename: 'c.docx', content_type: 'application/zip', data: docx.toBase64() }],
  })
  const names = async () => {
    const found = await searchFiles(w.ada, 'blue boiler valve')
    return [...new Set(found.map(({ source }) => source.title))].sort()
  }
  expect(await names()).toEqual(['a.pdf', 'b.pdf', 'c.docx'])
  await w.cleo['attachments.delete']({ attachment_id })
  expect(await names()).toEqual(['b.pdf', 'c.docx'])
  await w.cleo['comments.delete']({ comment_id })
  expect(await names()).toEqual(['b.pdf'])
  await w.ada['tasks.update']({ task_id: logo.task_id, status: 'Deleted' })
  expect(await names()).toEqual([])
  await w.ada['tasks.update']({ task_id: logo.task_id, status: 'Normal' })
  expect(await names()).toEqual(['b.pdf'])
})

test('the files of a task move with it to a board that others cannot see', async () => {
  const w = await world()
  const { task_id } = w.tasks.copy
  await attach({ actor: w.cleo, task_id }, 'handbook.pdf')
  const sections = [{ title: 'Now' }]
  const board = { team_id: w.team_id, title: 'Secret', sections, access: 'invited' as const }
  const { project_id } = await w.ada['projects.create'](board)
  expect(await searchFiles(w.cleo, 'boiler')).not.toEqual([])
  await w.ada['tasks.move']({ task_id, target_project_id: project_id })
  expect(await searchFiles(w.cleo, 'boiler')).toEqual([])
  const [found] = await w.ada['search.semantic']({ query: 'boiler', project_id })
  expect(found).toMatchObject({ text: BOILER, source: { kind: 'file', project_id } })
})

test('files in an S3 bucket are read', async () => {
  const { where, stop } = bucket()
  addCleanup(async () => void (await stop()))
  const env = {
    CORK_S3_ENDPOINT: where.endpoint,
    CORK_S3_BUCKET: where.bucket,
    CORK_S3_REGION: where.region,
    CORK_S3_ACCESS_KEY: where.accessKeyId,
    CORK_S3_SECRET_KEY: where.secretAccessKey,
  }
  const w = await world({ env })
  await attach({ actor: w.cleo, task_id: w.tasks.copy.task_id }, 'handbook.pdf')
  const [found] = await searchFiles(w.ada, 'blue boiler valve')
  expect(found).toMatchObject({ text: BOILER, source: { title: 'handbook.pdf' } })
})

/** Starts indexing with a reader that the test controls. */
function startWithReader(
  { store, files }: Pick<World, 'store'> & { files: Pick<FileStore, 'read'> },
  read: typeof readFile,
) {
  const logged: string[] = []
  const record = (_: object, text?: string) => void logged.push(text ?? '')
  const log = { info: record, warn: record, error: record }
  const index = new LocalIndex({ path: ':memory:', memory: 32e6, log })
  const fileTexts = { files, readText: read }
  const { searchIndex, stop } = startIndexing({ store, index, log, fileTexts })
  addCleanup(async () => {
    await stop()
    await index.close()
  })
  return { searchIndex, logged, index }
}

test('a slow file is found by its name at once, and does not delay comments', async () => {
  const w = await world()
  const reading = Promise.withResolvers<void>()
  const { searchIndex } = startWithReader(w, async (...file) => {
    await reading.promise
    return readFile(...file)
  })
  const finds = (text: string) => async () =>
    (await searchIndex.search({ text, projects: [w.board.project_id], limit: 1 })).length > 0
  const { task_id } = w.tasks.copy
  await attach({ actor: w.cleo, task_id }, 'handbook.pdf')
  await waitUntil(finds('handbook'))
  await w.cleo['comments.add']({ task_id, text: 'A zeppelin' })
  await waitUntil(finds('zeppelin'))
  expect(await finds('valve')()).toBe(false)
  reading.resolve()
  await waitUntil(finds('valve'))
})

test('a file that breaks the reader is logged once and not read again', async () => {
  const w = await world()
  let count = 0
  const { logged, index } = startWithReader(w, async () => {
    count++
    throw new Fault('too_large', 'It takes more than 20 s to read')
  })
  const { task_id } = w.tasks.copy
  await attach({ actor: w.cleo, task_id }, 'handbook.pdf')
  await waitUntil(() => count > 0)
  await w.ada['tasks.update']({ task_id, title: 'Write the text' })
  await waitUntil(async () => !(await index.unreadFiles()).length)
  expect([count, logged]).toEqual([1, ['An attached file is found by name only']])
})

test('a file that cannot be loaded stays unread and does not block the others', async () => {
  const w = await world()
  const { task_id } = w.tasks.copy
  const lost = await attach({ actor: w.cleo, task_id }, 'lost.txt', Buffer.from('Lost'))
  await attach({ actor: w.cleo, task_id }, 'handbook.pdf')
  let isFirst = true
  const read: FileStore['read'] = async (sha256) => {
    if (!isFirst) return w.files.read(sha256)
    isFirst = false
    throw new Error('The bucket does not answer')
  }
  const { searchIndex, logged, index } = startWithReader({ ...w, files: { read } }, readFile)
  const query = { text: 'blue valve', projects: [w.board.project_id], limit: 1 }
  await waitUntil(async () => (await searchIndex.search(query))[0]?.text === BOILER)
  expect(await index.unreadFiles()).toEqual([lost])
  expect(logged).toEqual(['A file cannot be read now; retrying'])
})
