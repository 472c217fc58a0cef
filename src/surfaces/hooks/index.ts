import { Elysia } from 'elysia'
import type { Caller, Clock } from '../../kernel/caller.ts'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { Fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { fromClient } from '../body.ts'
import { type Called, type Door, json } from '../door.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { githubProof, gitlabProof, type Proof } from './proof.ts'
import type { Reader, Told } from './told.ts'

/** Knows the receivers of all boards. */
export interface Receivers {
  find(host: string, receiver_id: string): Promise<Listening | undefined>
  decoy(): Promise<string>
}

interface Listening {
  caller: Caller
  project_id: number
  secret: string
}

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  door: Door
  clock: Clock
  receivers: Receivers
  /** An event about a pull request that no task of the board has. */
  missed(told: { host: string; event: string; project_id: number; urls: string[] }): void
}

interface Host {
  /** The header that names the event. */
  event: string
  proof: Proof
  readers: Record<string, Reader>
}

const HOSTS: Record<string, Host> = {
  github: { event: 'x-github-event', proof: githubProof, readers: github },
  gitlab: { event: 'x-gitlab-event', proof: gitlabProof, readers: gitlab },
}

const MOST_BYTES = 1024 * 1024

/** Where code hosts tell boards of pull requests. Who speaks is known by the signature alone. */
export function hooks(parts: Parts) {
  const app = new Elysia({ name: 'hooks' })
  for (const [name, host] of Object.entries(HOSTS)) {
    const receive = ({ request, route, server, params }: Called) =>
      parts.door.serve({ request, route, server }, 'open', async (visit) => {
        const bytes = await read(request)
        const id = params!.receiver_id!
        const listening = await admitted(parts, { name, host }, id, request.headers, bytes)
        // Only the code host itself can use up what its receiver is allowed.
        await parts.door.count(
          visit,
          listening ? 'receiver' : 'base',
          listening && `hook:${id.toLowerCase()}`,
        )
        if (!listening) throw unproved()
        const event = request.headers.get(host.event) ?? ''
        const data = await hear(parts, { name, host }, listening, event, () =>
          parse(request, bytes),
        )
        return json({ success: true, data })
      })
    app.post(`/hooks/${name}/:receiver_id`, receive as never, {
      parse: 'none',
      detail: { hide: true } as never,
    })
  }
  return app
}

async function read(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BYTES) throw tooLarge()
  const bytes = new Uint8Array(await fromClient(request, request.arrayBuffer()))
  if (bytes.byteLength > MOST_BYTES) throw tooLarge()
  return bytes
}

interface Named {
  name: string
  host: Host
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whoever does not know the secret is not even told whether there is such a receiver. */
async function admitted(
  { receivers, clock }: Parts,
  { name, host }: Named,
  id: string,
  headers: Headers,
  bytes: Uint8Array,
): Promise<Listening | undefined> {
  const listening = UUID.test(id) ? await receivers.find(name, id) : undefined
  const secret = listening?.secret ?? (await receivers.decoy())
  const isProved = host.proof({ headers, bytes, now: clock() }, secret)
  return isProved ? listening : undefined
}

const unproved = () =>
  new Fault('unauthenticated', 'Nobody here answers to that address and signature')

async function hear(
  { catalog, dispatch, missed }: Parts,
  { name, host }: Named,
  { caller, project_id }: Listening,
  event: string,
  payload: () => unknown,
) {
  const reader = Object.hasOwn(host.readers, event) ? host.readers[event] : undefined
  if (!reader) return { event, heard: false }
  const told: Told = reader(payload())
  const sync = catalog.find((op) => op.name === 'pull_requests.sync')!
  const { data } = await dispatch(caller, sync, { project_id, ...told })
  const { linked } = data as { linked: { ticket_number: string }[] }
  if (told.check && !linked.length) missed({ host: name, event, project_id, urls: told.urls })
  return { event, heard: true, tasks: linked.map(({ ticket_number }) => ticket_number) }
}

/** GitHub sends JSON as it is, or in a field of a form. */
function parse({ headers }: Request, bytes: Uint8Array): unknown {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers.get('content-type') ?? '')
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text)
  } catch {
    throw new Fault(
      'invalid',
      'The event is not valid JSON',
      { code: 'invalid_format' },
      'Choose application/json as the content type at the host',
    )
  }
}

const tooLarge = () => new Fault('too_large', 'The event is larger than 1 MB')
