import { fromHtml } from 'hast-util-from-html'

interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
}

const ATTRIBUTES = ['href', 'src', 'alt', 'colSpan', 'type', 'checked', 'open', 'start']

/**
 * What a reader sees of HTML: elements, text and link targets. White space between words and
 * paragraphs in list items are ignored, because they look the same.
 */
export const rendered = (html: string): unknown[] =>
  renderedWithin(fromHtml(html, { fragment: true }), false)

function renderedWithin({ children = [], tagName }: Node, inCode: boolean): unknown[] {
  return children.flatMap((child) => {
    if (child.type === 'text') {
      const value = inCode ? child.value! : child.value!.replace(/\s+/g, ' ').trim()
      return value ? [value] : []
    }
    const nested = renderedWithin(child, inCode || child.tagName === 'pre')
    if (tagName === 'li' && child.tagName === 'p') return nested
    return [[child.tagName, attributesOf(child), ...nested]]
  })
}

function attributesOf({ tagName, properties = {} }: Node) {
  const names = tagName === 'code' ? [...ATTRIBUTES, 'className'] : ATTRIBUTES
  return Object.fromEntries(
    names.filter((name) => properties[name] !== undefined).map((name) => [name, properties[name]]),
  )
}
