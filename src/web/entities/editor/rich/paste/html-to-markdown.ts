import type { Element, ElementContent, Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { defaultHandlers, type Handle, toMdast } from 'hast-util-to-mdast'
import type { Html, Nodes } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { parseFragment } from 'parse5'
import { nestLists, readCheckbox, readPre, readTable, tightItem } from './blocks-in-html.ts'
import { joinNeighbors } from './neighbors.ts'
import { isCode, readStyle } from './styles.ts'
import { h, isElement, mapTree, textOf } from './tree.ts'
import { readWord } from './word.ts'

const DROPPED = new Set('head link meta script style template title xml colgroup button'.split(' '))

const br: Handle = (state, node: Element) =>
  state.inTable
    ? ({ type: 'html', value: '<br>', data: { hName: 'span' } } as unknown as Html)
    : defaultHandlers.br(state, node)

const handlers: Record<string, Handle> = { br }

/** A paste can be a whole document, but not a whole book. */
const MAX_LENGTH = 2_000_000

/** Converts pasted HTML to Markdown. `images` collects the pictures that it contains as data. */
export function htmlToMarkdown(html: string, images: string[] = []): string | undefined {
  if (html.length > MAX_LENGTH) return undefined
  const tree = fromParse5(parseFragment(html)) as Root
  mapTree(tree, (node) => (isDropped(node) ? [] : [node]))
  readWord(tree)
  mapTree(tree, (node) => (isElement(node) ? readElement(node) : [node]))
  mapTree(tree, (node, parent) =>
    isElement(node) ? readBlock(node, parent as Element, images) : [node],
  )
  tree.children = joinNeighbors(tree.children as ElementContent[])
  const markdown = toMarkdown(toMdast(tree, { handlers }) as Nodes, {
    ...{ bullet: '-', emphasis: '_', fences: true, listItemIndent: 'one', rule: '-' },
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  })
  return markdown.trimEnd()
}

const isDropped = (node: { type: string; tagName?: string }) =>
  node.type === 'comment' || node.type === 'doctype' || DROPPED.has(node.tagName ?? '')

/** Office namespaces have elements such as `o:p`, and Google Sheets has one of its own. */
function readElement(node: Element): ElementContent[] {
  const { tagName } = node
  if (tagName.includes(':') || tagName === 'google-sheets-html-origin') return node.children
  if (tagName === 'br' && /interchange/.test(`${node.properties.className}`)) return []
  if (/^h[1-6]$/.test(tagName)) unwrapBold(node)
  if (tagName === 'div' && isCode(node)) return [h('pre', node.children)]
  return readStyle(node)
}

function unwrapBold(heading: Element) {
  mapTree(heading, (node) => (isElement(node, 'b', 'strong') ? node.children : [node]))
}

function readBlock(node: Element, parent: Element, images: string[]): ElementContent[] {
  node.children = joinNeighbors(node.children)
  if (isElement(node, 'ul', 'ol')) return [nestLists(node)]
  if (isElement(node, 'li')) return [readCheckbox(tightItem(node))]
  if (isElement(node, 'table')) return readTable(node)
  if (isElement(node, 'pre')) return [readPre(node, parent)]
  if (isElement(node, 'p')) return isEmpty(node) ? [] : [node]
  if (isElement(node, 'a')) return readLink(node)
  if (isElement(node, 'img')) return readImage(node, images)
  if (isElement(node, 'h1', 'h2', 'h3', 'h4', 'h5', 'h6')) return textOf(node).trim() ? [node] : []
  return [node]
}

const isEmpty = (node: Element): boolean =>
  node.children.every((child) => child.type === 'text') && !textOf(node).trim()

/** Removes the redirects of Google Docs, and links that run code or lead nowhere. */
function readLink(link: Element): ElementContent[] {
  const href = `${link.properties.href ?? ''}`
  if (!/^(https?:|mailto:|tel:|\/(?!\/))/i.test(href)) return link.children
  const target = /^https:\/\/www\.google\.com\/url\?(?:.*&)?q=([^&]+)/.exec(href)?.[1]
  const isVisible = textOf(link).trim() || link.children.some((child) => isElement(child, 'img'))
  if (!isVisible) return link.children
  const address = target ? decodeURIComponent(target) : href
  return [{ ...link, properties: { href: address } }]
}

function readImage(image: Element, images: string[]): ElementContent[] {
  const source = `${image.properties.src ?? ''}`
  if (/^data:image\//.test(source)) images.push(source)
  return /^(https?:|\/(?!\/))/.test(source) ? [image] : []
}
