import { Fault } from '../../kernel/fault.ts'
import { fromClient } from '../body.ts'

const MAX_BYTES = 64 * 1024

/** Reads the fields of a URL-encoded form. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new Fault('unsupported_type', 'This address accepts only a form from its page')
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge()
  const text = await fromClient(request, request.text())
  if (text.length > MAX_BYTES) throw tooLarge()
  const values = new URLSearchParams(text)
  for (const [name, value] of values)
    if (value.includes('\0'))
      throw new Fault('invalid', `${name} contains a NUL character`, {
        field: name,
        code: 'invalid_format',
      })
  return values
}

const tooLarge = () => new Fault('too_large', 'The form is larger than 64 KB')

const DUMMY_ORIGIN = 'http://localhost'

/** Where to go after signing in: the given path if it is one of this server, otherwise `/`. */
export function localPath(next: string | null): string {
  if (!next?.startsWith('/') || !URL.canParse(next, DUMMY_ORIGIN)) return '/'
  const { origin, pathname, search, hash } = new URL(next, DUMMY_ORIGIN)
  // Dot segments can resolve to a path that begins with //, which names another host.
  return origin === DUMMY_ORIGIN && !pathname.startsWith('//') ? pathname + search + hash : '/'
}
