import { timingSafeEqual } from 'node:crypto'
import type { Server } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'

type Signer = Pick<Server, 'sign'>

const DAY_MS = 24 * 60 * 60 * 1000
const LIFETIME_MS = 7 * DAY_MS

/** What a link answers. */
export type Subject = 'decision' | 'escalation' | 'run'

/** The content of a signed link, with which a person answers without signing in. */
export interface AnswerLink {
  /** The person in whose name the link answers. */
  actor_id: number
  subject: Subject
  id: number
  /** The position of the chosen option of a decision request; null if nothing is chosen yet. */
  option: number | null
  /** The number of prompts that a run had. After another prompt the link no longer works. */
  prompts: number
  expires_at: Date
}

const CODES = { decision: 'd', escalation: 'e', run: 'r' } as const
const SUBJECTS: Record<string, Subject> = { d: 'decision', e: 'escalation', r: 'run' }

export const expiryAfter = (now: Date) => new Date(now.getTime() + LIFETIME_MS)

export async function tokenOf(server: Signer, link: AnswerLink): Promise<string> {
  const { actor_id, subject, id, option, prompts, expires_at } = link
  const seconds = Math.floor(expires_at.getTime() / 1000)
  const content = `${actor_id}-${CODES[subject]}${id}-${option ?? ''}-${prompts}-${seconds}`
  const signed = await server.sign({ answer: content })
  return `${content}-${new Bun.CryptoHasher('sha256').update(signed).digest('base64url')}`
}

const ID = '([1-9]\\d{0,9})'
const TOKEN = new RegExp(`^${ID}-([der])${ID}-(\\d{0,2})-(\\d{1,9})-(\\d{1,11})-[\\w-]{43}$`)

/** Throws if this server did not sign the token. Whether it has expired is for the caller to check. */
export async function readToken(server: Signer, token: string): Promise<AnswerLink> {
  const [, actor, code, id, option, prompts, seconds] = TOKEN.exec(token) ?? []
  if (code === undefined) throw unknownLink()
  const link: AnswerLink = {
    actor_id: Number(actor),
    subject: SUBJECTS[code]!,
    id: Number(id),
    option: option ? Number(option) : null,
    prompts: Number(prompts),
    expires_at: new Date(Number(seconds) * 1000),
  }
  const [given, expected] = [Buffer.from(token), Buffer.from(await tokenOf(server, link))]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw unknownLink()
  return link
}

/** The fault does not contain the token, so that it cannot leak into logs. */
export const unknownLink = () =>
  fault.notFound('token', 'This link is not valid', undefined, 'Open the task in Corkboard')
