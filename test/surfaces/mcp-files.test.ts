import { expect, test } from 'bun:test'
import { openFiles } from '../../src/files/index.ts'
import { contentOf } from '../../src/surfaces/mcp/file-content.ts'
import { createFolder } from '../binary/cork.ts'
import { callTool } from '../support/surface-calls.ts'
import { world } from '../support/world.ts'

/** Stores a file and returns what a model sees of it. */
async function shown(content_type: string, bytes: Uint8Array) {
  const files = openFiles(createFolder(), undefined)
  const draft = await files.draft(
    (async function* () {
      yield bytes
    })(),
  )
  await draft.save()
  const { sha256, size } = draft
  return contentOf(files, { filename: 'file', content_type, sha256, size })
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const scaled = (width: number, height: number) => new Bun.Image(PIXEL).resize(width, height).png()

/** The size in pixels of the image that a model sees. */
async function sizeOf(bytes: Uint8Array) {
  const [image] = await shown('image/png', bytes)
  if (image?.type !== 'image') throw new Error('It is no image')
  const { width, height, format } = await new Bun.Image(
    Buffer.from(image.data, 'base64'),
  ).metadata()
  expect(image.mimeType).toBe(`image/${format}`)
  return [width, height]
}

test('a large image is scaled down, and a small one keeps its size', async () => {
  expect(await sizeOf(PIXEL)).toEqual([1, 1])
  expect(await sizeOf(await scaled(3000, 1500).bytes())).toEqual([1024, 512])
})

test('a damaged image is explained instead of shown', async () => {
  const [content] = await shown('image/png', PIXEL.subarray(0, 30))
  expect(content).toEqual({ type: 'text', text: expect.stringContaining('is damaged') })
})

test('a text is shown up to 20,000 bytes, with a note on how to read the rest', async () => {
  expect(await shown('text/markdown', Buffer.from('# Größe'))).toEqual([
    { type: 'text', text: '# Größe' },
  ])
  const [content] = await shown('application/json', Buffer.from('ä'.repeat(15_000)))
  if (content?.type !== 'text') throw new Error('It is no text')
  expect(content.text).toStartWith('ä'.repeat(10_000))
  expect(content.text).toEndWith('(10,000 more bytes: download it from its url)')
})

test('other files have no content besides their record', async () => {
  expect(await shown('application/zip', Buffer.from('PK'))).toEqual([])
})

test('svc_attachments get returns the file itself beside its record', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const files = [
    { filename: 'dot.png', content_type: 'image/png', data: PIXEL.toString('base64') },
    { filename: 'notes.md', content_type: 'text/markdown', text: '# Blue' },
  ]
  const { attachments } = await w.cleo['attachments.create']({ task_id, files })
  const contentsOf = async ({ attachment_id }: { attachment_id: number }) => {
    const call = { action: 'get', input: { attachment_id } }
    return (await callTool(w, w.cleo, 'svc_attachments', call)).body.result.content
  }
  const [record, image] = await contentsOf(attachments[0]!)
  expect(JSON.parse(record.text).data).toMatchObject({ filename: 'dot.png' })
  expect(image).toMatchObject({ type: 'image', mimeType: 'image/webp' })
  expect((await contentsOf(attachments[1]!))[1]).toEqual({ type: 'text', text: '# Blue' })
})
