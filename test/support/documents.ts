import { deflateSync } from 'node:zlib'
import { zipSync } from 'fflate'

/** A PDF with one line of Latin text on each page. */
export function pdfOf(...pages: string[]): Uint8Array {
  const contents = pages.map((text) => `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`)
  return pdfWith(contents.map((content) => Buffer.from(content)))
}

/** A PDF whose pages have the given content streams. */
export function pdfWith(contents: readonly Uint8Array[]): Uint8Array {
  const kids = contents.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R ` +
        '/Resources << /Font << /F1 3 0 R >> >> >>',
      streamOf(deflateSync(content)),
    ]),
  ]
  return assemblePdf(objects)
}

const streamOf = (packed: Uint8Array) =>
  Buffer.concat([
    Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ])

function assemblePdf(objects: readonly (string | Buffer)[]): Uint8Array {
  const chunks = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let length = chunks[0]!.length
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    const parts = [
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]
    chunks.push(...parts)
    length += parts.reduce((sum, part) => sum + part.length, 0)
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  chunks.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}` +
        `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return new Uint8Array(Buffer.concat(chunks))
}

const zipOf = (files: Record<string, string>) =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
  )

/** A Word document of the given paragraphs, in XML. Its heading styles have German ids. */
export const docxOf = (body: string) =>
  zipOf({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${body}</w:body></w:document>`,
    'word/styles.xml':
      '<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>' +
      '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>',
  })

/** A paragraph of a Word document, in two runs. */
export const docxParagraph = (text: string, style?: string) => {
  const middle = text.length / 2
  const run = (part: string) => `<w:r><w:t xml:space="preserve">${part}</w:t></w:r>`
  const properties = style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''
  return `<w:p>${properties}${run(text.slice(0, middle))}${run(text.slice(middle))}</w:p>`
}

/** An OpenDocument text of the given XML. */
export const odtOf = (body: string) =>
  zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<?xml version="1.0"?><office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
  })
