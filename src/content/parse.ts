import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { type DefaultTreeAdapterMap, defaultTreeAdapter, Parser, type TreeAdapter } from 'parse5'
import { fault } from '../kernel/fault.ts'
import { MAX_PARSED_LENGTH, MAX_PARTS } from './parts.ts'

const MAX_DEPTH = 100
const MAX_ATTRIBUTES = 100
/** Characters parsed between two checks of the attributes of an unfinished tag. */
const CHUNK = 16_384

type Tree = DefaultTreeAdapterMap

/**
 * Parses HTML. A megabyte of crafted tags can keep a standard parser busy for hours, so parsing stops
 * as soon as a text is nested too deep or has too many parts.
 */
export function parseHtml(html: string, field: string): Root {
  if (html.length > MAX_PARSED_LENGTH) throw tooLong(field, 'as HTML is larger than 4 MB')
  const parser = Parser.getFragmentParser<Tree>(null, {
    treeAdapter: boundedAdapter(field),
    scriptingEnabled: false,
  })
  for (let at = 0; at < html.length; at += CHUNK) {
    parser.tokenizer.write(html.slice(at, at + CHUNK), at + CHUNK >= html.length)
    const { currentToken } = parser.tokenizer as unknown as TokenizerState
    checkAttributes(currentToken?.attrs ?? [], field)
  }
  return fromParse5(parser.getFragment()) as Root
}

/** Internal state of the tokenizer: a tag that continues in the next chunk. */
interface TokenizerState {
  currentToken: { attrs?: unknown[] } | null
}

function checkAttributes(attributes: readonly unknown[], field: string): void {
  if (attributes.length > MAX_ATTRIBUTES)
    throw fault.invalid(
      field,
      'invalid_format',
      `${field} contains a tag with more than ${MAX_ATTRIBUTES} attributes`,
    )
}

const tooLong = (field: string, reason: string) =>
  fault.invalid(
    field,
    'too_long',
    `${field} ${reason}`,
    undefined,
    'Shorten it, or attach it as a file',
  )

export const tooManyParts = (field: string) =>
  tooLong(field, `has more than ${MAX_PARTS} elements and text nodes`)

/** A tree adapter that throws when the tree has too many nodes or levels. */
function boundedAdapter(field: string): TreeAdapter<Tree> {
  let nodes = 0
  let depth = 0
  const count = () => {
    nodes += 1
    if (nodes > MAX_PARTS) throw tooManyParts(field)
  }
  return {
    ...defaultTreeAdapter,
    createElement(tag, namespace, attributes) {
      count()
      checkAttributes(attributes, field)
      return defaultTreeAdapter.createElement(tag, namespace, attributes)
    },
    createTextNode(value) {
      count()
      return defaultTreeAdapter.createTextNode(value)
    },
    createCommentNode(data) {
      count()
      return defaultTreeAdapter.createCommentNode(data)
    },
    // A second <html> or <body> would add its attributes to an element that is never shown.
    adoptAttributes() {},
    onItemPush() {
      depth += 1
      if (depth > MAX_DEPTH)
        throw fault.invalid(
          field,
          'invalid_format',
          `${field} is nested more than ${MAX_DEPTH} levels deep`,
          undefined,
          'Is an element not closed?',
        )
    },
    onItemPop() {
      depth -= 1
    },
  }
}
