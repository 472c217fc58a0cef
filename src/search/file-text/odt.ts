import type { Block } from '../../content/index.ts'
import { attributeOf, tokensOf } from './xml.ts'

export const ODT_PARTS = ['content.xml']

/** Tags that stand for a character. */
const CHARACTERS: Record<string, string> = {
  'text:s': ' ',
  'text:tab': '\t',
  'text:line-break': '\n',
}
/** Contains the texts that were deleted while changes were recorded. */
const DELETED = 'text:tracked-changes'

/** The headings and paragraphs of an OpenDocument text. */
export function* readOdt(parts: ReadonlyMap<string, string>): Generator<Block> {
  let text = ''
  let level = 0
  let isDeleted = false
  for (const token of tokensOf(parts.get('content.xml') ?? '')) {
    if (token.kind === 'text') {
      if (!isDeleted) text += token.text
      continue
    }
    const { kind, name, attributes } = token
    if (name === DELETED) isDeleted = kind === 'open'
    else if (kind !== 'close') {
      text += CHARACTERS[name] ?? ''
      if (name === 'text:h') level = levelOf(attributes)
    } else if (name === 'text:p' || name === 'text:h') {
      if (text.trim()) yield { level, text: text.trim() }
      text = ''
      level = 0
    }
  }
}

const levelOf = (attributes: string) =>
  Math.min(6, Math.max(1, Number(attributeOf(attributes, 'text:outline-level')) || 1))
