import type { Static } from '@sinclair/typebox'
import { and, eq, isNull } from 'drizzle-orm'
import type { Person } from '../../../../import/record.ts'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { AUTOMATIC, actors, createPerson, people } from '../../../identity/people/model/index.ts'
import { members } from '../../../identity/teams/model/index.ts'
import { foldName } from '../../projects/model/index.ts'
import type { Match } from './schema.ts'
import type { KnownRows } from './store.ts'
import { placeholders } from './tables.ts'

interface Candidate {
  actor_id: number
  name: string
  email: string | null
}

/** Finds people of a source among the members and the placeholders of a team. */
export class Directory {
  private constructor(
    private readonly members: readonly Candidate[],
    private readonly placeholders: readonly Candidate[],
  ) {}

  static async load(tx: Tx, team_id: number): Promise<Directory> {
    const { actor_id, name } = actors
    const members_ = await tx
      .select({ actor_id, name, email: people.email })
      .from(members)
      .innerJoin(people, eq(people.actor_id, members.actor_id))
      .innerJoin(actors, eq(actors.actor_id, members.actor_id))
      .where(eq(members.team_id, team_id))
    const placeholders_ = await tx
      .select({ actor_id, name, email: placeholders.email })
      .from(placeholders)
      .innerJoin(actors, eq(actors.actor_id, placeholders.actor_id))
      .where(and(eq(placeholders.team_id, team_id), isNull(placeholders.replaced_by)))
    return new Directory(members_, placeholders_)
  }

  has(user_id: number): boolean {
    return this.members.some(({ actor_id }) => actor_id === user_id)
  }

  nameOf(user_id: number): string | undefined {
    return [...this.members, ...this.placeholders].find(({ actor_id }) => actor_id === user_id)
      ?.name
  }

  /** The member with the same email, else the only one with the same name. */
  member({ email, name }: Person): { found: Candidate; by: 'email' | 'name' } | undefined {
    const byEmail = this.members.find((one) => email && one.email === email.toLowerCase())
    if (byEmail) return { found: byEmail, by: 'email' }
    const [only, other] = this.members.filter((one) => foldName(one.name) === foldName(name))
    return only && !other ? { found: only, by: 'name' } : undefined
  }

  /** The placeholder that an earlier import made for the same person. */
  placeholder({ email, name }: Person): Candidate | undefined {
    const address = email?.toLowerCase() ?? null
    return this.placeholders.find(
      (one) =>
        (address !== null && one.email === address) ||
        (foldName(one.name) === foldName(name) && (!address || !one.email)),
    )
  }
}

/** Who the people of a source would be, before anything is imported. */
export async function matchPeople(
  tx: Tx,
  team_id: number,
  persons: readonly Person[],
  known: KnownRows | undefined,
): Promise<Static<typeof Match>[]> {
  const directory = await Directory.load(tx, team_id)
  await known?.load(
    'person',
    persons.map(({ id }) => id),
  )
  return persons.map((person) => {
    const before = known?.get('person', person.id)
    if (before && directory.has(before.row_id))
      return matched(person, before.row_id, directory.nameOf(before.row_id)!, 'earlier import')
    const match = before ? undefined : directory.member(person)
    return match
      ? matched(person, match.found.actor_id, match.found.name, match.by)
      : {
          id: person.id,
          user_id: null,
          name: null,
          by: before ? ('earlier import' as const) : null,
        }
  })
}

const matched = (
  { id }: Person,
  user_id: number,
  name: string,
  by: NonNullable<Static<typeof Match>['by']>,
) => ({ id, user_id, name, by })

type PersonRecord = Person & { user_id?: number | null }

/** Who a person of the source is here: a member, or a placeholder, which is created if needed. */
export async function resolvePerson(
  ctx: Context,
  team_id: number,
  directory: Directory,
  record: PersonRecord,
  field: string,
): Promise<{ actor_id: number; created: boolean }> {
  const { user_id } = record
  if (typeof user_id === 'number') {
    if (directory.has(user_id)) return { actor_id: user_id, created: false }
    throw fault.invalid(
      `${field}.user_id`,
      'not_found',
      `There is no member ${user_id} in this team`,
      user_id,
      'List its members: GET /api/v1/teams/{team_id}/members',
    )
  }
  const member = user_id === undefined ? directory.member(record) : undefined
  const found = member?.found ?? directory.placeholder(record)
  if (found) return { actor_id: found.actor_id, created: false }
  return { actor_id: await createPlaceholder(ctx, team_id, record), created: true }
}

/** A person without an account: the address does not exist, and nobody can sign in with it. */
export async function createPlaceholder(
  { tx, now, caller }: Context,
  team_id: number,
  { name, email }: Pick<Person, 'name' | 'email'>,
): Promise<number> {
  const actor_id = await createPerson(
    tx,
    {
      name,
      email: `${Bun.randomUUIDv7()}@placeholder.invalid`,
      password_hash: null,
      time_zone: caller.time_zone,
      locale: AUTOMATIC,
    },
    now,
  )
  await tx.update(people).set({ deactivated_at: now }).where(eq(people.actor_id, actor_id))
  const row = { actor_id, team_id, email: email?.toLowerCase() ?? null, created_at: now }
  await tx.insert(placeholders).values(row)
  return actor_id
}

export async function findPlaceholder(tx: Tx, team_id: number, actor_id: number) {
  const [row] = await tx
    .select()
    .from(placeholders)
    .where(and(eq(placeholders.team_id, team_id), eq(placeholders.actor_id, actor_id)))
  return row
}
