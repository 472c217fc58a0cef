import { Fault } from '../../kernel/fault.ts'
import { fromClient } from '../body.ts'

const MOST_BYTES = 64 * 1024

/** The fields of a form as browsers send it. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new Fault('unsupported_type', 'This address takes the form of its page only')
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BYTES) throw tooLarge()
  const text = await fromClient(request, request.text())
  if (text.length > MOST_BYTES) throw tooLarge()
  const values = new URLSearchParams(text)
  for (const [name, value] of values)
    if (value.includes('\0'))
      throw new Fault('invalid', `${name} holds a NUL`, { field: name, code: 'invalid_format' })
  return values
}

const tooLarge = () => new Fault('too_large', 'The form is larger than 64 KB')

const NOWHERE = 'http://localhost'

/** Where to go after signing in: a path of this server, or the start. */
export function localPath(next: string | null): string {
  if (!next?.startsWith('/') || !URL.canParse(next, NOWHERE)) return '/'
  const { origin, pathname, search, hash } = new URL(next, NOWHERE)
  // Dot segments can leave a path that begins like the address of another host.
  return origin === NOWHERE && !pathname.startsWith('//') ? pathname + search + hash : '/'
}
