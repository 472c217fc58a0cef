import { Type as t } from '@sinclair/typebox'
import {
  Email,
  type Field,
  moment,
  nullable,
  plain,
  portableRows,
  ShortText,
  type TeamImport,
} from '../../../../store/portability/index.ts'
import { importedActors } from '../../../../store/tables.ts'
import { pictureOf } from './picture.ts'
import { actors, people } from './tables.ts'

const AvatarText = nullable(t.String({ maxLength: 2000 }))
/** Uploaded pictures are not exported. A file cannot refer to one, or it could read any file. */
const withoutPicture = (avatar: string | null) => (pictureOf(avatar) ? null : avatar)
const avatar: Field<typeof AvatarText, string | null> = {
  type: AvatarText,
  write: withoutPicture,
  read: withoutPicture,
}

/** Lines of people and agents hold these columns of their actors. */
export const actorRows = portableRows(
  actors,
  {
    name: plain(ShortText),
    avatar,
    created_at: moment,
  },
  {
    actor_id: 'the email of a person, the agent_id of an agent',
    kind: 'the kind of the line',
    agent_id: 'the row of the agent has it too',
  },
)

export const personRows = portableRows(
  people,
  {
    email: plain(Email),
    time_zone: plain(t.String({ minLength: 1, maxLength: 64 })),
    locale: plain(t.String({ minLength: 1, maxLength: 64 })),
    created_at: moment,
  },
  {
    actor_id: 'the email',
    password_hash: 'a secret',
    default_project_id: 'the field default_board',
    deactivated_at: 'who may sign in is up to each server',
  },
)

/** Inserts an actor without an account: nobody can find it, and it cannot sign in. */
export async function insertImportedActor(
  { inserter, team_id }: TeamImport,
  row: typeof actors.$inferInsert,
): Promise<number> {
  await inserter.beforeStatement()
  const { tx } = inserter
  const [inserted] = await tx.insert(actors).values(row).returning({ actor_id: actors.actor_id })
  const { actor_id } = inserted!
  await tx.insert(importedActors).values({ team_id, actor_id })
  return actor_id
}
