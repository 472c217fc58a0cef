export class BadConfig extends Error {}

/** What somebody said of a setting. */
export interface Said {
  /** Where it was said, as whoever said it would call it. */
  name: string
  text: string
}

export const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export const hidden = (text: string) => `(${text.length} characters)`
export const optional = ({ text }: Said) => text || undefined
export const rate = (said: Said) => whole(said, 1e9)

export function postgres({ name, text }: Said): string | undefined {
  if (text && !/^postgres(ql)?:\/\//.test(text))
    throw new BadConfig(
      `${name} must begin with postgres:// or postgresql://. Leave it out to keep the data in the data folder.`,
    )
  return text || undefined
}

export function withoutPassword(text: string): string {
  const url = URL.parse(text)
  if (!url) return hidden(text)
  if (url.password) url.password = '***'
  return url.href
}

export function filled({ name, text }: Said): string {
  if (!text.trim()) throw new BadConfig(`${name} must not be empty`)
  return text
}

export function whole({ name, text }: Said, most: number): number {
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw new BadConfig(`${name} must be a whole number from 0 to ${most}, not "${text}"`)
  return Number(text)
}

export function address({ name, text }: Said): string {
  const url = URL.parse(text)
  const plain = url && /^https?:$/.test(url.protocol) && url.href.startsWith(url.origin)
  if (text && (!plain || url.search || url.hash || url.pathname !== '/'))
    throw new BadConfig(
      `${name} must be an address like https://board.example.com, without a path, not "${text}"`,
    )
  return url?.origin ?? ''
}

/** With a path where a service has one, and plain http where it is near. */
export function service({ name, text }: Said): string | undefined {
  const url = URL.parse(text)
  if (text && !(url && /^https?:$/.test(url.protocol) && !url.username && !url.search))
    throw new BadConfig(
      `${name} must be an address like https://s3.eu-central-1.amazonaws.com, not "${text}"`,
    )
  return text || undefined
}

export function hosts({ name, text }: Said): string[] {
  const names = text.split(',').flatMap((one) => one.trim().toLowerCase() || [])
  const strange = names.find((one) => !/^[a-z0-9._:-]+$/.test(one))
  if (strange)
    throw new BadConfig(
      `${name} must name hosts like files.example.com, with commas between them, not "${strange}"`,
    )
  return names
}

export function level({ name, text }: Said): string {
  if (!LEVELS.includes(text))
    throw new BadConfig(`${name} must be one of ${LEVELS.join(', ')}, not "${text}"`)
  return text
}
