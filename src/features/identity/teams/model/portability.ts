import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { Inserter } from '../../../../store/bulk.ts'
import {
  compare,
  InvalidRecord,
  Key,
  moment,
  type NewChange,
  nullable,
  oneOf,
  plain,
  portableRows,
  type RecordOf,
  ShortText,
  standaloneLines,
  strict,
  type TeamImport,
  Uuid,
} from '../../../../store/portability/index.ts'
import { UnusableError } from '../../../../store/unusable.ts'
import {
  actorRows,
  actors,
  insertImportedActor,
  people,
  personByEmail,
  personRows,
} from '../../people/model/index.ts'
import { members, teams } from './tables.ts'

const teamRows = portableRows(
  teams,
  { team_uuid: plain(Uuid), name: plain(ShortText), created_at: moment },
  {},
)
const memberRows = portableRows(
  members,
  { role: plain(oneOf('owner', 'admin', 'member', 'guest')), joined_at: moment },
  { actor_id: 'the person of the line' },
)

export const teamLines = standaloneLines({
  kind: 'team',
  type: strict(teamRows.properties),
  rows: [teamRows],
  check() {
    // The loop checks that there is exactly one.
  },
  async *export({ tx, team_id, names }) {
    const [team] = await tx.select().from(teams).where(eq(teams.team_id, team_id))
    yield teamRows.write(team!, names)
  },
  async stage(record, team) {
    await team.inserter.beforeStatement()
    const row = { ...teamRows.read(record, team.ids), team_uuid: crypto.randomUUID() }
    const { tx } = team.inserter
    const [inserted] = await tx.insert(teams).values(row).returning({ team_id: teams.team_id })
    team.team_id = inserted!.team_id
    return record
  },
  /** Gives the team the UUID of the file, unless another team of this server has it. */
  async publish([record], { team_id }, tx) {
    const { team_uuid, name } = record!
    const [existing] = await tx.select().from(teams).where(eq(teams.team_uuid, team_uuid))
    if (!existing) await tx.update(teams).set({ team_uuid }).where(eq(teams.team_id, team_id))
    return [{ type: 'team.created', data: { name } }]
  },
})

const { name, avatar } = actorRows.properties
const { email, time_zone, locale, created_at } = personRows.properties
const { role, joined_at } = memberRows.properties
const type = strict({
  ...{ email, name, avatar, time_zone, locale },
  /** The key of a board of this team. */
  default_board: nullable(Key),
  created_at,
  /** Null for people who have left the team. */
  ...{ role: nullable(role), joined_at: nullable(joined_at) },
})

interface StagedPerson {
  record: RecordOf<{ type: typeof type }>
  actor_id: number
  isKnown: boolean
}

export const personLines = standaloneLines({
  kind: 'person',
  type,
  rows: [actorRows, personRows, memberRows],
  check({ email, role, joined_at, default_board }, file) {
    if (email !== email.toLowerCase())
      throw new InvalidRecord(`the email ${email} is not in lower case`)
    file.unique('people', email)
    if ((role === null) !== (joined_at === null))
      throw new InvalidRecord(`${email} must have role and joined_at together`)
    if (role === 'owner') file.memory('person', noOwner).hasOwner = true
    if (default_board !== null) file.refer('boards', default_board)
  },
  checkFile(file) {
    if (!file.memory('person', noOwner).hasOwner) throw new InvalidRecord('the team has no owner')
  },
  async *export({ tx, team_id, boards, actor_ids, names }) {
    const memberships = await tx.select().from(members).where(eq(members.team_id, team_id))
    const membershipOf = new Map(memberships.map((row) => [row.actor_id, row]))
    const persons = await tx
      .select({ person: people, actor: actors })
      .from(people)
      .innerJoin(actors, eq(actors.actor_id, people.actor_id))
      .where(inArray(people.actor_id, [...actor_ids]))
    for (const { person, actor } of persons.sort((a, b) =>
      compare(a.person.email, b.person.email),
    )) {
      const { name, avatar } = actorRows.write(actor, names)
      const { email, time_zone, locale, created_at } = personRows.write(person, names)
      const board = boards.find(({ project_id }) => project_id === person.default_project_id)
      const membership = membershipOf.get(person.actor_id)
      yield {
        ...{ email, name, avatar, time_zone, locale },
        ...{ default_board: board?.key ?? null, created_at },
        ...(membership ? memberRows.write(membership, names) : { role: null, joined_at: null }),
      }
    }
  },
  async stage(record, team): Promise<StagedPerson> {
    const { email, role } = record
    await team.inserter.beforeStatement()
    const known = await personByEmail(team.inserter.tx, email)
    const draft = { kind: 'person' as const, ...actorRows.read(record, team.ids) }
    const actor_id = known?.actor_id ?? (await insertImportedActor(team, draft))
    team.actors.set(email, actor_id)
    ;(known ? team.known : team.created).push(email)
    if (role === 'owner') team.owner_id ||= actor_id
    return { record, actor_id, isKnown: known !== undefined }
  },
  async publish(staged, team, tx) {
    const inserter = new Inserter(tx)
    const newcomers = staged.filter(({ isKnown }) => !isKnown)
    for (const { record } of newcomers) await refuseExisting(tx, record.email)
    await inserter.insert(
      people,
      newcomers.map((person) => accountOf(person, team)),
    )
    await inserter.insert(
      members,
      staged.flatMap((person) => membershipIn(person, team)),
    )
    return newcomers.map(
      ({ actor_id }): NewChange => ({
        ...{ type: 'person.created', data: { user_id: actor_id } },
      }),
    )
  },
})

const noOwner = () => ({ hasOwner: false })

async function refuseExisting(tx: Tx, email: string): Promise<void> {
  if (await personByEmail(tx, email))
    throw new UnusableError(
      `An account for ${email} was created while the file was imported. Nothing was imported; run it again.`,
    )
}

/** The account of somebody who has none on this server. */
const accountOf = ({ record, actor_id }: StagedPerson, { boards, ids }: TeamImport) => ({
  ...{ actor_id, ...personRows.read(record, ids), password_hash: null },
  default_project_id:
    record.default_board === null ? null : boards.get(record.default_board)!.project_id,
})

function membershipIn({ record, actor_id }: StagedPerson, { team_id, ids }: TeamImport) {
  const { role, joined_at } = record
  if (role === null || joined_at === null) return []
  return { team_id, actor_id, ...memberRows.read({ role, joined_at }, ids) }
}
