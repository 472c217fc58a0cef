import { decodeXML } from 'entities'

/** A tag, or the text between two tags. */
export type XmlToken =
  | { kind: 'open' | 'close' | 'empty'; name: string; attributes: string }
  | { kind: 'text'; text: string }

/**
 * The tags and texts of a document, in one pass and without a tree, so that depth costs nothing.
 * Entities that a document declares itself are not expanded.
 */
export function* tokensOf(xml: string): Generator<XmlToken> {
  for (let at = 0; at < xml.length; ) {
    const start = xml.indexOf('<', at)
    if (start !== at) yield { kind: 'text', text: decodeXML(xml.slice(at, endOr(xml, start))) }
    if (start < 0) return
    const end = xml.indexOf('>', start)
    if (end < 0) return
    const tag = xml.slice(start + 1, end)
    at = end + 1
    if (/^[!?]/.test(tag)) continue
    const name = /^\/?([^\s/]*)/.exec(tag)![1]!
    const kind = tag.startsWith('/') ? 'close' : tag.endsWith('/') ? 'empty' : 'open'
    yield { kind, name, attributes: tag }
  }
}

const endOr = (xml: string, at: number) => (at < 0 ? xml.length : at)

/** The value of an attribute in the text of a tag. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return match ? decodeXML(match[1] ?? match[2]!) : undefined
}
