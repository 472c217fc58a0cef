import { MAX_NAME_LENGTH } from './schema.ts'

/** Types that a browser may show inline: raster images, which cannot contain scripts. */
const INLINE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']
/** Container formats. For these, the declared type is more specific than the detected one. */
const WRAPPERS = ['application/zip', 'application/x-cfb', 'application/xml']
const BINARY = 'application/octet-stream'
/** Types that a program may execute or render as a page. */
const ACTIVE = /html|xml|svg|script|flash|x-sh\b|x-msdownload|manifest/

export const isShownInline = (content_type: string) => INLINE_TYPES.includes(content_type)

/** Returns the Content-Type header of a download. */
export const servedContentType = (content_type: string): string => {
  if (isShownInline(content_type)) return content_type
  if (ACTIVE.test(content_type)) return BINARY
  return content_type.startsWith('text/') ? `${content_type}; charset=utf-8` : content_type
}

const TYPE = /^[a-z]+\/[a-z0-9][a-z0-9!#$&^_.+-]*$/

/** Returns a type without parameters in lower case, or undefined if it is malformed. */
export function parseContentType(declared: string): string | undefined {
  const type = declared.split(';')[0]!.trim().toLowerCase()
  return TYPE.test(type) && type.length <= 127 ? type : undefined
}

/** Detects the type from the bytes. The declared type counts unless they contradict it. */
export function detectContentType(
  declared: string,
  sniffed: string | undefined,
  isText: boolean,
): string {
  if (sniffed === undefined) return isText && isTextual(declared) ? declared : fallback(isText)
  if (WRAPPERS.includes(sniffed) && isWrapped(declared)) return declared
  return sniffed
}

const fallback = (isText: boolean) => (isText ? 'text/plain' : BINARY)
const isTextual = (type: string) => /^text\/|^application\/|[+/](json|xml|yaml)$/.test(type)
const isWrapped = (type: string) => /^application\/|\+(xml|zip)$|^text\/xml$/.test(type)

/** Names reserved for devices on some systems. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Removes folders, and characters that could mislead readers or file systems. */
export function sanitizeFilename(input: string): string {
  const last = input.normalize('NFC').replace(INVISIBLE, '').split(/[\\/]/).at(-1)!
  const plain = last
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .replace(RESERVED, '_$1')
  return truncateName(plain || 'file')
}

/** Truncates a name before its extension. The limit is in bytes, as in file systems. */
function truncateName(name: string): string {
  const byteLength = (text: string) => new TextEncoder().encode(text).length
  if (byteLength(name) <= MAX_NAME_LENGTH) return name
  const ending = /\.[^.\s]{1,20}$/.exec(name)?.[0] ?? ''
  const characters = [...name.slice(0, name.length - ending.length)]
  let room = MAX_NAME_LENGTH - byteLength(ending)
  const fits = characters.findIndex((character) => {
    room -= byteLength(character)
    return room < 0
  })
  return `${characters.slice(0, fits).join('').trimEnd()}${ending}`
}

/** Content-Disposition as in RFC 6266: an ASCII fallback for old clients, then the full name. */
export function disposition(kind: 'inline' | 'attachment', filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
