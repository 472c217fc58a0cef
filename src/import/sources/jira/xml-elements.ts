/** An element of an XML document. */
export interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  /** The text directly in it. */
  text: string
}

const TOKEN =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<[?!][^>]*>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)|</g
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** Parses XML without entities of its own. Undefined if its elements are not closed as opened. */
export function parseXml(source: string): Element | undefined {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  for (const match of source.matchAll(TOKEN)) {
    const [, cdata, slash, name, attributes = '', empty, text] = match
    const parent = open.at(-1)!
    if (cdata !== undefined) parent.text += cdata
    else if (text !== undefined) parent.text += decode(text)
    else if (name && slash) {
      if (open.length === 1 || parent.name !== name) return undefined
      open.pop()
    } else if (name) {
      const element = { name, attributes: attributesOf(attributes), children: [], text: '' }
      parent.children.push(element)
      if (!empty) open.push(element)
    }
  }
  return open.length === 1 ? root.children[0] : undefined
}

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name, double, single]) => [
      name!,
      decode(double ?? single ?? ''),
    ]),
  )

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const decode = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (entity, hex, decimal, name) => {
    if (name) return NAMED[name] ?? entity
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })

export const childOf = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((child) => child.name === name)

export const childrenOf = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((child) => child.name === name) ?? []

/** The text of a child, without the space around it. */
export const textOf = (element: Element | undefined, name: string): string =>
  childOf(element, name)?.text.trim() ?? ''
