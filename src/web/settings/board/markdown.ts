import DOMPurify from 'dompurify'

const WRAPS: Record<string, string> = { B: '**', STRONG: '**', I: '*', EM: '*', CODE: '`', S: '~~' }

/** A short text as markdown, to be changed by hand; nothing where that would lose something. */
export function asMarkdown(html: string): string | undefined {
  const root = DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true })
  try {
    return [...root.childNodes]
      .map(block)
      .filter((one) => one.trim())
      .join('\n\n')
  } catch (error) {
    if (error instanceof Unsaid) return undefined
    throw error
  }
}

/** Markdown of these few kinds has no words for it. */
class Unsaid extends Error {}

function block(node: Node): string {
  const { nodeName: name } = node
  const heading = /^H([1-6])$/.exec(name)
  if (heading) return `${'#'.repeat(Number(heading[1]))} ${inside(node)}`
  if (name === 'P' || name === 'DIV') return inside(node)
  if (name === 'UL' || name === 'OL')
    return [...node.childNodes]
      .filter((one) => one.nodeName === 'LI')
      .map((one, at) => `${name === 'UL' ? '-' : `${at + 1}.`} ${itemOf(one)}`)
      .join('\n')
  return inline(node).trim()
}

/** What an item of a list says; what stands below it is beyond these few kinds. */
const itemOf = (item: Node) =>
  [...item.childNodes]
    .map((one) => (one.nodeName === 'P' ? inside(one) : inline(one)))
    .join('')
    .trim()

const inside = (node: Node): string => [...node.childNodes].map(inline).join('').trim()

function inline(node: Node): string {
  if (node instanceof Text) return escaped(node.data.replace(/\s+/g, ' '))
  const { nodeName: name } = node
  if (name === 'BR') return '\\\n'
  if (name === 'SPAN') return inside(node)
  if (name === 'A') return `[${inside(node)}](${(node as HTMLAnchorElement).getAttribute('href')})`
  const mark = WRAPS[name]
  if (!mark) throw new Unsaid()
  return `${mark}${name === 'CODE' ? node.textContent : inside(node)}${mark}`
}

const escaped = (text: string) => text.replace(/[\\`*_[\]<>~]/g, '\\$&')
