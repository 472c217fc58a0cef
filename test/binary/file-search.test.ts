import { afterAll, beforeAll, expect, test } from 'bun:test'
import { docxOf, docxParagraph, pdfOf } from '../support/documents.ts'
import { waitUntil } from '../support/wait.ts'
import { type BoardServer, startBoardServer } from './board-server.ts'

/** Texts of attached files in the search of the built executable. */
let server: BoardServer
let task_id: number

beforeAll(async () => {
  server = await startBoardServer()
  task_id = (await server.createTask({ title: 'Winter' })).task_id
})
afterAll(() => server.close())

const attach = (filename: string, bytes: Uint8Array) =>
  server.http('POST', `/api/v1/tasks/${task_id}/attachments`, {
    body: {
      files: [{ filename, content_type: 'application/octet-stream', data: bytes.toBase64() }],
    },
  })

interface Found {
  text: string
  source: { kind: string; title: string; headings: string[] }
}

/** The best passage, once it is the one that is expected. */
const find = (query: string, text: string) =>
  waitUntil(async () => {
    const path = `/api/v1/search/semantic?query=${encodeURIComponent(query)}`
    const { body } = await server.http('GET', path)
    return (body.data as Found[]).find((found) => found.text === text)
  })

test('the texts of a PDF and of a Word document are found', async () => {
  await attach('mooring.pdf', pdfOf('Contents', 'The mooring rope wears out after two winters'))
  await attach('fares.docx', docxOf(docxParagraph('Children travel free on Sundays')))
  const pdf = await find('how long do ropes last', 'The mooring rope wears out after two winters')
  expect(pdf.source).toMatchObject({ kind: 'file', title: 'mooring.pdf', headings: ['Page 2'] })
  const docx = await find('fares for children', 'Children travel free on Sundays')
  expect(docx.source).toMatchObject({ kind: 'file', title: 'fares.docx' })
})

test('damaged files are found by name, and the files after them by their text', async () => {
  await attach('broken-anchor.pdf', Buffer.from('%PDF-1.7 nothing'))
  await attach('broken-anchor.docx', Buffer.from('PK\u0003\u0004 nothing'))
  await attach('anchor.md', Buffer.from('# Anchor\n\nThe anchor weighs nine stone'))
  await find('anchor weight', 'The anchor weighs nine stone')
  await find('broken anchor', 'broken-anchor.pdf')
  await find('broken anchor', 'broken-anchor.docx')
})
