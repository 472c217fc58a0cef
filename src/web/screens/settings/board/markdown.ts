import DOMPurify from 'dompurify'

const WRAPS: Record<string, string> = { B: '**', STRONG: '**', I: '*', EM: '*', CODE: '`', S: '~~' }

/** Converts simple HTML to Markdown; undefined if something would be lost. */
export function toMarkdown(html: string): string | undefined {
  const root = DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true })
  try {
    return [...root.childNodes]
      .map(block)
      .filter((one) => one.trim())
      .join('\n\n')
  } catch (error) {
    if (error instanceof UnsupportedError) return undefined
    throw error
  }
}

/** The HTML has an element that is not supported. */
class UnsupportedError extends Error {}

function block(node: Node): string {
  const { nodeName: name } = node
  const heading = /^H([1-6])$/.exec(name)
  if (heading) return `${'#'.repeat(Number(heading[1]))} ${childText(node)}`
  if (name === 'P' || name === 'DIV') return childText(node)
  if (name === 'UL' || name === 'OL')
    return [...node.childNodes]
      .filter((one) => one.nodeName === 'LI')
      .map((one, index) => `${name === 'UL' ? '-' : `${index + 1}.`} ${listItem(one)}`)
      .join('\n')
  return inline(node).trim()
}

/** The text of a list item; nested lists are not supported. */
const listItem = (item: Node) =>
  [...item.childNodes]
    .map((one) => (one.nodeName === 'P' ? childText(one) : inline(one)))
    .join('')
    .trim()

const childText = (node: Node): string => [...node.childNodes].map(inline).join('').trim()

function inline(node: Node): string {
  if (node instanceof Text) return escapeMarkdown(node.data.replace(/\s+/g, ' '))
  const { nodeName: name } = node
  if (name === 'BR') return '\\\n'
  if (name === 'SPAN') return childText(node)
  if (name === 'A')
    return `[${childText(node)}](${(node as HTMLAnchorElement).getAttribute('href')})`
  const mark = WRAPS[name]
  if (!mark) throw new UnsupportedError()
  return `${mark}${name === 'CODE' ? node.textContent : childText(node)}${mark}`
}

const escapeMarkdown = (text: string) => text.replace(/[\\`*_[\]<>~]/g, '\\$&')
