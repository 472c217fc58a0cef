import type { Block } from '../../content/index.ts'
import { attributeOf, tokensOf } from './xml.ts'

export const DOCX_PARTS = ['word/document.xml', 'word/styles.xml', 'word/footnotes.xml']

/** Tags that stand for a character. */
const CHARACTERS: Record<string, string> = { 'w:tab': '\t', 'w:br': '\n', 'w:cr': '\n' }

/** The paragraphs of a Word document, then its footnotes. */
export function* readDocx(parts: ReadonlyMap<string, string>): Generator<Block> {
  const levels = headingLevelsOf(parts.get('word/styles.xml') ?? '')
  yield* paragraphsOf(parts.get('word/document.xml') ?? '', levels)
  yield* paragraphsOf(parts.get('word/footnotes.xml') ?? '', levels)
}

/** Heading levels by style. The ids of styles are translated, but their names are not. */
function headingLevelsOf(styles: string): Map<string, number> {
  const levels = new Map<string, number>()
  let style = ''
  for (const token of tokensOf(styles)) {
    if (token.kind === 'text' || token.kind === 'close') continue
    if (token.name === 'w:style') style = attributeOf(token.attributes, 'w:styleId') ?? ''
    if (token.name !== 'w:name') continue
    const name = attributeOf(token.attributes, 'w:val') ?? ''
    const level = /^title$/i.test(name) ? 1 : Number(/^heading ([1-6])$/i.exec(name)?.[1] ?? 0)
    if (level) levels.set(style, level)
  }
  return levels
}

function* paragraphsOf(xml: string, levels: ReadonlyMap<string, number>): Generator<Block> {
  let text = ''
  let level = 0
  let isText = false
  for (const token of tokensOf(xml)) {
    if (token.kind === 'text') {
      if (isText) text += token.text
      continue
    }
    const { kind, name, attributes } = token
    if (name === 'w:t') isText = kind === 'open'
    else if (name === 'w:pStyle') level = levels.get(attributeOf(attributes, 'w:val') ?? '') ?? 0
    else if (kind !== 'close') text += CHARACTERS[name] ?? ''
    else if (name === 'w:p') {
      if (text.trim()) yield { level, text: text.trim() }
      text = ''
      level = 0
    }
  }
}
