import { claimed } from '../furniture.ts'
import type { Actor, World } from '../world.ts'

/** Ids and other names of records of each kind. */
export type Names = Record<Kind, number | string>

export const KINDS = [
  ...(['project', 'section', 'label', 'task', 'ticket', 'comment', 'page', 'page version'] as const),
  ...(['description version', 'guidance version', 'draft', 'view', 'my view', 'feed'] as const),
  ...(['notification', 'time entry', 'attachment', 'field', 'decision', 'evidence'] as const),
  ...(['escalation', 'run', 'skill', 'pull request', 'receiver', 'report', 'thread'] as const),
  ...(['delivery', 'team', 'invitation', 'API key', 'access token', 'template', 'lease'] as const),
  ...(['agent', 'person', 'email', 'invocation'] as const),
] as const
export type Kind = (typeof KINDS)[number]

/** What nothing is called. */
export const unknown: Names = {
  ...(Object.fromEntries(KINDS.map((kind) => [kind, 987_654])) as Names),
  ticket: 'ZZZ-987',
  view: '00000000-0000-7000-8000-000000000000',
  'my view': '00000000-0000-7000-8000-000000000000',
  feed: '00000000-0000-7000-8000-000000000000',
  field: '00000000-0000-7000-8000-000000000000',
  receiver: '00000000-0000-7000-8000-000000000000',
  delivery: '00000000-0000-7000-8000-000000000000',
  lease: '00000000-0000-7000-8000-000000000000',
  agent: '00000000-0000-7000-8000-000000000000',
  email: 'nobody@example.com',
}

/** A record of each kind that belongs to another team, where everything is filled in. */
export async function foreign({ abroad }: World): Promise<Partial<Names>> {
  return abroad
}
