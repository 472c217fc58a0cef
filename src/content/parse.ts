import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { type DefaultTreeAdapterMap, defaultTreeAdapter, Parser, type TreeAdapter } from 'parse5'
import { fault } from '../kernel/fault.ts'
import { MOST_LETTERS, MOST_PARTS } from './parts.ts'

const DEEPEST = 100
const MOST_ATTRIBUTES = 100
/** How much is read before the attributes of an unfinished tag are counted. */
const PIECE = 16_384

type Tree = DefaultTreeAdapterMap

/**
 * HTML as a tree. A parser that follows the standard can be made to work for hours by a megabyte of
 * tags, so this one gives up as soon as a text is nested deeper, or is made of more parts, than any
 * that somebody wrote.
 */
export function parsed(html: string, field: string): Root {
  if (html.length > MOST_LETTERS) throw tooLong(field, 'as HTML has more than 4 MB')
  const parser = Parser.getFragmentParser<Tree>(null, {
    treeAdapter: bounded(field),
    scriptingEnabled: false,
  })
  for (let at = 0; at < html.length; at += PIECE) {
    parser.tokenizer.write(html.slice(at, at + PIECE), at + PIECE >= html.length)
    const { currentToken } = parser.tokenizer as unknown as Reading
    checkAttributes(currentToken?.attrs ?? [], field)
  }
  return fromParse5(parser.getFragment()) as Root
}

/** What a tokenizer holds of a tag that goes on in the next piece. */
interface Reading {
  currentToken: { attrs?: unknown[] } | null
}

function checkAttributes(attributes: readonly unknown[], field: string): void {
  if (attributes.length > MOST_ATTRIBUTES)
    throw fault.invalid(
      field,
      'invalid_format',
      `${field} holds a tag with more than ${MOST_ATTRIBUTES} attributes`,
    )
}

const tooLong = (field: string, why: string) =>
  fault.invalid(
    field,
    'too_long',
    `${field} ${why}`,
    undefined,
    'Shorten it, or attach it as a file',
  )

export const tooManyParts = (field: string) =>
  tooLong(field, `is made of more than ${MOST_PARTS} elements and pieces of text`)

/** Builds the tree, and counts while it does. */
function bounded(field: string): TreeAdapter<Tree> {
  let nodes = 0
  let depth = 0
  const count = () => {
    nodes += 1
    if (nodes > MOST_PARTS) throw tooManyParts(field)
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
    // A second <html> or <body> would bring its attributes to an element that nobody shows.
    adoptAttributes() {},
    onItemPush() {
      depth += 1
      if (depth > DEEPEST)
        throw fault.invalid(
          field,
          'invalid_format',
          `${field} is nested more than ${DEEPEST} levels deep`,
          undefined,
          'Is an element not closed?',
        )
    },
    onItemPop() {
      depth -= 1
    },
  }
}
