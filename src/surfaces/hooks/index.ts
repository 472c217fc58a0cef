import { Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import type { Caller, Clock } from '../../kernel/caller.ts'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { Fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { fromClient } from '../body.ts'
import { type Gateway, type IncomingRequest, json } from '../gateway.ts'
import { forgejo } from './forgejo.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import type { PullRequestUpdate, Reader, ReviewComment, Verdict } from './reader.ts'
import { type VerifySignature, verifyForgejo, verifyGithub, verifyGitlab } from './signature.ts'

/** Looks up the receivers of all boards. */
export interface Receivers {
  find(host: string, receiver_id: string): Promise<Receiver | undefined>
  decoySecret(): Promise<string>
}

interface Receiver {
  secret: string
  /** The boards that take events about a repository, which one address can have several of. */
  targetsOf(repository: string): Promise<Target[]>
}

interface Target {
  caller: Caller
  project_id: number
  /** Absent for a receiver of pull requests that belongs to no linked repository. */
  repository_id?: number
  takes?: { issues: boolean; pull_requests: boolean }
}

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  gateway: Gateway
  clock: Clock
  receivers: Receivers
  /** Requests a comparison of an issue with its task. */
  requestIssue(repository_id: number, number: number): Promise<void>
  /** Passes the text of a reviewer to the agent that works on the pull request. */
  deliverReview(
    repository_id: number,
    review: ReviewComment & { pull_request: string },
  ): Promise<void>
  /** The verdicts of the reviewers of a pull request that events may lack. */
  readVerdicts(repository_id: number, pull_request: string): Promise<Verdict[]>
  /** Called for a check event whose pull request is linked to no task of the board. */
  onUnmatched(event: { host: string; event: string; project_id: number; urls: string[] }): void
}

interface Host {
  /** The header that names the event, and another one that some versions send. */
  event: string
  otherEvent?: string
  verify: VerifySignature
  readers: Record<string, Reader>
}

const HOSTS: Record<string, Host> = {
  github: { event: 'x-github-event', verify: verifyGithub, readers: github },
  gitlab: { event: 'x-gitlab-event', verify: verifyGitlab, readers: gitlab },
  forgejo: {
    ...{ event: 'x-gitea-event', otherEvent: 'x-forgejo-event' },
    ...{ verify: verifyForgejo, readers: forgejo },
  },
}

const MAX_BYTES = 1024 * 1024

/** The webhook addresses for code hosts. Only the signature authenticates a request. */
export function hooks(parts: Parts) {
  const app = new Elysia({ name: 'hooks' })
  for (const [name, host] of Object.entries(HOSTS)) {
    const handle = ({ request, route, server, params }: IncomingRequest) =>
      parts.gateway.serve({ request, route, server }, 'open', async (context) => {
        const bytes = await read(request)
        const id = params!.receiver_id!
        const receiver = await findReceiver(parts, { name, host }, id, request.headers, bytes)
        // Unverified requests count for their address, so that they cannot use up the receiver's
        // limit.
        await parts.gateway.count(
          context,
          receiver ? 'receiver' : 'base',
          receiver && `hook:${id.toLowerCase()}`,
        )
        if (!receiver) throw unverified()
        const event =
          request.headers.get(host.event) ?? request.headers.get(host.otherEvent ?? '-') ?? ''
        const data = await handleEvent(parts, { name, host }, receiver, event, () =>
          parse(request, bytes),
        )
        return json({ success: true, data })
      })
    app.post(`/hooks/${name}/:receiver_id`, handle as never, {
      parse: 'none',
      detail: { hide: true } as never,
    })
  }
  return app
}

async function read(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge()
  const bytes = new Uint8Array(await fromClient(request, request.arrayBuffer()))
  if (bytes.byteLength > MAX_BYTES) throw tooLarge()
  return bytes
}

interface NamedHost {
  name: string
  host: Host
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Finds the receiver if the signature is valid. Without a receiver, a decoy secret is checked, so
 * that the duration does not tell whether it exists.
 */
async function findReceiver(
  { receivers, clock }: Parts,
  { name, host }: NamedHost,
  id: string,
  headers: Headers,
  bytes: Uint8Array,
): Promise<Receiver | undefined> {
  const receiver = UUID.test(id) ? await receivers.find(name, id) : undefined
  const secret = receiver?.secret ?? (await receivers.decoySecret())
  const isVerified = host.verify({ headers, bytes, now: clock() }, secret)
  return isVerified ? receiver : undefined
}

const unverified = () => new Fault('unauthenticated', 'Unknown address or invalid signature')

async function handleEvent(
  parts: Parts,
  { name, host }: NamedHost,
  receiver: Receiver,
  event: string,
  payload: () => unknown,
) {
  const read = Object.hasOwn(host.readers, event) ? host.readers[event] : undefined
  if (!read) return { event, heard: false }
  const body = payload()
  const update = read(body)
  const tasks: string[] = []
  let isTaken = false
  for (const target of await receiver.targetsOf(repositoryIn(body))) {
    const found = await handleUpdate(parts, { name, event }, target, update)
    isTaken ||= found !== undefined
    tasks.push(...(found ?? []))
  }
  return isTaken ? { event, heard: true, tasks } : { event, heard: false }
}

const NamedRepository = t.Object({ repository: t.Object({ full_name: t.String() }) })

const repositoryIn = (body: unknown): string =>
  Value.Check(NamedRepository, body) ? body.repository.full_name : ''

/** Returns the tasks of a board that an update changed; undefined if it does not take them. */
async function handleUpdate(
  parts: Parts,
  { name, event }: { name: string; event: string },
  target: Target,
  update: ReturnType<Reader>,
): Promise<string[] | undefined> {
  const { repository_id, takes } = target
  if ('issue' in update) {
    if (repository_id === undefined || !takes?.issues) return undefined
    await parts.requestIssue(repository_id, update.issue)
    return []
  }
  if (takes?.pull_requests === false) return undefined
  const { comment, ...change } = update
  const tasks = await syncPullRequest(parts, name, target, event, change)
  const [pull_request] = update.urls
  // Without a linked repository, nothing tells who may write to it.
  if (comment && pull_request && repository_id !== undefined) {
    await parts.deliverReview(repository_id, { ...comment, pull_request })
    const verdicts = tasks.length ? await parts.readVerdicts(repository_id, pull_request) : []
    for (const review of verdicts)
      await syncPullRequest(parts, name, target, event, { urls: [pull_request], review })
  }
  return tasks
}

async function syncPullRequest(
  { catalog, dispatch, onUnmatched }: Parts,
  host: string,
  { caller, project_id }: Target,
  event: string,
  update: PullRequestUpdate,
): Promise<string[]> {
  const sync = catalog.find((op) => op.name === 'pull_requests.sync')!
  const { data } = await dispatch(caller, sync, { project_id, ...update })
  const { linked } = data as { linked: { ticket_number: string }[] }
  if (update.check && !linked.length) onUnmatched({ host, event, project_id, urls: update.urls })
  return linked.map(({ ticket_number }) => ticket_number)
}

/** Parses the event. GitHub sends JSON as the body or in a form field. */
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
      'Set the content type to application/json at the host',
    )
  }
}

const tooLarge = () => new Fault('too_large', 'The event is larger than 1 MB')
