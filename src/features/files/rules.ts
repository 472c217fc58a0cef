import { LONGEST_NAME } from './schema.ts'

/** What a browser may show by itself: pictures made of dots, which hold no program. */
const SHOWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']
/** What many formats are wrapped in; which of them, only whoever sends it says. */
const WRAPPERS = ['application/zip', 'application/x-cfb', 'application/xml']
const UNKNOWN = 'application/octet-stream'
/** What some program may run, or take for a page. */
const ACTIVE = /html|xml|svg|script|flash|x-sh\b|x-msdownload|manifest/

export const isShown = (content_type: string) => SHOWN.includes(content_type)

/** How the bytes are announced to a browser. */
export const servedAs = (content_type: string): string => {
  if (isShown(content_type)) return content_type
  if (ACTIVE.test(content_type)) return UNKNOWN
  return content_type.startsWith('text/') ? `${content_type}; charset=utf-8` : content_type
}

const TYPE = /^[a-z]+\/[a-z0-9][a-z0-9!#$&^_.+-]*$/

/** A type without its parameters, in lower case; nothing where it is none. */
export function typeIn(declared: string): string | undefined {
  const type = declared.split(';')[0]!.trim().toLowerCase()
  return TYPE.test(type) && type.length <= 127 ? type : undefined
}

/** The bytes say what they are; what was declared counts where they say nothing against it. */
export function typeOf(declared: string, sniffed: string | undefined, isText: boolean): string {
  if (sniffed === undefined) return isText && isTextual(declared) ? declared : fallback(isText)
  if (WRAPPERS.includes(sniffed) && isWrapped(declared)) return declared
  return sniffed
}

const fallback = (isText: boolean) => (isText ? 'text/plain' : UNKNOWN)
const isTextual = (type: string) => /^text\/|^application\/|[+/](json|xml|yaml)$/.test(type)
const isWrapped = (type: string) => /^application\/|\+(xml|zip)$|^text\/xml$/.test(type)

/** Names that some systems keep for devices. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** The name alone, without folders and without what would mislead a reader or a file system. */
export function nameIn(given: string): string {
  const last = given.normalize('NFC').replace(UNSEEN, '').split(/[\\/]/).at(-1)!
  const plain = last
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .replace(RESERVED, '_$1')
  return shortened(plain || 'file')
}

/** Cut in the middle, so that it keeps its ending. File systems count bytes. */
function shortened(name: string): string {
  const size = (text: string) => new TextEncoder().encode(text).length
  if (size(name) <= LONGEST_NAME) return name
  const ending = /\.[^.\s]{1,20}$/.exec(name)?.[0] ?? ''
  const letters = [...name.slice(0, name.length - ending.length)]
  let room = LONGEST_NAME - size(ending)
  const fits = letters.findIndex((letter) => {
    room -= size(letter)
    return room < 0
  })
  return `${letters.slice(0, fits).join('').trimEnd()}${ending}`
}

/** As RFC 6266 wants it: for old readers without signs that they misread, for the others whole. */
export function disposition(kind: 'inline' | 'attachment', filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(filename).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`
}
